// Correcting what was read on a cell: everything that could stand there, as buttons.
//
// What there is to choose from is built from the kinds of the game on the table. A kind that
// stands in anchors gets a field of nine for each colour; the middle means "in no anchor".

import { tell } from "./act.js";
import { find, make } from "./elements.js";
import { namerOf } from "./board.js";
import { ANCHORS, iconOf } from "./shapes.js";
import { word } from "./words.js";

/** Opens the picker for a cell; `described` says what is read there now. */
export function openPicker(cell, described, { game, players }) {
  const dialog = find("picker");
  const nameOf = namerOf(game.kinds);
  const colours = players.map(({ colour }) => colour);

  const choose = (piece) => {
    dialog.close();
    tell("correct", { cell, piece });
  };
  const button = (onclick, ...children) => make("button", { type: "button", onclick }, ...children);
  const simple = (piece) => button(() => choose(piece), iconOf(piece, colours), nameOf(piece));

  const nine = (piece) =>
    make(
      "fieldset",
      { class: "nine" },
      make("legend", {}, iconOf(piece, colours), nameOf(piece)),
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

  const fields = game.kinds.flatMap(({ kind, anchored, colours: own }) =>
    (own.length ? own : [null]).map((colour) => (anchored ? nine : simple)({ kind, colour })),
  );
  dialog.replaceChildren(
    make("h2", { id: "picker-title" }, word("correct.title", { cell })),
    make("p", { class: "soft" }, described),
    make("div", { class: "nines" }, fields.filter((field) => field.tagName === "FIELDSET")),
    make(
      "div",
      { class: "row" },
      fields.filter((field) => field.tagName !== "FIELDSET"),
      button(() => choose(null), word("correct.nothing")),
    ),
    button(() => dialog.close(), word("dialog.leave")),
  );
  dialog.showModal();
}
