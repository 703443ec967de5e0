// Correcting what was read on a cell: everything that could stand there, as buttons.
//
// What there is to choose from is built from the kinds of the game on the table. A kind that
// stands in anchors gets a field of nine for each colour; the middle means "in no anchor". All others
// are a button each, player by player.

import { tell } from "./act.js";
import { find, make } from "./elements.js";
import { lookOf, piecesOf } from "./look.js";
import { ANCHORS, iconOf } from "./shapes.js";
import { word } from "./words.js";

/** Opens the picker for a cell; `described` says what is read there now. */
export function openPicker(cell, described, { game, players }) {
  const dialog = find("picker");
  const look = lookOf(game, players);
  const { nameOf } = look;

  const choose = (piece) => {
    dialog.close();
    tell("correct", { cell, piece });
  };
  const button = (onclick, ...children) => make("button", { type: "button", onclick }, ...children);
  const simple = ({ kind, colour }) =>
    button(() => choose({ kind, colour }), iconOf({ kind, colour }, look), nameOf({ kind, colour }));

  const nine = ({ kind, colour }) => fieldOfNine({ kind, colour });
  const fieldOfNine = (piece) =>
    make(
      "fieldset",
      { class: "nine" },
      make("legend", {}, iconOf(piece, look), nameOf(piece)),
      ANCHORS.map((anchor) => {
        const where = word(anchor ? `anchor.${anchor}` : "anchor.none");
        return make(
          "button",
          {
            type: "button",
            "aria-label": `${nameOf(piece)}, ${where}`,
            title: where,
            onclick: () => choose({ ...piece, anchor: anchor || null }),
          },
          anchor || "·",
        );
      }),
    );

  const all = piecesOf(game.kinds);
  const plain = all.filter(({ anchored }) => !anchored);
  const owner = ({ colour }) => (colour ? look.colours.indexOf(colour) : look.colours.length);
  plain.sort((one, other) => owner(one) - owner(other));
  dialog.replaceChildren(
    make("h2", { id: "picker-title" }, word("correct.title", { cell })),
    make("p", { class: "soft" }, described),
    make("div", { class: "nines" }, all.filter(({ anchored }) => anchored).map(nine)),
    make(
      "div",
      { class: "picks" },
      plain.map(simple),
      button(() => choose(null), word("correct.nothing")),
    ),
    button(() => dialog.close(), word("dialog.leave")),
  );
  dialog.showModal();
}
