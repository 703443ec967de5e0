// Pieces and marks as SVG, seen from above, around the middle of a cell.
//
// Nothing is told by colour alone. A house has the roof of its player's seat: one ridge, a crossed
// roof, a ring, a diamond. A pyramid shows its four faces and carries the mark of the seat on its
// top. A park is a plate with trees, a tower a round thing with a smaller round thing on top. Marks
// carry a sign: a dashed frame for due, ! for trouble, ? for unsure, stripes for hidden.

import { draw } from "./elements.js";
import { CELL } from "./look.js";

const HOUSE = 24;
const INSET = 2.5;
const STRIPES = "M-28 -8L-8 -28M-28 18L18 -28M-18 28L28 -18M8 28L28 8";

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

/** The piece, moved to its anchor, as this game looks (see look.js). */
export function drawPiece({ kind, colour, anchor }, look) {
  const [x, y] = wayOf(anchor);
  const reach = CELL / 2 - HOUSE / 2 - INSET;
  const seat = colour ? look.colours.indexOf(colour) : -1;
  const shape = look.shapeOf(kind);
  const parts = SHAPES[shape] ?? SHAPES.block;
  return draw(
    "g",
    { class: `piece shape-${shape}`, transform: `translate(${x * reach} ${y * reach})` },
    parts(look.sizeOf(kind), look.shadeOf({ kind, colour }), seat, kind),
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

/** The sign of a seat, around the middle: no two look alike without any colour. */
export function drawSeat(seat, radius, attributes) {
  const r = radius;
  const paths = [
    null,
    `M${-r} ${-r}H${r}V${r}H${-r}Z`,
    `M0 ${-1.2 * r}L${1.15 * r} ${0.9 * r}H${-1.15 * r}Z`,
    `M0 ${-1.35 * r}L${1.35 * r} 0L0 ${1.35 * r}L${-1.35 * r} 0Z`,
  ];
  const path = paths[Math.max(0, seat) % paths.length];
  return path ? draw("path", { ...attributes, d: path }) : draw("circle", { ...attributes, r });
}

function roofs(half, seat) {
  const all = [
    () => [
      draw("rect", { class: "shade", x: 0, y: -half, width: half, height: 2 * half }),
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
    () => [
      draw("path", { class: "ridge", d: `M0 ${-half}L${half} 0L0 ${half}L${-half} 0Z` }),
    ],
  ];
  return all[Math.max(0, seat) % all.length]();
}

const tree = (x, y, r, scale) =>
  draw("circle", { class: "tree", cx: x * scale, cy: y * scale, r: r * scale });

const body = (size, radius, shade) => square(size, radius, { class: "body", fill: shade });

const SHAPES = {
  gabled: (size, shade, seat) => [
    body(size, 2, shade),
    ...roofs(size / 2, seat),
    square(size, 2, { class: "edge" }),
  ],
  pyramid: (size, shade, seat) => {
    const half = size / 2;
    const face = (name, one, other) =>
      draw("path", { class: `face ${name}`, d: `M0 0L${one}L${other}Z` });
    const corners = [`${-half} ${-half}`, `${half} ${-half}`, `${half} ${half}`, `${-half} ${half}`];
    return [
      body(size, 1, shade),
      ...["lit", "even", "dark", "dim"].map((name, at) =>
        face(name, corners[at], corners[(at + 1) % 4]),
      ),
      square(size, 1, { class: "edge" }),
      seat < 0 ? null : drawSeat(seat, 3 + size / 24, { class: "seat" }),
    ];
  },
  slab: (size, shade) => [
    body(size, size * 0.15, shade),
    tree(-10, -9, 7, size / 46),
    tree(10, -6, 8.5, size / 46),
    tree(-6, 11, 8.5, size / 46),
    tree(13, 14, 5, size / 46),
  ],
  column: (size, shade) => [
    draw("circle", { class: "body", r: size / 2, fill: shade }),
    draw("circle", { class: "ridge", r: size / 3.2 }),
    draw("circle", { class: "top", r: size / 8 }),
  ],
  block: (size, shade, seat, kind) => [
    body(size, 4, shade),
    seat < 0
      ? draw("text", { class: "letter", y: 6 }, String(kind ?? "").slice(0, 1).toUpperCase())
      : drawSeat(seat, 5, { class: "seat" }),
  ],
};

// A marker is any flat thing that the players have at hand.
SHAPES.marker = SHAPES.slab;

const badge = (kind, sign) =>
  draw(
    "g",
    { class: `badge ${kind}`, transform: `translate(${CELL / 2 - 11} ${-CELL / 2 + 11})` },
    draw("circle", { r: 9 }),
    draw("text", { y: 5 }, sign),
  );

const frame = (kind) => square(CELL - 4, 4, { class: `frame ${kind}` });

const ghost = (piece, look) => draw("g", { class: "ghost" }, drawPiece(piece, look));

/** What is to be said about a cell: {due, wanted, problem, unsure, hidden, lit, hover}. */
export function drawMarks(cell, mark, look) {
  const marks = [];
  if (mark.hidden) marks.push(draw("path", { class: "stripes", d: STRIPES }));
  if (mark.wanted && !mark.pieces)
    marks.push(ghost({ kind: mark.wanted }, look), frame("wanted"));
  if (mark.due) {
    const named = draw("text", { class: "named", y: 7 }, cell);
    const kind = mark.due.forgotten ? "due forgotten" : "due";
    marks.push(draw("g", { class: "pulse" }, ghost(mark.due, look), frame(kind)), named);
    if (mark.due.forgotten) marks.push(badge("bad", "!"));
  }
  if (mark.lit) marks.push(frame("lit"));
  if (mark.hover) marks.push(draw("g", { class: "hover" }, drawPiece(mark.hover, look)));
  if (mark.problem) marks.push(frame("bad"), badge("bad", "!"));
  else if (mark.unsure) marks.push(frame("unsure"), badge("unsure", "?"));
  return marks;
}

/** A piece as a little picture of its own, for buttons and legends. */
export function iconOf({ kind, colour }, look) {
  const size = 4 + look.roomOf(kind);
  return draw(
    "svg",
    { class: "icon", viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, "aria-hidden": "true" },
    drawPiece({ kind, colour }, look),
  );
}

/** A player as such a picture. */
export const emblemOf = (colour, look) => iconOf(look.emblemOf(colour), look);
