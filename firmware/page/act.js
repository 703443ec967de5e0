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

/** POST; the answer, or null when it was refused: told to `onRefused(sentence, code)`. */
export async function act(path, body = {}, onRefused = refused) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.ok) {
      onRefused(null);
      return await answer.json();
    }
    const trouble = await answer.json().catch(() => ({}));
    const { error = "unknown", message } = trouble;
    onRefused(sentenceOf(error, answer.headers.get("Retry-After"), message), error);
  } catch {
    onRefused(sentenceOf("offline"), "offline");
  }
  return null;
}

function sentenceOf(code, seconds, message) {
  const key = `refused.${code}`;
  return hasWord(key) ? word(key, { seconds: seconds ?? "60" }) : (message ?? code);
}

/** A named action, as on the device. */
export const press = (button, held = false) => act("/api/press", { button, held });

export const tell = (say, what = {}, onRefused) => act("/api/say", { say, ...what }, onRefused);

/** A hand at the simulated table. */
export const touch = (what, body) => act(`/table/${what}`, body);
