// Language and sound of the device: they act at once.

import { tell } from "./act.js";
import { refill, whenChanged } from "./elements.js";
import { fromList } from "./pick.js";
import { word } from "./words.js";

/** A painter of the choices into `place`. */
export function makeSettings(place) {
  const choose = (setting) => (value) => tell("choose", { setting, value });
  const paint = whenChanged((language, languages, sound, sounds) => {
    const fields = [
      { name: "language", label: word("settings.language"), choices: languages },
      { name: "sound", label: word("settings.sound"), choices: sounds },
    ];
    const values = { language, sound };
    refill(
      place,
      ...fields.map((field) => fromList(field, values[field.name], choose(field.name))),
    );
  });
  return ({ language, languages, sound, sounds }) => paint(language, languages, sound, sounds);
}
