// The newcomer's minute: four houses, one forgotten park, and being caught.
//
// How far it has got is read from the table itself, so it does not matter who placed what. "Do it
// for me" plays the next step and then waits until the referee has seen it: two houses between two
// looks would only make him ask.

import { tell, touch } from "./act.js";
import { find, show } from "./elements.js";
import { word } from "./words.js";

const house = (colour, cell, anchor) => ({ cell, piece: { kind: "house", colour, anchor } });
const STEPS = [
  house("white", "c4", "ne"),
  house("yellow", "e6", "n"),
  house("white", "b3", "n"),
  house("yellow", "e4", "ne"),
  { cell: "d5", piece: { kind: "park", colour: null, anchor: null } },
];
const PATIENCE_MS = 8000;

export function makeLesson() {
  let table = [];
  let state = null;
  let waiting = null;
  const button = find("lesson-do");

  const isThere = ({ cell, piece: { kind, colour } }, pieces) =>
    pieces.some((it) => it.cell === cell && it.kind === kind && (it.colour ?? null) === colour);

  function next() {
    const played = STEPS.filter((step) => isThere(step, table)).map(({ cell }) => cell);
    const strange = table.some(({ cell }) => !played.includes(cell));
    const at = STEPS.findIndex((step) => !isThere(step, table));
    const gap = at >= 0 && STEPS.slice(at).some((step) => isThere(step, table));
    // A park laid at once is no mistake: then there is nothing to be caught at.
    return strange || gap ? "elsewhere" : at < 0 ? "done" : at;
  }

  function paint() {
    const kinds = state ? state.game.kinds.map(({ kind }) => kind) : [];
    const fits = STEPS.every(({ piece }) => kinds.includes(piece.kind));
    show(find("lesson"), fits);
    if (!fits) return;
    const at = next();
    if (waiting && (isThere(STEPS[waiting.at], state.pieces) || Date.now() > waiting.until))
      waiting = null;
    const isSeen = !STEPS.some((step) => isThere(step, table) && !isThere(step, state.pieces));
    find("lesson-text").textContent = word(isSeen && !waiting ? `lesson.${at}` : "lesson.watching");
    button.textContent = word(typeof at === "number" ? "lesson.do" : "lesson.again");
    button.ariaDisabled = String(waiting !== null);
    [...find("lesson-steps").children].forEach((dot, i) => {
      dot.classList.toggle("done", at === "done" || i < at);
    });
  }

  button.addEventListener("click", async () => {
    if (waiting) return;
    const at = next();
    if (typeof at !== "number") {
      await touch("clear", {});
      await tell("new-game");
      return;
    }
    waiting = { at, until: Date.now() + PATIENCE_MS };
    paint();
    setTimeout(paint, PATIENCE_MS + 50);
    if (!(await touch("put", STEPS[at]))) waiting = null;
    paint();
  });

  return {
    paint,
    onTable(pieces) {
      table = pieces;
      paint();
    },
    onState(now) {
      state = now;
      paint();
    },
  };
}
