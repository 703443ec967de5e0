// The four named actions of the device, as buttons and on the keyboard.
//
// The same words as on the device itself (firmware/actions.py): a press, and a second meaning when
// held. On the keyboard Shift is what holding is on the device.

import { make } from "./elements.js";
import { onLanguage, word } from "./words.js";

export const BUTTONS = ["left", "undo", "ok", "right"];
const KEYS = {
  Enter: "ok",
  Backspace: "undo",
  u: "undo",
  ArrowLeft: "left",
  m: "left",
  ArrowRight: "right",
  w: "right",
};
const TYPING = "input, select, textarea, dialog";
const PRESSABLE = "button, a, summary, [role=gridcell]";
const SHORTCUTS = "parkwarden-shortcuts";

/**
 * Buttons for the presses into `bar` and for the held ones into `more`; a new game, which is `undo`
 * held, has a sheet of its own on the page.
 */
export function makePanel(bar, more, press) {
  onLanguage(() => {
    bar.replaceChildren(
      ...BUTTONS.map((button) =>
        make(
          "button",
          { type: "button", class: `press ${button}`, onclick: () => press(button, false) },
          word(`press.${button}`),
        ),
      ),
    );
    more.replaceChildren(
      ...BUTTONS.filter((button) => button !== "undo").map((button) =>
        make(
          "button",
          { type: "button", class: "quiet", onclick: () => press(button, true) },
          word(`held.${button}`),
        ),
      ),
    );
  });
}

/** Which action this key means here, or null: not while typing, nor where the key has a meaning. */
export function actionOf(event) {
  if (!shortcutsOn() || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented)
    return null;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const button = KEYS[key];
  if (!button) return null;
  const taken = key.length === 1 ? TYPING : `${TYPING}, ${PRESSABLE}`;
  return event.target.closest?.(taken) ? null : button;
}

const shortcutsOn = () => localStorage.getItem(SHORTCUTS) !== "off";

/** Single keys get in the way of some people's aids, so they can be switched off. */
export function makeShortcutSwitch(checkbox) {
  checkbox.checked = shortcutsOn();
  checkbox.addEventListener("change", () => {
    localStorage.setItem(SHORTCUTS, checkbox.checked ? "on" : "off");
  });
}
