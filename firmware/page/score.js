// The score: one card a player, with the mark that the player's pieces have on the drawing; and, when
// all is over, the table of who came first.

import { make, refill, show, whenChanged } from "./elements.js";
import { lookOf, pointsOf } from "./look.js";
import { emblemOf } from "./shapes.js";
import { word } from "./words.js";

/** A painter of `players` ([{colour, name, score, on_turn}]) into `place`. */
export function makeScore(place) {
  return whenChanged((game, players, winners = []) => {
    const look = lookOf(game, players);
    refill(place, players.map((player) => card(player, look, winners)));
  });
}

function card({ colour, name, score, on_turn: onTurn }, look, winners) {
  const won = winners.includes(colour);
  const note = won ? `★ ${word(endOf(winners, look.colours))}` : onTurn ? `▶ ${word("score.turn")}` : "";
  return make(
    "li",
    { class: `player${onTurn ? " on-turn" : ""}${won ? " won" : ""}` },
    make("span", { class: "who" }, emblemOf(colour, look), make("span", {}, name)),
    make("span", { class: "points" }, pointsOf(score)),
    make("span", { class: "turn" }, note),
  );
}

const endOf = (winners, players) =>
  winners.length === 1 ? "score.wins" : players.length > 2 ? "score.shared" : "score.draw";

/** A painter of the final table into `place`: the best first. */
export function makeResult(place) {
  return whenChanged((game, players, outcome) => {
    show(place, Boolean(outcome));
    if (!outcome) return refill(place);
    const look = lookOf(game, players);
    const { score, winners } = outcome;
    const best = [...players].sort((one, other) => score[other.colour] - score[one.colour]);
    const rows = best.map(({ colour, name }) => {
      const rank = best.findIndex((other) => score[other.colour] === score[colour]) + 1;
      return make(
        "tr",
        { class: winners.includes(colour) ? "won" : null },
        make("td", { class: "number" }, `${rank}.`),
        make("th", { scope: "row", class: "who" }, emblemOf(colour, look), name),
        make("td", { class: "number" }, pointsOf(score[colour])),
        make("td", {}, winners.includes(colour) ? `★ ${word(endOf(winners, players))}` : ""),
      );
    });
    refill(
      place,
      make("h2", {}, word("dialog.final-count")),
      make("table", {}, make("tbody", {}, rows)),
    );
  });
}
