// The supply beside the simulated board: which piece the hand holds.
//
// After a house the other player's is in the hand, after anything else the house from before: so a
// whole game needs few clicks, and nothing keeps anybody from taking the wrong piece.

import { make, refill, whenChanged } from "./elements.js";
import { iconOf } from "./shapes.js";

export function makeSupply(place, onChange) {
  let pieces = [];
  let at = 0;
  let house = 0;

  const build = whenChanged((kinds, colours) => {
    pieces = kinds.flatMap(({ kind, anchored, colours: own, words }) =>
      (own.length ? own : [null]).map((colour) => ({
        kind,
        colour,
        anchored,
        name: words[colour ?? ""] ?? kind,
      })),
    );
    refill(place, ...pieces.map((piece, index) => card(piece, index, colours)));
    mark();
  });

  const card = (piece, index, colours) =>
    make(
      "label",
      { class: "supply" },
      make("input", {
        type: "radio",
        name: "supply",
        value: [piece.kind, piece.colour].filter(Boolean).join(" "),
        "data-key": `supply ${index}`,
        "aria-keyshortcuts": index + 1,
        onchange: () => choose(index),
      }),
      iconOf(piece, colours),
      make("span", { class: "name" }, piece.name),
      make("span", { class: "left" }),
      make("kbd", { "aria-hidden": "true" }, String(index + 1)),
    );

  function mark() {
    place.querySelectorAll("input").forEach((input, index) => {
      input.checked = index === at;
    });
  }

  function choose(index) {
    if (!pieces[index]) return;
    at = index;
    mark();
    onChange();
  }

  /** The piece in the hand was put down. */
  function used() {
    if (pieces[at].colour === null) return choose(house);
    const same = pieces.filter(({ kind, colour }) => kind === pieces[at].kind && colour !== null);
    house = pieces.indexOf(same[(same.indexOf(pieces[at]) + 1) % same.length]);
    choose(house);
  }

  /** How many of each are left in the box. */
  function count(supply) {
    place.querySelectorAll(".left").forEach((left, index) => {
      const { kind, colour } = pieces[index];
      const same = supply.find((entry) => entry.kind === kind && (entry.colour ?? null) === colour);
      left.textContent = same ? `×${same.left}` : "";
    });
  }

  return { build, choose, used, count, inHand: () => pieces[at] ?? null };
}
