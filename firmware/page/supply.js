// The supply beside the simulated board: which piece the hand holds.
//
// After a player's piece the next player's is in the hand, of the kind that one took last; after
// anything else the player's piece from before. Where the referee asks for something that belongs to
// nobody, that is in the hand. So a whole game needs few clicks; and the wrong piece can be taken as
// easily as the right one.

import { make, refill, whenChanged } from "./elements.js";
import { lookOf, piecesOf } from "./look.js";
import { iconOf } from "./shapes.js";

export function makeSupply(place, onChange) {
  let pieces = [];
  let colours = [];
  let at = 0;
  let owned = 0;
  let asked;
  let left = [];
  const lastKind = {};

  const build = whenChanged((game, players) => {
    const look = lookOf(game, players);
    const before = pieces[at];
    colours = look.colours;
    pieces = piecesOf(game.kinds).map((piece) => ({ ...piece, name: look.nameOf(piece) }));
    // A player's pieces side by side, where there are several kinds.
    pieces.sort((one, other) => ownerOf(one) - ownerOf(other));
    place.classList.toggle("many", pieces.length > 6);
    refill(place, ...pieces.map((piece, index) => card(piece, index, look)));
    at = Math.max(0, indexOf(before?.kind, before?.colour));
    owned = Math.max(0, pieces.findIndex(({ colour }) => colour));
    mark();
  });

  const ownerOf = ({ colour }) => (colour ? colours.indexOf(colour) : colours.length);

  const indexOf = (kind, colour) =>
    pieces.findIndex((piece) => piece.kind === kind && piece.colour === colour);

  const card = (piece, index, look) =>
    make(
      "label",
      { class: "supply", title: piece.name },
      make("input", {
        type: "radio",
        name: "supply",
        value: [piece.kind, piece.colour].filter(Boolean).join(" "),
        "data-key": `supply ${index}`,
        "aria-keyshortcuts": index < 9 ? index + 1 : null,
        onchange: () => choose(index),
      }),
      iconOf(piece, look),
      make("span", { class: "name" }, piece.name),
      make("span", { class: "left" }),
      index < 9 ? make("kbd", { "aria-hidden": "true" }, String(index + 1)) : null,
    );

  function mark() {
    place.querySelectorAll("input").forEach((input, index) => {
      input.checked = index === at;
    });
  }

  function choose(index) {
    if (!pieces[index]) return;
    at = index;
    const { kind, colour } = pieces[at];
    if (colour) {
      owned = at;
      lastKind[colour] = kind;
    }
    mark();
    onChange();
  }

  /** The piece in the hand was put down. */
  function used() {
    const { kind, colour } = pieces[at];
    if (colour) takeOf(colours[(colours.indexOf(colour) + 1) % colours.length], kind);
    else if (asked !== kind) choose(owned);
  }

  /** A piece of this player: of the kind taken last, else of this one, else of any that is left. */
  function takeOf(colour, kind) {
    const kinds = [lastKind[colour], kind, ...pieces.map((piece) => piece.kind)];
    const own = kinds.map((each) => indexOf(each, colour)).filter((index) => index >= 0);
    choose(own.find((index) => left[index] !== 0) ?? own[0]);
  }

  /** What the referee asks for goes into the hand, once; at first and afterwards the player's. */
  function follow(task, turn) {
    const kind = task?.kind ?? null;
    if (kind === asked) return;
    asked = kind;
    if (kind !== null) choose(indexOf(kind, null));
    else if (turn) takeOf(turn, pieces[owned]?.kind);
  }

  /** How many of each are left in the box. */
  function count(supply) {
    const leftOf = ({ kind, colour }) =>
      supply.find((entry) => entry.kind === kind && (entry.colour ?? null) === colour)?.left;
    left = pieces.map(leftOf);
    place.querySelectorAll(".left").forEach((note, index) => {
      note.textContent = left[index] === undefined ? "" : `×${left[index]}`;
    });
  }

  return { build, choose, used, follow, count, inHand: () => pieces[at] ?? null };
}
