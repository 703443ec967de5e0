// What holds the camera: a foot at the table's edge, an upright, an elbow, a boom, a head.
// Upright and boom are round tube or dowel; all joints are clamps, so heights can still be changed.
// How high the lens must hang follows from its field of view: see hang_mm below.
//
//   openscad -D 'part="foot"' -o foot.stl mount.scad        (foot, elbow, head, webcam-head)

include <sizes.scad>

/* [What to make] */
part = "all"; // [all, foot, elbow, head, webcam-head]
lens = 0; // which of the lenses in sizes.scad

/* [What you have] */
tube_mm = 16;
play_mm = 0.3; // a tube slides in a bore that is so much wider
wall_mm = 6;

/* [Hidden] */
$fn = 64;
screw_mm = 4.3; // M4
clear_mm = 20; // between the far cards and the upright
spare_mm = 20; // of boom behind the elbow
floor_mm = 4; // below the upright in the foot, and above it in the elbow
bore_mm = tube_mm + play_mm;
block_mm = tube_mm + 2 * wall_mm;
grip_mm = 36; // of the upright in the elbow
head_mm = 30; // of the boom in the head
lens_out_mm = 19.5; // from the boom's end to the lens
lens_drop_mm = block_mm / 2 + 1 + 6; // from the boom's axis down to the lens

// The same sum as in firmware/height.py; a test holds the two together.
reach_y = min(tan(lenses[lens][2] / 2), tan(lenses[lens][1] / 2) / picture_shape);
reach_x = min(tan(lenses[lens][1] / 2), tan(lenses[lens][2] / 2) * picture_shape);
need_mm = [for (side = board_mm) side + 2 * (card_mm + aim_mm)];
fits_mm = max(need_mm[0] / (2 * reach_x), need_mm[1] / (2 * reach_y));
hang_mm = ceil(max(fits_mm, learnt_from_mm) / step_mm) * step_mm;

// Tubes are cut to whole steps, the upright rather too long: the lens may hang a little higher.
boom_up_mm = 2 * floor_mm + block_mm / 2; // the boom's axis, with an upright of no length
upright_mm = ceil((board_thick_mm + hang_mm + lens_drop_mm - boom_up_mm) / step_mm) * step_mm;
boom_out_mm = board_mm[1] / 2 + card_mm + clear_mm; // from the upright to the board's middle
boom_mm = ceil((boom_out_mm - lens_out_mm + block_mm / 2 + spare_mm) / step_mm) * step_mm;
echo(hang_mm = hang_mm, upright_mm = upright_mm, boom_mm = boom_mm);

if (part == "foot") foot();
else if (part == "elbow") elbow();
else if (part == "head") head();
else if (part == "webcam-head") webcam_head();
else if (part == "all") {
    foot();
    translate([90, 0, 0]) elbow();
    translate([150, 0, 0]) head();
    translate([210, 0, 0]) webcam_head();
}

// A bore along z with a slit to +x that a screw across closes; `at` is the screw's height.
module clamp_cut(long, at) {
    translate([0, 0, -1]) cylinder(d = bore_mm, h = long + 2);
    translate([0, -1.25, -1]) cube([block_mm, 2.5, long + 2]);
    translate([tube_mm / 2 + wall_mm / 2 + 4, 0, at]) rotate([90, 0, 0])
        cylinder(d = screw_mm, h = 3 * block_mm, center = true);
}

// The same along x and lying, its roof pointed so that it prints without support.
module lying_bore(long) {
    rotate([0, 90, 0]) {
        translate([0, 0, -1]) cylinder(d = bore_mm, h = long + 2);
        translate([0, 0, -1]) linear_extrude(long + 2) rotate(135) square(bore_mm / 2);
    }
}

module rounded(size, radius = 4) {
    linear_extrude(size[2]) offset(radius) offset(-radius) square([size[0], size[1]], center = true);
}

module ears(long) {
    translate([0, -block_mm / 2 + 3, 0]) cube([block_mm / 2 + 8, block_mm - 6, long]);
}

module foot() {
    tall = 50;
    difference() {
        union() {
            translate([25, 0, 0]) rounded([110, 70, 8], 8);
            cylinder(d = block_mm, h = tall);
            ears(tall);
            // Ribs against the boom's pull.
            for (side = [-1, 1]) translate([0, side * (block_mm / 2 - 3), 0]) rotate([90, 0, 0])
                translate([0, 0, -2]) linear_extrude(4) polygon([[0, 0], [72, 0], [72, 8], [0, tall - 18]]);
        }
        translate([0, 0, floor_mm]) clamp_cut(tall, tall - 14);
        for (side = [-1, 1]) translate([66, side * 26, -1]) cylinder(d = 5, h = 20);
    }
}

// The upright ends in it; the boom passes over the upright's end.
module elbow() {
    low = grip_mm + floor_mm;
    tall = low + block_mm + 10;
    difference() {
        translate([-block_mm / 2, -block_mm / 2, 0]) cube([block_mm + 8, block_mm, tall]);
        clamp_cut(grip_mm - 1, grip_mm / 2);
        translate([-block_mm, 0, low + block_mm / 2]) {
            lying_bore(3 * block_mm);
            translate([0, -1.25, 0]) cube([3 * block_mm, 2.5, tall]);
        }
        translate([4, 0, tall - 6]) rotate([90, 0, 0])
            cylinder(d = screw_mm, h = 2 * block_mm, center = true);
    }
}

// The block that sits on the boom, lying on the plate that carries the camera.
module head_block() {
    translate([-head_mm, -block_mm / 2, 0]) cube([head_mm, block_mm, block_mm + 10]);
}

module head_cut() {
    translate([-head_mm - 1, 0, block_mm / 2 + 1]) {
        lying_bore(head_mm + 2);
        translate([0, -1.25, 0]) cube([head_mm + 2, 2.5, block_mm]);
    }
    translate([-head_mm / 2, 0, block_mm + 4.5]) rotate([90, 0, 0])
        cylinder(d = screw_mm, h = 2 * block_mm, center = true);
}

// Camera Module 3, as in Raspberry Pi's mechanical drawing: 25 × 24 mm, M2 holes 21 mm apart, 2 and
// 14.5 mm from one edge, the lens between the latter two. It is screwed under the plate with the
// lens away from it; its connector and the ribbon go into the window.
module head() {
    difference() {
        union() {
            head_block();
            translate([-head_mm, -block_mm / 2, 0]) cube([head_mm + 34, block_mm, 4]);
        }
        head_cut();
        translate([5, 0, 0]) {
            for (x = [2, 14.5], y = [-10.5, 10.5]) translate([x, y, -1]) cylinder(d = 2.3, h = 10);
            translate([4.5, -7, -1]) cube([8, 14, 10]);
            translate([17.5, -11.5, -1]) cube([8, 23, 10]);
            translate([12, -7, -1]) cube([6, 14, 10]);
        }
    }
}

// Any webcam with a tripod thread: a 1/4 inch screw from above.
module webcam_head() {
    difference() {
        union() {
            head_block();
            translate([-head_mm, -block_mm / 2, 0]) cube([head_mm + 34, block_mm, 6]);
        }
        head_cut();
        translate([17, 0, -1]) cylinder(d = 6.7, h = 10);
    }
}
