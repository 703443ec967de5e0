// What the players should know now: the one alarm, what is due and why, what is wrong, what the
// device cannot see, and what was said last.
//
// Only the last saying is a live region for screen readers. Everything else repeats itself there
// when it changes, and to hear it twice would be worse than not at all.

import { find, make, refill, show, whenChanged } from "./elements.js";
import { boxOf, lookOf } from "./look.js";
import { saidLines } from "./record.js";
import { iconOf } from "./shapes.js";
import { word } from "./words.js";

/** A painter of the notices; `onLight(cells)` lights cells on the board. */
export function makeNotices(onLight) {
  const [alarm, dues, said] = ["alarm", "dues", "said"].map(find);
  let lightKey = null;

  const light = (key, cells) => {
    lightKey = lightKey === key ? null : key;
    onLight(lightKey === null ? [] : cells);
    for (const button of dues.querySelectorAll("[aria-pressed]"))
      button.setAttribute("aria-pressed", String(button.dataset.key === lightKey));
  };

  const item = (kind, key, sentence, cells, icon) =>
    make(
      "li",
      { class: `notice ${kind}` },
      make(
        "button",
        {
          type: "button",
          "data-key": key,
          "aria-pressed": String(lightKey === key),
          onclick: () => light(key, cells),
        },
        icon,
        make("span", {}, sentence),
      ),
    );

  const paintDues = whenChanged((list, problems, choose, game, players) => {
    const look = lookOf(game, players);
    const keys = [
      ...list.map(({ cell, kind }) => `${kind} ${cell}`),
      ...problems.map(({ cell, reason }) => `${reason} ${cell}`),
    ];
    if (lightKey !== null && !keys.includes(lightKey)) {
      lightKey = null;
      onLight([]);
    }
    refill(
      dues,
      ...problems.map(({ cell, reason, sentence, others = [] }) =>
        item("bad", `${reason} ${cell}`, sentence, [cell, ...others], sign("!")),
      ),
      ...list.map(({ cell, kind, forgotten, sentence, reasons }) =>
        item(
          forgotten ? "bad" : "due",
          `${kind} ${cell}`,
          sentence,
          [cell, ...reasons.flatMap((reason) => reason.cells)],
          iconOf({ kind }, look),
        ),
      ),
      choose === null ? null : plain(word("dues.choose", { count: choose })),
      list.length || problems.length ? null : make("li", { class: "nothing" }, word("dues.none")),
    );
  });

  const paintAlarm = whenChanged((lines) => {
    show(alarm, lines.length > 0);
    const signOf = (kind) => sign(kind === "bad" ? "!" : "i");
    refill(alarm, ...lines.map(([kind, line]) => make("p", { class: kind }, signOf(kind), line)));
  });

  const paintSaid = whenChanged((lines) => {
    refill(said, ...saidLines(lines));
  });

  return (state) => {
    const players = state.players.map(({ colour }) => ({ colour }));
    paintDues(state.dues, state.problems, state.choose, boxOf(state.game), players);
    paintAlarm(alarmLines(state));
    paintSaid(sayingOf(state));
  };
}

const plain = (words) => make("li", { class: "notice due" }, make("p", {}, words));

const sign = (text) => make("span", { class: "sign", "aria-hidden": "true" }, text);

/**
 * The alarm first, then how seeing goes and which parts fail, nothing twice: an alarm about what
 * lies on the table stands among the dues already.
 */
function alarmLines({ alarm, seeing, unreadable, failures, unsure, greeting }) {
  const lines = [];
  const add = (kind, sentence) => {
    if (sentence && !lines.some(([, other]) => other === sentence)) lines.push([kind, sentence]);
  };
  if (alarm && !["problem", "due"].includes(alarm.kind)) add("bad", alarm.sentence);
  for (const failure of failures) add("bad", failure.sentence);
  if (unreadable) add("plain", unreadable.sentence);
  else if (seeing === "starting") add("plain", word("seeing.starting"));
  if (unsure.length) add("plain", word("seeing.unsure", { cells: unsure.join(", ") }));
  if (greeting) add("plain", greeting);
  return lines;
}

function sayingOf({ story, outcome }) {
  if (outcome) return outcome.sentences;
  return story.at(-1)?.lines ?? [word("said.nothing")];
}
