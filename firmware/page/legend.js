// Which drawing is which piece, and which sign means what.

import { make, refill, whenChanged } from "./elements.js";
import { lookOf, piecesOf } from "./look.js";
import { iconOf } from "./shapes.js";
import { word } from "./words.js";

export function makeLegend(place) {
  return whenChanged((game, players) => {
    const look = lookOf(game, players);
    const pieces = piecesOf(game.kinds).map((piece) => [iconOf(piece, look), look.nameOf(piece)]);
    const signs = [
      [make("span", { class: "sign due", "aria-hidden": "true" }, "┅"), word("legend.due")],
      [make("span", { class: "sign", "aria-hidden": "true" }, "!"), word("legend.problem")],
      [make("span", { class: "sign unsure", "aria-hidden": "true" }, "?"), word("legend.unsure")],
    ];
    refill(place, ...[...pieces, ...signs].map(([icon, name]) => make("li", {}, icon, name)));
  });
}
