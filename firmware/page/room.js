// What else can happen in the room of the simulated table: hands, light, cables.

import { touch } from "./act.js";
import { find } from "./elements.js";
import { onLanguage, word } from "./words.js";

const OFTEN_MS = 150;
const OWN_HAND_MS = 3000;

/** Wires the controls; returns a painter of the table's {pieces, hand, lamp, warmth, plugged}. */
export function makeRoom() {
  let plugged = true;
  let stood = "";
  let touched = 0;
  for (const what of ["wave", "bump", "power", "clear"])
    find(what).addEventListener("click", () => touch(what, {}));
  find("plug").addEventListener("click", () => touch("plug", { in: !plugged }));
  const level = makeSlider("level");
  const warmth = makeSlider("warmth");

  const paintPlug = () => {
    find("plug").textContent = word(plugged ? "room.unplug" : "room.plug");
  };
  onLanguage(paintPlug);

  return (table) => {
    plugged = table.plugged;
    paintPlug();
    // The hand that puts a piece down would only hide it from whoever moved it.
    const stands = JSON.stringify(table.pieces);
    if (stands !== stood) touched = Date.now();
    stood = stands;
    find("stage").classList.toggle("waving", table.hand && Date.now() - touched > OWN_HAND_MS);
    level(table.lamp);
    warmth(table.warmth);
    shine(table.lamp, table.warmth);
  };
}

/** A slider that tells the table while it is being moved, but not more often than it can follow. */
function makeSlider(name) {
  const slider = find(name);
  let timer = null;
  let moved = 0;
  slider.addEventListener("input", () => {
    moved = Date.now();
    timer ??= setTimeout(() => {
      timer = null;
      touch("lamp", { [name]: Number(slider.value) });
    }, OFTEN_MS);
  });
  return (value) => {
    if (Date.now() - moved > 1000) slider.value = value;
  };
}

/** The light on the drawing; a hint only, the camera picture has the truth. */
function shine(level, warmth) {
  const shade = find("shade");
  const tint = find("tint");
  shade.classList.toggle("bright", level > 1);
  shade.style.opacity = level > 1 ? (level - 1) * 0.6 : (1 - level) * 0.75;
  tint.classList.toggle("cool", warmth < 0);
  tint.style.opacity = Math.abs(warmth) * 0.4;
}
