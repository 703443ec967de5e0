// One past game, step by step: board, what was said, the points so far, and what can be saved.

import { makeBoard } from "./board.js";
import { find, refill } from "./elements.js";
import { boxOf, lookOf } from "./look.js";
import { whenOf } from "./games.js";
import { paintPlot } from "./plot.js";
import { makeAccount, makeRecord, saidLines } from "./record.js";
import { makeResult, makeScore } from "./score.js";
import { spoken, word } from "./words.js";

const SAVES = {
  "save-record": "record.txt",
  "save-board": "board.png",
  "save-replay": "replay.gif",
};
const KEYS = { ArrowLeft: "before", ArrowRight: "after", Home: "first", End: "last" };

/** The view of a past game. */
export function makeReplay() {
  const board = makeBoard(find("replay-board"), (cell) => {
    find("replay-cell").textContent = board.describe(cell);
  });
  const paintScore = makeScore(find("replay-score"));
  const paintResult = makeResult(find("replay-result"));
  const paintAccount = makeAccount(find("replay-account"));
  const paintRecord = makeRecord(find("replay-record"));
  const slider = find("replay-slider");
  let game = null;
  let at = 0;

  const moves = {
    first: () => 0,
    before: () => at - 1,
    after: () => at + 1,
    last: () => game.steps.length - 1,
  };
  for (const [name, where] of Object.entries(moves))
    find(`replay-${name}`).addEventListener("click", () => game && goTo(where()));
  slider.addEventListener("input", () => game && goTo(Number(slider.value)));

  async function open(number) {
    game = null;
    find("replay-title").textContent = word("replay.loading");
    find("replay-body").hidden = true;
    try {
      const answer = await fetch(`/api/games/${number}?language=${spoken()}`);
      if (!answer.ok) throw new Error(answer.statusText);
      game = await answer.json();
    } catch {
      find("replay-title").textContent = word("replay.failed", { number });
      return;
    }
    find("replay-title").textContent = `${number}. ${game.title}`;
    const settings = game.settings.map(({ label, words }) => `${label}: ${words}`);
    find("replay-when").textContent = [whenOf(game.started), ...settings].join(" · ");
    paintRecord(game.record);
    refill(find("replay-end"), ...saidLines(game.outcome?.sentences ?? []));
    for (const [id, file] of Object.entries(SAVES)) find(id).href = `/games/${number}/${file}`;
    slider.max = game.steps.length - 1;
    find("replay-body").hidden = false;
    goTo(game.steps.length - 1);
  }

  function goTo(step) {
    at = Math.min(Math.max(step, 0), game.steps.length - 1);
    const { ply, pieces, dues, score, lines, cells, on_turn: turn } = game.steps[at];
    const players = game.players.map((player) => ({
      ...player,
      score: score[player.colour] ?? 0,
      on_turn: player.colour === turn,
    }));
    const atEnd = at === game.steps.length - 1;
    board.paint({
      look: lookOf(game, players),
      pieces,
      dues,
      lit: cells,
    });
    const box = boxOf(game);
    paintScore(box, players, (atEnd && game.outcome?.winners) || []);
    paintResult(box, game.players, game.outcome);
    paintAccount(game.account, game.players, box, game.accounts);
    paintPlot(find("replay-plot"), game.series, lookOf(game, game.players), game.players, ply);
    refill(find("replay-said"), ...saidLines(lines));
    const place = word("replay.step", { step: at, steps: game.steps.length - 1, ply });
    find("replay-place").textContent = place;
    slider.value = at;
    slider.setAttribute("aria-valuetext", place);
    // Not `disabled`: that would take the focus away from under somebody's finger.
    for (const name of ["first", "before"]) find(`replay-${name}`).ariaDisabled = String(at === 0);
    for (const name of ["last", "after"]) find(`replay-${name}`).ariaDisabled = String(atEnd);
  }

  /** The arrows, Home and End; true when the key was used. */
  function onKey({ key }) {
    if (!(key in KEYS) || !game) return false;
    goTo(moves[KEYS[key]]());
    return true;
  }

  return { open, onKey };
}
