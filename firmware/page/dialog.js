// What the device shows or asks besides the game: lists, pages of why, the undo preview.
//
// The answer to a list names the dialog it was given to, so that a tap that comes too late does
// nothing. In everything else the buttons here press the device's own (see firmware/buttons.py).

import { press, tell } from "./act.js";
import { make, refill, show, whenChanged } from "./elements.js";
import { word } from "./words.js";

/** A painter of state.dialog into `place`; `paired` says whether this browser may answer. */
export function makeDialog(place) {
  return whenChanged((dialog, paired) => {
    const painter = PAINTERS[dialog.kind];
    show(place, Boolean(painter));
    if (!painter) return refill(place);
    const title = dialog.title || word(`dialog.${dialog.kind}`);
    refill(
      place,
      make("h2", { id: "dialog-title" }, title),
      ...painter(dialog, paired),
      paired || dialog.kind === "pairing" ? null : soft(word("dialog.watching")),
    );
  });
}

const PAINTERS = {
  listing: (dialog, paired) => [
    make(
      "ul",
      { class: "options" },
      dialog.options.map((words, index) => {
        const marked = index === dialog.at;
        const attributes = marked ? { class: "marked", "aria-current": "true" } : {};
        if (!paired) return make("li", attributes, words);
        const answer = () => tell("answer", { dialog: dialog.id, index });
        return make("li", {}, button(words, answer, `option ${index}`, attributes));
      }),
    ),
    paired ? row(button(word("dialog.leave"), () => press("undo"), "leave")) : null,
  ],
  why: pages,
  "final-count": pages,
  undo: ({ lines }, paired) => [
    ...lines.map((line) => make("p", {}, line)),
    paired
      ? row(
          button(word("dialog.undo.fewer"), () => press("left"), "left"),
          button(word("dialog.undo.more"), () => press("right"), "right"),
          button(word("dialog.undo.do"), () => press("ok"), "ok", { class: "strong" }),
          button(word("dialog.leave"), () => press("undo"), "leave"),
        )
      : null,
  ],
  pairing: (_, paired) => [
    make("p", {}, word("dialog.pairing.text")),
    paired ? row(button(word("dialog.leave"), () => press("undo"), "leave")) : null,
  ],
  about: (_, paired) => [
    make("p", {}, word("dialog.about.text")),
    paired ? row(button(word("dialog.leave"), () => press("undo"), "leave")) : null,
  ],
};

function pages({ title, pages: all, at }, paired) {
  const page = all[Math.min(at, all.length - 1)];
  return [
    page?.title && page.title !== title ? make("h3", {}, page.title) : null,
    ...(page?.lines ?? []).map((line) => make("p", {}, line.trim())),
    soft(word("dialog.page", { page: Math.min(at + 1, all.length), pages: all.length })),
    paired
      ? row(
          button(word("dialog.before"), () => press("left"), "left"),
          button(word("dialog.after"), () => press("right"), "right"),
          button(word("dialog.leave"), () => press("undo"), "leave"),
        )
      : null,
  ];
}

const soft = (words) => make("p", { class: "soft" }, words);

const row = (...buttons) => make("div", { class: "row" }, ...buttons);

const button = (words, onclick, key, attributes = {}) =>
  make("button", { type: "button", "data-key": key, onclick, ...attributes }, words);

/** The cells a dialog is about, to be lit on the board. */
export function cellsOf(dialog) {
  if (dialog.kind === "undo") return dialog.cells;
  if (dialog.cell) return [dialog.cell];
  return dialog.pages?.[dialog.at]?.cells ?? [];
}
