// What it looks like: for the picture in the README, not for the printer.
//
//   openscad --imgsize=1000,960 --camera=60,20,300,64,0,32,2150 --colorscheme=Tomorrow \
//       -o pictures/assembled.png assembled.scad

include <mount.scad>
use <case.scad>

part = "none";
wood = [0.83, 0.7, 0.51];

module table() {
    color([0.36, 0.42, 0.5]) translate([-260, -250, -10]) cube([640, 570, 10]);
    color(wood) translate([-board_mm[0] / 2, -board_mm[1] / 2, 0]) cube([board_mm[0], board_mm[1], board_thick_mm]);
    color([0.33, 0.22, 0.12]) for (line = [-4 : 4]) {
        translate([line * cell_mm - 0.6, -4 * cell_mm, board_thick_mm]) cube([1.2, 8 * cell_mm, 0.4]);
        translate([-4 * cell_mm, line * cell_mm - 0.6, board_thick_mm]) cube([8 * cell_mm, 1.2, 0.4]);
    }
    for (x = [-1, 1], y = [-1, 1])
        translate([x * (board_mm[0] + card_mm) / 2, y * (board_mm[1] + card_mm) / 2, 0.5]) {
            color("white") cube([card_mm, card_mm, 1], center = true);
            color("black") cube([24, 24, 1.4], center = true);
        }
}

module pieces() {
    for (at = [[-2, 1], [0, 0], [1, 2], [-3, -2]]) piece(at, "ivory", 13, 14);
    for (at = [[2, -1], [-1, -1], [3, 3]]) piece(at, [0.9, 0.7, 0.13], 13, 14);
    for (at = [[1, 1], [-1, 2], [0, -2]]) piece(at, [0.31, 0.54, 0.24], 28, 3);
    piece([2, 1], [0.55, 0.55, 0.55], 16, 38);
}

module piece(at, shade, side, tall) {
    color(shade) translate([(at[0] + 0.5) * cell_mm - side / 2, (at[1] + 0.5) * cell_mm - side / 2, board_thick_mm])
        cube([side, side, tall]);
}

boom_at = floor_mm + upright_mm + floor_mm + block_mm / 2;
grey = [0.75, 0.77, 0.8];
printed = [0.16, 0.5, 0.53];

table();
pieces();
translate([0, boom_out_mm, 0]) {
    color(printed) rotate(90) foot();
    color(grey) translate([0, 0, floor_mm]) cylinder(d = tube_mm, h = upright_mm);
    color(printed) translate([0, 0, floor_mm + upright_mm - grip_mm + 1]) rotate(90) elbow();
    color(grey) translate([0, block_mm / 2 + spare_mm, boom_at]) rotate([90, 0, 0]) cylinder(d = tube_mm, h = boom_mm);
}
translate([0, lens_out_mm, boom_at - block_mm / 2 - 1]) {
    color(printed) rotate(-90) head();
    color([0.1, 0.35, 0.15]) translate([-12.5, -29, -2]) cube([25, 24, 2]);
    color("black") translate([0, -lens_out_mm, -7]) cylinder(d = 9, h = 6);
}
translate([330, -90, 0]) rotate(90) {
    color([0.2, 0.24, 0.28]) bottom();
    color(printed) translate([0, 92, 55]) rotate([180, 0, 0]) lid();
}
