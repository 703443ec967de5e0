// The newcomer's minute: a few steps that end with being caught. Which ones, lessons.json says for
// each game; what is said to them is in words.json.
//
//     {"put": kind, "player": n, "cell": …, "anchor": …}   n counts from whoever began; nobody's without
//     {"put": kind, "others": [cell, …]}                   everybody else, in turn, one each
//     {"task": kind}                                       what the referee asks for of this kind
//     {"take": cell}                                       what he has complained about
//
// How far it has got is read from the table itself, so it does not matter who placed what; only that
// somebody has been caught is remembered. "Do it for me" plays the next deed and then waits until the
// referee has seen it: two pieces between two looks would only make him ask.

import { tell, touch } from "./act.js";
import { find, make, show } from "./elements.js";
import { lookOf } from "./look.js";
import { hasWord, word } from "./words.js";

const LESSONS = await (await fetch("/page/lessons.json")).json();
const PATIENCE_MS = 8000;

export function makeLesson() {
  let table = [];
  let state = null;
  let waiting = null;
  let caught = null;
  const button = find("lesson-do");

  const steps = () => LESSONS[state?.game.game] ?? [];

  const pieceOn = (cell, pieces = table) => pieces.find((piece) => piece.cell === cell);

  const isThere = ({ cell, piece: { kind, colour } }, pieces) => {
    const there = pieceOn(cell, pieces);
    return there?.kind === kind && (there.colour ?? null) === colour;
  };

  /** The players, from whoever made the first move of the lesson; before that, who is on turn. */
  function seats() {
    const colours = state.players.map(({ colour }) => colour);
    const first = steps().find(({ player }) => player === 0);
    const began = pieceOn(first?.cell)?.colour;
    const turn = state.players.find(({ on_turn: onTurn }) => onTurn)?.colour;
    const at = Math.max(0, colours.indexOf(began ?? turn));
    return colours.map((_, seat) => colours[(at + seat) % colours.length]);
  }

  /** The deeds of a step: what is put where; for a task, what is still asked for. */
  function deedsOf(step) {
    const colours = seats();
    const piece = (kind, colour = null, anchor = null) => ({ kind, colour, anchor });
    if (step.task)
      return (state.task?.kind === step.task ? state.task.cells : [])
        .filter((cell) => !pieceOn(cell))
        .map((cell) => ({ cell, piece: piece(step.task) }));
    if (step.others)
      return colours
        .slice(1)
        .map((colour, at) => ({ cell: step.others[at], piece: piece(step.put, colour) }));
    if (step.take) return [];
    return [{ cell: step.cell, piece: piece(step.put, colours[step.player], step.anchor) }];
  }

  function isDone(step) {
    if (step.task) return state.task?.kind !== step.task;
    if (step.take) return caught === step.take && !pieceOn(step.take);
    const taken = steps().find(({ take }) => take === step.cell)?.take;
    if (taken && caught === taken) return true;
    return deedsOf(step).every((deed) => isThere(deed, table));
  }

  function next() {
    const all = steps();
    const at = all.findIndex((step) => !isDone(step));
    const asked = all.flatMap(({ task }) => task ?? []);
    const known = all.flatMap(deedsOf).filter((deed) => isThere(deed, table));
    const strange = table.some(
      ({ cell, kind }) => !asked.includes(kind) && !known.some((deed) => deed.cell === cell),
    );
    const later = at < 0 ? [] : all.slice(at + 1).flatMap(deedsOf);
    const gap = all[at]?.put && later.some((deed) => isThere(deed, table));
    return strange || gap ? "elsewhere" : at < 0 ? "done" : at;
  }

  /** What is to be done next, for a hand: {what, body}. */
  function deedAt(at) {
    const step = steps()[at];
    if (step.take) return { what: "take", body: { cell: step.take } };
    const deed = deedsOf(step).find((each) => !isThere(each, table));
    return deed && { what: "put", body: deed };
  }

  const isSeen = ({ what, body }) =>
    what === "put" ? isThere(body, state.pieces) : !pieceOn(body.cell, state.pieces);

  function wordsOf(at) {
    const { game } = state;
    const key = `lesson.${game.game}.${at}`;
    if (!hasWord(key)) return word(`lesson.${at}`);
    const deed = typeof at === "number" ? deedAt(at)?.body : null;
    const { nameOf } = lookOf(game, state.players);
    return word(key, {
      cell: deed?.cell ?? "",
      piece: deed?.piece ? nameOf(deed.piece) : "",
      count: state.task?.count ?? "",
    });
  }

  function paint() {
    const fits = steps().length > 0;
    show(find("lesson"), fits);
    if (!fits) return;
    for (const { take } of steps())
      if (take && state.problems.some(({ cell }) => cell === take)) caught = take;
    if (!table.length) caught = null;
    const at = next();
    if (waiting && (isSeen(waiting) || Date.now() > waiting.until)) waiting = null;
    const differs = table.some((piece) => !isThere({ cell: piece.cell, piece }, state.pieces));
    const key = waiting || differs ? "lesson.watching" : null;
    find("lesson-text").textContent = key ? word(key) : wordsOf(at);
    button.textContent = word(typeof at === "number" ? "lesson.do" : "lesson.again");
    button.ariaDisabled = String(waiting !== null);
    const dots = steps().map((_, i) =>
      make("li", { class: at === "done" || i < at ? "done" : null }),
    );
    find("lesson-steps").replaceChildren(...dots);
  }

  button.addEventListener("click", async () => {
    if (waiting) return;
    const at = next();
    const deed = typeof at === "number" ? deedAt(at) : null;
    if (!deed) {
      if (typeof at === "number") return;
      await touch("clear", {});
      await tell("new-game");
      return;
    }
    waiting = { ...deed, until: Date.now() + PATIENCE_MS };
    paint();
    setTimeout(paint, PATIENCE_MS + 50);
    if (!(await touch(deed.what, deed.body))) waiting = null;
    paint();
  });

  return {
    onTable(pieces) {
      table = pieces;
      if (state) paint();
    },
    onState(now) {
      state = now;
      paint();
    },
  };
}
