// The page of the simulated table: left the table, right the device that watches it.
//
// The table is drawn from what stands on it, the rest from what the device says. Where the two
// differ, somebody has been caught, or the referee is wrong: both are worth seeing.

import { onRefusal } from "./act.js";
import { makeDevice } from "./device.js";
import { find, show } from "./elements.js";
import { makeLesson } from "./lesson.js";
import { connect } from "./live.js";
import { boxOf, lookOf } from "./look.js";
import { makeNewGame } from "./newgame.js";
import { makeNotices } from "./notices.js";
import { isPaired, makePairing, setPaired } from "./pair.js";
import { actionOf } from "./panel.js";
import { makeRecord } from "./record.js";
import { makeRefusal } from "./refusal.js";
import { makeRoom } from "./room.js";
import { makeResult, makeScore } from "./score.js";
import { makeSupply } from "./supply.js";
import { makeTabletop } from "./tabletop.js";
import { makeTask } from "./task.js";
import { speak, word } from "./words.js";

let state = null;
let table = null;

const look = () => state && lookOf(state.game, state.players);
const supply = makeSupply(find("supply"), () => tabletop.paint());
const tabletop = makeTabletop(find("tabletop"), supply, look, () => state.task);
const device = makeDevice();
const room = makeRoom();
const lesson = makeLesson();
const paintScore = makeScore(find("score"));
const paintResult = makeResult(find("result"));
const paintTask = makeTask(find("task"));
const paintRecord = makeRecord(find("record"));
const paintNotices = makeNotices(tabletop.light);

function onState(now) {
  state = now;
  const { players, game, outcome } = state;
  speak(state.language);
  document.body.dataset.ready = "yes";
  document.title = `${word("nav.table")} – Parkwarden`;
  const box = boxOf(game);
  supply.build(box, players.map(({ colour }) => ({ colour })));
  if (table) supply.count(table.supply);
  supply.follow(state.task, players.find(({ on_turn: onTurn }) => onTurn)?.colour);
  device.nameLights(
    players.map(({ light, name }) => ({ light, name })),
    game.kinds,
  );
  tabletop.paint();
  paintScore(box, players, outcome?.winners);
  paintResult(box, players, outcome);
  paintTask(state.task, box, players, isPaired());
  paintNotices(state);
  paintRecord(state.record);
  lesson.onState(state);
}

function onTable(now) {
  table = now;
  supply.count(now.supply);
  tabletop.show(now.pieces);
  room(now);
  lesson.onTable(now.pieces);
}

const line = connect(
  { ...device, state: onState, table: onTable },
  (up) => show(find("lost"), !up),
  ({ paired }) => setPaired(paired, () => state && onState(state)),
);

onRefusal(makeRefusal(find("refusal"), line.ask));
makePairing(line.ask);
makeNewGame(() => state);

// A key is a finger on the device's own button: it is down as long as the key is.
const fingers = new Map();
document.addEventListener("keydown", (event) => {
  if (/^[1-9]$/.test(event.key) && !event.target.closest("input:not([type=radio]), select")) {
    supply.choose(Number(event.key) - 1);
    return;
  }
  const button = actionOf(event);
  if (!button) return;
  event.preventDefault();
  fingers.set(event.code, button);
  device.button(button, true);
});
document.addEventListener("keyup", ({ code }) => {
  if (fingers.has(code)) device.button(fingers.get(code), false);
  fingers.delete(code);
});
