// The score: one card a player, with the roof the player's houses have on the drawing.

import { make, refill, whenChanged } from "./elements.js";
import { iconOf } from "./shapes.js";
import { word } from "./words.js";

/** A painter of `players` ([{colour, name, score, on_turn}]) into `place`. */
export function makeScore(place) {
  return whenChanged((players, winners = []) => {
    const colours = players.map(({ colour }) => colour);
    refill(place, players.map((player) => card(player, colours, winners)));
  });
}

function card({ colour, name, score, on_turn: onTurn }, colours, winners) {
  const won = winners.includes(colour);
  const end = winners.length > 1 ? "score.draw" : "score.wins";
  const note = won ? `★ ${word(end)}` : onTurn ? `▶ ${word("score.turn")}` : "";
  return make(
    "li",
    { class: `player${onTurn ? " on-turn" : ""}${won ? " won" : ""}` },
    make("span", { class: "who" }, iconOf({ colour }, colours), name),
    make("span", { class: "points" }, String(score)),
    make("span", { class: "turn" }, note),
  );
}
