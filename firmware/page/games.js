// The list of the games that were played, newest first.

import { make, refill } from "./elements.js";
import { pointsOf } from "./look.js";
import { spoken, word } from "./words.js";

/** Fetches the list and shows it in `place`. */
export async function showGames(place) {
  let games;
  try {
    const answer = await fetch("/api/games");
    if (!answer.ok) throw new Error(answer.statusText);
    ({ games } = await answer.json());
  } catch {
    return refill(place, make("li", { class: "nothing" }, word("games.failed")));
  }
  refill(
    place,
    ...games.map((game) => {
      return make("li", {}, make("a", { href: `#game/${game.number}` }, ...line(game)));
    }),
    games.length ? null : make("li", { class: "nothing" }, word("games.none")),
  );
}

function line({ number, title, started, score, over, current, players = [] }) {
  const names = Object.fromEntries(players.map(({ colour, name }) => [colour, name]));
  const scores = Object.entries(score ?? {});
  const points = scores.map(([colour, sum]) => `${names[colour] ?? colour} ${pointsOf(sum)}`);
  const state = current ? "games.current" : over ? "games.over" : "games.open";
  return [
    make("strong", {}, `${number}. ${title ?? ""}`),
    make("span", { class: "when" }, whenOf(started)),
    make("span", { class: "score-line" }, points.join(" · ")),
    make("span", { class: "soft" }, word(state)),
  ];
}

const STYLE = { dateStyle: "medium", timeStyle: "short" };

/** Seconds since 1970 as a reader of the device's language writes them. */
export const whenOf = (seconds) => new Date(seconds * 1000).toLocaleString(spoken(), STYLE);
