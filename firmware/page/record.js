// The running record, everything said, and the account of the points.

import { make, refill, whenChanged } from "./elements.js";
import { lookOf, pointsOf, signed } from "./look.js";
import { emblemOf } from "./shapes.js";
import { word } from "./words.js";

const HEADS = ["account.at", "account.piece", "account.points", "account.why"];

/** A painter of the moves of a written game: wrapped between two moves, never within one. */
export function makeRecord(place) {
  return whenChanged((record) => {
    const moves = record
      .split("\n")
      .filter((line) => !line.startsWith("["))
      .flatMap((line) => line.split(/\s{2,}/))
      .filter(Boolean);
    const spans = moves.map((move) => make("span", {}, move));
    refill(place, ...(spans.length ? spans : [word("record.empty")]));
  });
}

/** What was said, in lines: those that explain are set back, those that warn begin with a "!". */
export const saidLines = (lines) =>
  lines.map((line) => {
    const kind = line.startsWith(" ") ? "more" : line.startsWith("! ") ? "warn" : null;
    return make("p", { class: kind }, line.trim());
  });

/** A painter of the story, the newest on top: that is what somebody looks for. */
export function makeStory(place) {
  return whenChanged((story) => {
    refill(
      place,
      ...[...story].reverse().map(({ word: kind, lines }) =>
        make(
          "li",
          { class: `said-${kind}` },
          saidLines(lines),
        ),
      ),
      story.length ? null : make("li", { class: "nothing" }, word("said.nothing")),
    );
  });
}

/** Whether the score comes about otherwise than gain by gain. */
const hasParts = (accounts, account) =>
  accounts.some(({ lines }) =>
    lines.some((line) => !account.some(({ sentence }) => sentence === line)),
  );

/**
 * A painter of the account. Where the score of now has its parts (`accounts`), a player's parts each;
 * else which piece gained how much, where and why, with a sum a player.
 */
export function makeAccount(place) {
  const paintParts = (accounts, players, look) =>
    refill(
      place,
      ...accounts.map(({ colour, lines }) => {
        const { name, score } = players.find((player) => player.colour === colour) ?? {};
        return make(
          "section",
          { class: "parts" },
          make(
            "h3",
            { class: "who" },
            emblemOf(colour, look),
            score === undefined ? name : `${name} ${pointsOf(score)}`,
          ),
          make("ul", {}, lines.map((line) => make("li", {}, line))),
        );
      }),
    );

  return whenChanged((account, players, game, accounts) => {
    const look = lookOf(game, players);
    if (hasParts(accounts, account)) return paintParts(accounts, players, look);
    const names = Object.fromEntries(players.map(({ colour, name }) => [colour, name]));
    if (!account.length) {
      refill(place, make("p", { class: "nothing" }, word("account.empty")));
      return;
    }
    const rows = account.map(({ at, cell, colour, points, sentence }) =>
      make(
        "tr",
        {},
        make("td", {}, at),
        make("td", { class: "who" }, emblemOf(colour, look), `${names[colour]} ${cell}`),
        make("td", { class: "number" }, signed(points)),
        make("td", {}, sentence),
      ),
    );
    const heads = HEADS.map((key) => make("th", { scope: "col" }, word(key)));
    const sums = players.map(({ colour, name }) => {
      const own = account.filter((gain) => gain.colour === colour);
      return `${name} ${pointsOf(own.reduce((sum, { points }) => sum + points, 0))}`;
    });
    refill(
      place,
      make(
        "table",
        {},
        make("caption", {}, word("account.sum", { sums: sums.join(", ") })),
        make("thead", {}, make("tr", {}, heads)),
        make("tbody", {}, rows),
      ),
    );
  });
}
