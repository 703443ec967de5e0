// The page for phones: watch the game, and with the code from the display take part in it.
//
// Everything shown is a function of the last state that arrived; this file only hands it round.
// Three views share the page, told apart by the address: the game now, the list of games (#games),
// and one of them step by step (#game/3).

import { onRefusal, press } from "./act.js";
import { makeBoard } from "./board.js";
import { openPicker } from "./correct.js";
import { cellsOf, makeDialog } from "./dialog.js";
import { find, show } from "./elements.js";
import { showGames } from "./games.js";
import { makeLegend } from "./legend.js";
import { connect } from "./live.js";
import { boxOf, lookOf, pointsOf } from "./look.js";
import { makeNewGame } from "./newgame.js";
import { makeNotices } from "./notices.js";
import { isPaired, makePairing, setPaired } from "./pair.js";
import { actionOf, makePanel, makeShortcutSwitch } from "./panel.js";
import { paintPlot } from "./plot.js";
import { makeAccount, makeRecord, makeStory } from "./record.js";
import { makeReplay } from "./replay.js";
import { makeResult, makeScore } from "./score.js";
import { makeSettings } from "./settings.js";
import { makeRefusal } from "./refusal.js";
import { makeTask } from "./task.js";
import { onLanguage, speak, word } from "./words.js";

let state = null;
let lit = [];
let view = "live";

const board = makeBoard(find("board"), (cell) => {
  const described = board.describe(cell);
  find("cell-note").textContent = described;
  if (isPaired()) openPicker(cell, described, state);
});
const replay = makeReplay();
const paintScore = makeScore(find("score"));
const paintDialog = makeDialog(find("dialog"));
const paintRecord = makeRecord(find("record"));
const paintStory = makeStory(find("story"));
const paintAccount = makeAccount(find("account"));
const paintSettings = makeSettings(find("settings"));
const paintTask = makeTask(find("task"));
const paintResult = makeResult(find("result"));
const paintLegend = makeLegend(find("legend"));
const paintNotices = makeNotices((cells) => {
  lit = cells;
  paintBoard();
});

function paint() {
  if (!state) return;
  const { players, game, outcome } = state;
  speak(state.language);
  document.body.dataset.ready = "yes";
  const { number, title } = game;
  const points = players.map(({ name, score }) => `${name} ${pointsOf(score)}`);
  document.title = `${points.join(" · ")} – Parkwarden`;
  find("game-title").textContent = word("game.title", { number, title, ply: state.ply });
  const box = boxOf(game);
  paintScore(box, players, outcome?.winners);
  paintResult(box, players, outcome);
  paintTask(state.task, box, players, isPaired());
  paintNotices(state);
  paintDialog(state.dialog, isPaired());
  paintBoard();
  paintLegend(box, players);
  paintRecord(state.record);
  paintStory(state.story);
  paintAccount(state.account, players, box, state.accounts);
  paintPlot(find("plot"), state.series, lookOf(game, players), players);
  paintSettings(state);
  find("save-now").href = `/games/${game.number}/record.txt`;
}

function paintBoard() {
  const { game, players, pieces, dues, task, problems, unsure, hidden, dialog } = state;
  board.paint({
    look: lookOf(game, players),
    pieces,
    dues,
    task,
    problems,
    unsure,
    hidden,
    lit: [...lit, ...cellsOf(dialog)],
  });
}

function route() {
  if (!state) return;
  const [name, number] = location.hash.slice(1).split("/");
  view = { games: "games", game: "replay" }[name] ?? "live";
  for (const each of ["live", "games", "replay"]) show(find(`view-${each}`), each === view);
  for (const link of document.querySelectorAll("nav a[href^='#']"))
    link.ariaCurrent = link.hash === (view === "live" ? "#live" : "#games") ? "page" : null;
  document.body.dataset.view = view;
  if (view === "games") showGames(find("games"));
  if (view === "replay") replay.open(Number(number));
}

const line = connect(
  {
    state(now) {
      const first = !state;
      state = now;
      paint();
      if (first) route();
    },
  },
  (up) => show(find("lost"), !up),
  ({ paired, simulated }) => {
    setPaired(paired, paint);
    show(find("to-table"), simulated);
  },
);

onRefusal(makeRefusal(find("refusal"), line.ask));
makePairing(line.ask);
makePanel(find("bar"), find("held"), press);
makeShortcutSwitch(find("shortcuts"));
makeNewGame(() => state);
onLanguage(() => view !== "live" && route());
window.addEventListener("hashchange", () => {
  route();
  find(`view-${view}`).querySelector("h2")?.focus();
});
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, select, textarea, dialog, [role=gridcell]");
  if (view === "replay" && !typing && replay.onKey(event)) return event.preventDefault();
  const button = view === "live" && isPaired() ? actionOf(event) : null;
  if (!button) return;
  event.preventDefault();
  if (!event.repeat) press(button, event.shiftKey);
});
