// The page's own words, in every language the device speaks.
//
// words.json holds each word in all languages, one below the other, so that a missing one is seen
// at once. Sentences about the game come from the device and are not repeated here. Fixed labels
// are named in the HTML: data-word for the text, data-label for the name a screen reader says.

const WORDS = await (await fetch("/page/words.json")).json();

let language = "en";
const listeners = [];

/** The word in the language of the device, with its {places} filled in; else the key itself. */
export function word(key, places = {}) {
  const phrase = WORDS[key]?.[language] ?? key;
  return phrase.replace(/\{(\w+)\}/g, (_, name) => String(places[name]));
}

/** Whether there is such a word: reasons and refusals may be newer than the page. */
export const hasWord = (key) => key in WORDS;

export const spoken = () => language;

/** Called at once and after each change of language. */
export function onLanguage(paint) {
  listeners.push(paint);
  paint();
}

export function speak(wanted) {
  if (wanted === language && document.documentElement.lang === wanted) return;
  language = wanted;
  document.documentElement.lang = wanted;
  for (const paint of listeners) paint();
}

function label(root) {
  for (const element of root.querySelectorAll("[data-word]"))
    element.textContent = word(element.dataset.word);
  for (const element of root.querySelectorAll("[data-label]"))
    element.setAttribute("aria-label", word(element.dataset.label));
}

onLanguage(() => label(document));
