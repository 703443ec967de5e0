// Language and sound of the device, and a new game with its settings: those of a game that is going
// on are not changed any more.

import { tell } from "./act.js";
import { make, refill, whenChanged } from "./elements.js";
import { word } from "./words.js";

/** A painter into `place` (choices that act at once) and `newGame` (choices for the next one). */
export function makeSettings(place, newGame) {
  const paint = whenChanged((language, languages, sound, sounds, settings) => {
    refill(
      place,
      chooser("language", word("settings.language"), languages, language, atOnce),
      chooser("sound", word("settings.sound"), sounds, sound, atOnce),
    );
    const wanted = {};
    refill(
      newGame,
      ...settings.map(({ name, label, choices, next }) =>
        chooser(`new ${name}`, label, choices, next, (_, chosen) => {
          wanted[name] = chosen;
        }),
      ),
      make(
        "button",
        {
          type: "button",
          class: "strong",
          "data-key": "start",
          onclick: () => tell("new-game", { settings: wanted }),
        },
        word("new-game.start"),
      ),
    );
  });
  return ({ language, languages, sound, sounds, game }) =>
    paint(language, languages, sound, sounds, game.settings);
}

const atOnce = (setting, value) => tell("choose", { setting, value });

function chooser(name, label, choices, value, onChange) {
  return make(
    "label",
    { class: "chooser" },
    make("span", {}, label),
    make(
      "select",
      { "data-key": name, onchange: (event) => onChange(name, event.target.value) },
      choices.map((choice) =>
        make("option", { value: choice.value, selected: choice.value === value }, choice.words),
      ),
    ),
  );
}
