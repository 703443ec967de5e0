// Which drawing is which piece, and which sign means what.

import { make, refill, whenChanged } from "./elements.js";
import { iconOf } from "./shapes.js";
import { word } from "./words.js";

export function makeLegend(place) {
  return whenChanged((kinds, players) => {
    const colours = players.map(({ colour }) => colour);
    const pieces = kinds.flatMap(({ kind, colours: own, words }) =>
      (own.length ? own : [null]).map((colour) => [
        iconOf({ kind, colour }, colours),
        words[colour ?? ""],
      ]),
    );
    const signs = [
      [make("span", { class: "sign due", "aria-hidden": "true" }, "┅"), word("legend.due")],
      [make("span", { class: "sign", "aria-hidden": "true" }, "!"), word("legend.problem")],
      [make("span", { class: "sign unsure", "aria-hidden": "true" }, "?"), word("legend.unsure")],
    ];
    refill(place, ...[...pieces, ...signs].map(([icon, name]) => make("li", {}, icon, name)));
  });
}
