// Optional: a strip with an LED beside each cell. Half a side each, so four make files and ranks.
//
//   openscad -o strip.stl finger.scad

include <sizes.scad>

/* [What you have] */
led_mm = 5.2;

/* [Hidden] */
$fn = 48;
half = finger_row / 2;
size_mm = [half * cell_mm, 14, 10];
wall_mm = 2;

difference() {
    cube(size_mm);
    // Open below: legs, resistors and wires lie in there.
    translate([-1, wall_mm, -1]) cube([size_mm[0] + 2, size_mm[1] - 2 * wall_mm, size_mm[2] - wall_mm + 1]);
    for (number = [0 : half - 1]) translate([(number + 0.5) * cell_mm, size_mm[1] / 2, -1])
        cylinder(d = led_mm, h = 20);
}
