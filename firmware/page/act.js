// Everything the page asks of the device: presses, sayings, and hands at the simulated table.
//
// Nothing is changed on the page when something was asked: the effect comes back as a new state,
// for this browser as for every other. What is refused is told in words.

import { hasWord, word } from "./words.js";

const PATIENCE_MS = 6000;
let refused = () => {};

/** `tell(sentence, code)` is called for what is refused, and with null when something was done. */
export function onRefusal(tell) {
  refused = tell;
}

/** POST; the answer, or null when it was refused (and told). */
export async function act(path, body = {}) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.ok) {
      refused(null);
      return await answer.json();
    }
    const trouble = await answer.json().catch(() => ({}));
    tellRefusal(trouble.error ?? "unknown", answer.headers.get("Retry-After"), trouble.message);
  } catch {
    tellRefusal("offline");
  }
  return null;
}

function tellRefusal(code, seconds, message) {
  const key = `refused.${code}`;
  refused(hasWord(key) ? word(key, { seconds: seconds ?? "60" }) : (message ?? code), code);
}

/** A named action, as on the device. */
export const press = (button, held = false) => act("/api/press", { button, held });

export const tell = (say, what = {}) => act("/api/say", { say, ...what });

/** A hand at the simulated table. */
export const touch = (what, body) => act(`/table/${what}`, body);
