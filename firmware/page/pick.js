// Choosing for a setting: one of a few, or several in an order of one's own.
//
// Several are tapped one after the other and carry their number; a second tap takes one out again.
// Fewer than are needed may be chosen on the way, or the first could never become the second: only
// what is complete can be started with.

import { make, refill } from "./elements.js";
import { word } from "./words.js";

const FEW = 3;

/** The field for one setting of a game; `onChange(value)` gets what is chosen, in writing. */
export function makePick(setting, value, onChange) {
  if (setting.most > 1) return several(setting, value, onChange);
  return setting.choices.length > FEW
    ? fromList(setting, value, onChange)
    : oneOf(setting, value, onChange);
}

/** Whether so many are chosen as have to be. */
export function isComplete({ least, most }, value) {
  const count = value.split(" ").filter(Boolean).length;
  return least <= count && count <= most;
}

export const fromList = ({ name, label, choices }, value, onChange) =>
  make(
    "label",
    { class: "chooser" },
    make("span", {}, label),
    make(
      "select",
      { "data-key": `set ${name}`, onchange: (event) => onChange(event.target.value) },
      choices.map((choice) =>
        make("option", { value: choice.value, selected: choice.value === value }, choice.words),
      ),
    ),
  );

export const oneOf = ({ name, label, choices }, value, onChange) =>
  make(
    "fieldset",
    { class: "segments" },
    make("legend", {}, label),
    choices.map((choice) =>
      make(
        "label",
        {},
        make("input", {
          type: "radio",
          name: `set ${name}`,
          value: choice.value,
          checked: choice.value === value,
          "data-key": `set ${name} ${choice.value}`,
          onchange: () => onChange(choice.value),
        }),
        make("span", {}, choice.words),
      ),
    ),
  );

function several({ name, label, choices, least, most }, value, onChange) {
  const chosen = value.split(" ").filter(Boolean);
  const place = make("div", { class: least ? "picks" : "picks loose", role: "group", "aria-label": label });
  const note = make("p", { class: "soft", role: "status" });

  const toggle = (choice) => {
    const at = chosen.indexOf(choice);
    if (at >= 0) chosen.splice(at, 1);
    else if (chosen.length < most) chosen.push(choice);
    else return;
    paint();
    onChange(chosen.join(" "));
  };

  function paint() {
    refill(
      place,
      choices.map((choice) => {
        const at = chosen.indexOf(choice.value);
        // Where nothing has to be chosen, there is no first and second either.
        const sign = at < 0 ? "" : least ? String(at + 1) : "✓";
        return make(
          "button",
          {
            type: "button",
            class: "pick",
            "aria-pressed": String(at >= 0),
            "aria-disabled": String(at < 0 && chosen.length >= most),
            "data-key": `set ${name} ${choice.value}`,
            "data-value": choice.value,
            onclick: () => toggle(choice.value),
          },
          make("span", { class: "order" }, sign),
          choice.words,
        );
      }),
    );
    note.textContent = least ? word("pick.order", { least, most }) : "";
    note.classList.toggle("trouble", chosen.length < least);
  }

  paint();
  return make("fieldset", { class: "several" }, make("legend", {}, label), place, note);
}
