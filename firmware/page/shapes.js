// Pieces and marks as SVG, seen from above, around the middle of a cell.
//
// Nothing is told by colour alone. The first player's houses have one ridge, the second's a
// crossed roof, a third's a ring; a park is a plate with trees, a tower a round thing with a
// smaller round thing on top. Marks carry a sign: a dashed frame for due, ! for trouble, ? for
// unsure, stripes for hidden.

import { draw } from "./elements.js";

export const CELL = 60;
const HOUSE = 24;
const PARK = 46;
const TOWER = 30;
const INSET = 2.5;
const STRIPES = "M-28 -8L-8 -28M-28 18L18 -28M-18 28L28 -18M8 28L28 8";
const SIZES = { park: PARK, tower: TOWER };

export const ANCHORS = ["nw", "n", "ne", "w", "", "e", "sw", "s", "se"];

/** (x, y) of an anchor's way out of the cell: x to the right, y downwards. */
export const wayOf = (anchor) => {
  const at = ANCHORS.indexOf(anchor ?? "");
  return [(at % 3) - 1, Math.floor(at / 3) - 1];
};

/** The anchor nearest to a point given as (0..1, 0..1) of the cell; null in the middle ninth. */
export const anchorAt = (x, y) => {
  const third = (of) => Math.min(2, Math.max(0, Math.floor(of * 3)));
  return ANCHORS[third(y) * 3 + third(x)] || null;
};

/** The piece, moved to its anchor; `colours` in turn order decide which roof a house gets. */
export function drawPiece({ kind, colour, anchor }, colours) {
  const [x, y] = wayOf(anchor);
  const reach = CELL / 2 - HOUSE / 2 - INSET;
  const classes = ["piece", colour ? "owned" : `kind-${kind}`, colour ? `of-${colour}` : ""];
  return draw(
    "g",
    { class: classes.join(" ").trim(), transform: `translate(${x * reach} ${y * reach})` },
    colour ? houseParts(colours.indexOf(colour)) : (PARTS[kind]?.() ?? plainParts(kind)),
  );
}

/** A square around the middle. */
export const square = (size, radius, attributes) =>
  draw("rect", {
    x: -size / 2,
    y: -size / 2,
    width: size,
    height: size,
    rx: radius,
    ...attributes,
  });

function houseParts(player) {
  const half = HOUSE / 2;
  const roofs = [
    () => [
      draw("rect", { class: "shade", x: 0, y: -half, width: half, height: HOUSE }),
      draw("path", { class: "ridge", d: `M0 ${-half}V${half}` }),
    ],
    () => [
      draw("path", { class: "shade", d: `M0 0L${half} ${-half}V${half}L${-half} ${half}Z` }),
      draw("path", {
        class: "ridge",
        d: `M${-half} ${-half}L${half} ${half}M${half} ${-half}L${-half} ${half}`,
      }),
    ],
    () => [draw("circle", { class: "ridge", r: half / 2 })],
  ];
  const roof = roofs[Math.max(0, player) % roofs.length];
  return [square(HOUSE, 2, { class: "body" }), ...roof(), square(HOUSE, 2, { class: "edge" })];
}

const tree = (x, y, r) => draw("circle", { class: "tree", cx: x, cy: y, r });

const PARTS = {
  park: () => [
    square(PARK, 7, { class: "body" }),
    tree(-10, -9, 7),
    tree(10, -6, 8.5),
    tree(-6, 11, 8.5),
    tree(13, 14, 5),
  ],
  tower: () => [
    draw("circle", { class: "body", r: TOWER / 2 }),
    draw("circle", { class: "ridge", r: TOWER / 3.2 }),
    draw("circle", { class: "top", r: TOWER / 8 }),
  ],
};

const plainParts = (kind) => [
  square(TOWER, 4, { class: "body" }),
  draw("text", { class: "letter", y: 6 }, kind.slice(0, 1).toUpperCase()),
];

const badge = (kind, sign) =>
  draw(
    "g",
    { class: `badge ${kind}`, transform: `translate(${CELL / 2 - 11} ${-CELL / 2 + 11})` },
    draw("circle", { r: 9 }),
    draw("text", { y: 5 }, sign),
  );

const frame = (kind) => square(CELL - 4, 4, { class: `frame ${kind}` });

/** What is to be said about a cell: {due, problem, unsure, hidden, lit, hover}. */
export function drawMarks(cell, mark, colours) {
  const marks = [];
  if (mark.hidden)
    marks.push(draw("path", { class: "stripes", d: STRIPES }));
  if (mark.due) {
    const ghost = draw("g", { class: "ghost" }, drawPiece({ kind: mark.due.kind }, colours));
    const named = draw("text", { class: "named", y: 7 }, cell);
    const kind = mark.due.forgotten ? "due forgotten" : "due";
    marks.push(draw("g", { class: "pulse" }, ghost, frame(kind)), named);
    if (mark.due.forgotten) marks.push(badge("bad", "!"));
  }
  if (mark.lit) marks.push(frame("lit"));
  if (mark.hover) marks.push(draw("g", { class: "hover" }, drawPiece(mark.hover, colours)));
  if (mark.problem) marks.push(frame("bad"), badge("bad", "!"));
  else if (mark.unsure) marks.push(frame("unsure"), badge("unsure", "?"));
  return marks;
}

/** A piece as a little picture of its own, for buttons and legends. */
export function iconOf(piece, colours) {
  const size = 4 + (piece.colour ? HOUSE : (SIZES[piece.kind] ?? TOWER));
  return draw(
    "svg",
    { class: "icon", viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, "aria-hidden": "true" },
    drawPiece({ ...piece, anchor: null }, colours),
  );
}
