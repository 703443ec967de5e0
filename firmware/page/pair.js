// Pairing: watching is open to everybody at home, acting is for whoever can read the display.

import { act } from "./act.js";
import { find } from "./elements.js";
import { hasWord, word } from "./words.js";

let paired = false;

export const isPaired = () => paired;

/** What the device says about this browser. The style sheet hides what needs pairing. */
export function setPaired(now, onChange = () => {}) {
  const changed = now !== paired;
  paired = now;
  document.body.dataset.paired = now ? "yes" : "no";
  if (changed) onChange();
}

/** Wires the form; `onPaired` is called when the code was right. */
export function makePairing(onPaired) {
  const form = find("pair-form");
  const code = find("pair-code");
  const note = find("pair-note");

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const digits = code.value.replace(/\D/g, "");
    if (digits.length !== 6) {
      note.textContent = word("pair.six");
      return code.focus();
    }
    note.textContent = "";
    if (await act("/api/pair", { code: digits })) {
      code.value = "";
      onPaired();
    } else code.select();
  });

  // The link in the QR code comes back here when its code was an old one.
  const came = new URLSearchParams(location.search).get("pairing");
  if (came && hasWord(`refused.${came}`)) {
    note.textContent = word(`refused.${came}`, { seconds: 60 });
    history.replaceState(null, "", location.pathname + location.hash);
  }
}
