// Made from wiring.yml and the box of the game by `make wiring`: change it there.

board_mm = [312, 312];
board_thick_mm = 8;
cell_mm = 34;
card_mm = 44;
aim_mm = 10;
picture_shape = 1.333333;
learnt_from_mm = 450;
step_mm = 10;
lenses = [["Camera Module 3", 66, 41], ["webcam of 78° (Logitech C920 and kin)", 70.4, 43.3], ["Camera Module 3 Wide", 102, 67]];
leds = ["white", "yellow", "park", "tower", "attention"];
buttons = ["ok", "undo", "left", "right"];
finger_row = 8;
