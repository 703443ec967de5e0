// The board as an SVG drawing that is also a grid: one gridcell a cell, each with its full name.
//
// Cells are made once and only their content changes, so the focus stays where it is while the
// game goes on. One cell can be reached with Tab, the arrows lead to the others. The first player sits
// at the bottom: file a is left and rank 1 is low.

import { draw } from "./elements.js";
import { CELL } from "./look.js";
import { drawMarks, drawPiece, square } from "./shapes.js";
import { word } from "./words.js";

const RIM = 22;

/** Where the arrow keys lead: x to the right, y downwards. */
export const STEPS = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/**
 * A board in `svg`; `onCell(cell, event)` is called when one is clicked or entered.
 * `paint(view)` wants {look, pieces}, and what else is to be shown of
 * {dues, task, problems, unsure, hidden, lit, hover}.
 */
export function makeBoard(svg, onCell) {
  let grid = null;

  function build(files, ranks) {
    const wide = files * CELL;
    const high = ranks * CELL;
    svg.setAttribute("viewBox", `${-RIM} 0 ${wide + RIM + 4} ${high + RIM}`);
    svg.setAttribute("role", "grid");
    grid = { files, ranks, cells: new Map() };
    const rows = [];
    for (let rank = ranks - 1; rank >= 0; rank--) {
      const row = draw("g", { role: "row", "aria-label": rank + 1 });
      for (let file = 0; file < files; file++) row.append(buildCell(file, rank));
      rows.push(row);
    }
    const ground = draw("rect", { class: "ground", width: wide, height: high, rx: 3 });
    svg.replaceChildren(ground, ...rows, ...edgeNames(files, ranks));
    moveFocus([...grid.cells.keys()][0], false);
  }

  function buildCell(file, rank) {
    const cell = cellName(file, rank);
    const x = file * CELL + CELL / 2;
    const y = (grid.ranks - 1 - rank) * CELL + CELL / 2;
    const content = draw("g");
    const element = draw(
      "g",
      {
        class: "cell",
        role: "gridcell",
        tabindex: -1,
        "data-cell": cell,
        transform: `translate(${x} ${y})`,
        onclick: (event) => {
          moveFocus(cell, false);
          onCell(cell, event);
        },
        onkeydown: (event) => onKey(event, cell, file, rank),
      },
      square(CELL, 0, { class: "square" }),
      content,
      square(CELL - 2, 0, { class: "focus" }),
    );
    grid.cells.set(cell, { element, content, last: "" });
    return element;
  }

  function onKey(event, cell, file, rank) {
    const step = STEPS[event.key];
    if (step && !event.shiftKey) moveFocus(cellName(file + step[0], rank - step[1]), true);
    else if (event.key === "Enter" || event.key === " ") onCell(cell, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function moveFocus(cell, really) {
    const target = grid.cells.get(cell);
    if (!target) return;
    for (const { element } of grid.cells.values()) element.setAttribute("tabindex", -1);
    target.element.setAttribute("tabindex", 0);
    if (really) target.element.focus();
  }

  function paint(view) {
    const { look } = view;
    if (grid?.files !== look.files || grid?.ranks !== look.ranks) build(look.files, look.ranks);
    const looks = JSON.stringify([look.kinds, look.colours]);
    svg.setAttribute("aria-label", word("board.name"));
    const marks = gatherMarks(view);
    for (const [cell, slot] of grid.cells) {
      const mark = marks.get(cell) ?? {};
      const label = describe(cell, mark, look.nameOf);
      const now = JSON.stringify([mark, label]) + looks;
      if (now === slot.last) continue;
      slot.last = now;
      slot.element.setAttribute("aria-label", label);
      slot.content.replaceChildren(
        ...(mark.pieces ?? []).map((piece) => drawPiece(piece, look)),
        ...drawMarks(cell, mark, look),
      );
    }
  }

  return { paint, describe: (cell) => grid?.cells.get(cell)?.element.getAttribute("aria-label") };
}

export const cellName = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

function edgeNames(files, ranks) {
  const names = [];
  for (let file = 0; file < files; file++)
    names.push([file * CELL + CELL / 2, ranks * CELL + 16, cellName(file, 0)[0]]);
  for (let rank = 0; rank < ranks; rank++)
    names.push([-RIM / 2, (ranks - 1 - rank) * CELL + CELL / 2 + 5, rank + 1]);
  return names.map(([x, y, name]) =>
    draw("text", { class: "edge-name", x, y, "aria-hidden": "true" }, String(name)),
  );
}

function gatherMarks(view) {
  const { pieces, dues = [], task, problems = [], unsure = [], hidden = [], lit = [], hover } = view;
  const marks = new Map();
  const at = (cell) => marks.get(cell) ?? marks.set(cell, {}).get(cell);
  for (const piece of pieces) (at(piece.cell).pieces ??= []).push(piece);
  for (const due of dues) at(due.cell).due = due;
  if (task?.kind) for (const cell of task.cells) at(cell).wanted = task.kind;
  for (const problem of problems) at(problem.cell).problem = problem;
  for (const cell of unsure) at(cell).unsure = true;
  for (const cell of hidden) at(cell).hidden = true;
  for (const cell of lit) at(cell).lit = true;
  if (hover) at(hover.cell).hover = hover;
  return marks;
}

/** A cell in words: its name, what stands there, what is the matter. */
function describe(cell, mark, nameOf) {
  const stands = (mark.pieces ?? []).map((piece) => {
    const name = nameOf(piece);
    return piece.anchor ? `${name}, ${word(`anchor.${piece.anchor}`)}` : name;
  });
  const parts = [stands.length ? stands.join(" + ") : word("board.empty")];
  if (mark.due) {
    const key = mark.due.forgotten ? "board.forgotten" : "board.due";
    parts.push(word(key, { piece: nameOf({ kind: mark.due.kind }) }));
  }
  if (mark.wanted && !stands.length)
    parts.push(word("board.wanted", { piece: nameOf({ kind: mark.wanted }) }));
  if (mark.problem) parts.push(mark.problem.sentence ?? word("board.problem"));
  if (mark.unsure) parts.push(word("board.unsure"));
  if (mark.hidden) parts.push(word("board.hidden"));
  return `${cell}: ${parts.join("; ")}`;
}
