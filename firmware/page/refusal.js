// What the device refused, in words, for a few seconds.

import { show } from "./elements.js";

const SHOWN_MS = 7000;

/** `ask` looks again whether this browser is paired: that is the usual reason. */
export function makeRefusal(place, ask) {
  let timer = null;
  return (sentence, code) => {
    clearTimeout(timer);
    show(place, sentence !== null);
    if (sentence === null) return;
    place.textContent = sentence;
    timer = setTimeout(() => show(place, false), SHOWN_MS);
    if (code === "not-paired") ask();
  };
}
