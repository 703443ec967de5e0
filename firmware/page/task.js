// What the player on turn has to do, where it is not simply a move: one line, and where the rules
// allow it a button to pass. Nobody can see a pass, so it has to be said.

import { tell } from "./act.js";
import { make, refill, show, whenChanged } from "./elements.js";
import { lookOf } from "./look.js";
import { emblemOf, iconOf } from "./shapes.js";
import { word } from "./words.js";

/** A painter of state.task into `place`; `paired` says whether this browser may pass. */
export function makeTask(place) {
  return whenChanged((task, game, players, paired) => {
    show(place, Boolean(task));
    if (!task) return refill(place);
    const look = lookOf(game, players);
    const turn = players.find(({ on_turn: onTurn }) => onTurn);
    const icon = task.kind ? iconOf({ kind: task.kind }, look) : turn && emblemOf(turn.colour, look);
    refill(
      place,
      make("p", {}, icon, make("span", {}, task.sentence)),
      task.may_pass && paired
        ? make(
            "button",
            { type: "button", class: "strong", "data-key": "pass", onclick: () => tell("pass") },
            word("task.pass"),
          )
        : null,
      task.may_pass && !paired ? make("p", { class: "soft" }, word("task.watching")) : null,
    );
  });
}
