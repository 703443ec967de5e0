// A box for the Pi, with the panel as its lid: display, lights, buttons, buzzer.
//
//   openscad -D 'part="lid"' -o lid.stl case.scad           (bottom, lid)
//   openscad -D 'part="bottom"' -D zero=true -o bottom.stl case.scad

include <sizes.scad>

/* [What to make] */
part = "all"; // [all, bottom, lid]

/* [What you have] */
zero = false; // a Zero 2 W instead of a Pi 4 or 5
window_mm = [26, 15]; // the display's glass; 1.3 inch: [31, 17]
window_up_mm = 2; // from the middle of the display's board to the middle of its glass
display_holes_mm = [23, 23.5]; // of the display's board, from middle to middle
led_mm = 5.2;
button_mm = 12.3;

/* [Hidden] */
$fn = 48;
outer_mm = [140, 92, 52];
wall_mm = 2.4;
lid_mm = 3;
post_mm = 8;
// Raspberry Pi's mechanical drawings: holes 3.5 mm from the edges, 58 × 49 mm apart (4 and 5) or
// 58 × 23 mm (Zero). Both have power and video along the edge by the first two holes.
pi_mm = zero ? [65, 30] : [85, 56];
pi_holes = [for (y = [3.5, pi_mm[1] - 3.5], x = [3.5, 61.5]) [x, y]];
pi_at = [outer_mm[0] - wall_mm - 0.6 - 85, wall_mm + 0.8];
stand_mm = 6; // below the Pi's board
board_top = wall_mm + stand_mm + 1.6;
corners = [for (x = [post_mm / 2 + 1, outer_mm[0] - post_mm / 2 - 1],
                y = [post_mm / 2 + 1, outer_mm[1] - post_mm / 2 - 1]) [x, y]];

if (part == "bottom") bottom();
else if (part == "lid") lid();
else {
    bottom();
    translate([0, outer_mm[1] + 12, 0]) lid();
}

module slab(size, radius = 5) {
    linear_extrude(size[2]) offset(radius) offset(-radius) square([size[0], size[1]]);
}

module bottom() {
    difference() {
        union() {
            difference() {
                slab(outer_mm);
                translate([wall_mm, wall_mm, wall_mm])
                    slab([outer_mm[0] - 2 * wall_mm, outer_mm[1] - 2 * wall_mm, outer_mm[2]], 3);
            }
            // The lid's screws; no post where the sockets are.
            for (at = corners) translate([at[0], at[1], outer_mm[2] - 24]) {
                cylinder(d = post_mm, h = 24);
                translate([0, 0, -10]) cylinder(d1 = 0.5, d2 = post_mm, h = 10);
            }
            for (hole = pi_holes) translate([pi_at[0] + hole[0], pi_at[1] + hole[1], 0])
                cylinder(d = 6, h = wall_mm + stand_mm);
        }
        for (at = corners) translate([at[0], at[1], outer_mm[2] - 14]) cylinder(d = 2.1, h = 20);
        for (hole = pi_holes) translate([pi_at[0] + hole[0], pi_at[1] + hole[1], wall_mm])
            cylinder(d = 2.1, h = 20);
        // USB and network, which a Zero has not; power and video; the card.
        if (!zero) translate([outer_mm[0] - wall_mm - 1, pi_at[1] + 1, board_top - 1]) cube([10, 54, 18]);
        translate([pi_at[0] + 4, -1, board_top - 1]) cube([56, wall_mm + 2, 9]);
        translate([-1, pi_at[1] + (zero ? 7 : 18), wall_mm + 1]) cube([wall_mm + 2, 20, 10]);
        // The camera's ribbon, out under the lid.
        translate([30, outer_mm[1] - wall_mm - 1, outer_mm[2] - 3]) cube([24, 10, 4]);
        // Air from below.
        for (x = [0 : 6], y = [0 : zero ? 0 : 3])
            translate([pi_at[0] + 14 + x * 7, pi_at[1] + (zero ? 15 : 16 + y * 8), -1])
                cylinder(d = 4, h = 10);
    }
}

// Printed face down: x runs the other way there, so everything is mirrored once.
module lid() {
    mirror([1, 0, 0]) translate([-outer_mm[0], 0, 0]) difference() {
        union() {
            slab([outer_mm[0], outer_mm[1], lid_mm]);
            // A lip that finds its place between the walls.
            difference() {
                translate([wall_mm + 0.3, wall_mm + 0.3, 0])
                    slab([outer_mm[0] - 2 * wall_mm - 0.6, outer_mm[1] - 2 * wall_mm - 0.6, lid_mm + 2], 3);
                translate([wall_mm + 2, wall_mm + 2, -1])
                    slab([outer_mm[0] - 2 * wall_mm - 4, outer_mm[1] - 2 * wall_mm - 4, lid_mm + 5], 3);
                for (at = corners) translate([at[0], at[1], lid_mm]) cylinder(d = post_mm + 3, h = 9);
                translate([29, outer_mm[1] - 8, lid_mm]) cube([26, 10, 9]);
            }
        }
        for (at = corners) translate([at[0], at[1], -1]) {
            cylinder(d = 2.9, h = 20);
            cylinder(d1 = 7.5, d2 = 2.9, h = 3);
        }
        display_cut([36, 62]);
        panel_cuts();
    }
}

module display_cut(at) {
    translate([at[0], at[1], 0]) {
        translate([0, window_up_mm, -1]) linear_extrude(10) square(window_mm, center = true);
        // A slant towards the glass, on the face.
        translate([0, window_up_mm, -0.01]) hull() {
            linear_extrude(0.01) square([window_mm[0] + 4, window_mm[1] + 4], center = true);
            translate([0, 0, 2]) linear_extrude(0.01) square(window_mm, center = true);
        }
        for (x = [-0.5, 0.5], y = [-0.5, 0.5])
            translate([x * display_holes_mm[0], y * display_holes_mm[1], 1.2]) cylinder(d = 2, h = 10);
    }
}

module panel_cuts() {
    for (number = [0 : len(leds) - 1]) translate([68 + number * 15, 70, 0]) {
        translate([0, 0, -1]) cylinder(d = led_mm, h = 10);
        label(leds[number] == "attention" ? "!" : leds[number], -8, 2.5);
    }
    // The buzzer speaks through a flower.
    translate([98, 48, -1]) {
        cylinder(d = 2, h = 10);
        for (turn = [0 : 60 : 300]) rotate(turn) translate([4.5, 0, 0]) cylinder(d = 2, h = 10);
    }
    for (number = [0 : len(buttons) - 1]) translate([25 + number * 30, 26, 0]) {
        translate([0, 0, -1]) cylinder(d = button_mm, h = 10);
        label(buttons[number], -13, 4);
    }
}

module label(words, y, size) {
    translate([0, y, -1]) linear_extrude(1.6)
        text(words, size = size, halign = "center", valign = "center", $fn = 12);
}
