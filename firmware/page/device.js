// The device itself: its display pixel for pixel, its lights, its buttons, and what its eye sees.
//
// The buttons are the physical ones of the simulated device: down is down and up is up, so how
// long one was held is for the device to find out.

import { find, make, whenChanged } from "./elements.js";
import { touch } from "./act.js";
import { BUTTONS } from "./panel.js";
import { hasWord, onLanguage, word } from "./words.js";

const WIDE = 128;
const HIGH = 64;
const LIT = [150, 222, 255, 255];
const DARK = [3, 7, 12, 255];

/** A painter of the frame buffer: 64 rows of 16 bytes in base64, the leftmost pixel first. */
export function makeDisplay(canvas) {
  canvas.width = WIDE;
  canvas.height = HIGH;
  const pen = canvas.getContext("2d");
  return (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const picture = pen.createImageData(WIDE, HIGH);
    for (let at = 0; at < WIDE * HIGH; at++)
      picture.data.set(bytes[at >> 3] & (128 >> (at & 7)) ? LIT : DARK, at * 4);
    pen.putImageData(picture, 0, 0);
  };
}

/**
 * A painter of the lights; each also says in words whether it is on. What one stands for depends on
 * the game, which `name(players, kinds)` tells.
 */
export function makeLights(place) {
  let last = {};
  let names = {};
  const nameOf = (light) => names[light] ?? word("light.none");
  const paint = (lights) => {
    last = lights;
    place.replaceChildren(
      ...Object.entries(lights).map(([name, glow]) =>
        make(
          "li",
          { class: `light ${name} ${glow}`, "data-light": name, "data-glow": glow },
          make("span", { class: "lamp", "aria-hidden": "true" }),
          make("span", { class: "name" }, nameOf(name)),
          make("span", { class: "glow" }, word(`glow.${glow}`)),
        ),
      ),
    );
  };
  const name = (players, kinds) => {
    const known = ["attention", ...kinds.map(({ kind }) => kind)].filter((light) =>
      hasWord(`light.${light}`),
    );
    names = Object.fromEntries([
      ...known.map((light) => [light, word(`light.${light}`)]),
      ...players.map((player) => [player.light, word("light.turn", player)]),
    ]);
    paint(last);
  };
  return { paint, name };
}

/** The four buttons; returns what moves one: `move(button, down)`. */
export function makeButtons(place) {
  const down = new Set();
  const move = (button, isDown) => {
    if (down.has(button) === isDown) return;
    if (isDown) down.add(button);
    else down.delete(button);
    place.querySelector(`[data-button=${button}]`)?.classList.toggle("down", isDown);
    touch("button", { button, down: isDown });
  };
  onLanguage(() => place.replaceChildren(...BUTTONS.map((button) => makeButton(button, move))));
  return move;
}

function makeButton(button, move) {
  const isPress = ({ key }) => key === "Enter" || key === " ";
  return make(
    "button",
    {
      type: "button",
      class: `knob ${button}`,
      "data-button": button,
      onpointerdown: (event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        move(button, true);
      },
      onpointerup: () => move(button, false),
      onpointercancel: () => move(button, false),
      onblur: () => move(button, false),
      oncontextmenu: (event) => event.preventDefault(),
      onkeydown: (event) => {
        if (!isPress(event)) return;
        event.preventDefault();
        move(button, true);
      },
      onkeyup: (event) => isPress(event) && move(button, false),
    },
    make("span", { class: "cap", "aria-hidden": "true" }),
    make("span", {}, word(`press.${button}`)),
    make("span", { class: "second" }, word("held.also", { what: word(`held.${button}`) })),
  );
}

/** Shows camera picture `n`; while one is loading only the newest of the next ones is kept. */
export function makeCamera(image, none) {
  let loading = false;
  let wanted = null;
  const load = (n) => {
    if (loading) {
      wanted = n;
      return;
    }
    loading = true;
    image.src = `/camera.jpg?n=${n}`;
  };
  const done = (seen) => {
    loading = false;
    image.hidden = !seen;
    none.hidden = seen;
    if (wanted !== null) {
      const next = wanted;
      wanted = null;
      load(next);
    }
  };
  image.addEventListener("load", () => done(true));
  image.addEventListener("error", () => done(false));
  return load;
}

/** Everything of the device at its usual places on the page. */
export function makeDevice() {
  const lights = makeLights(find("lights"));
  return {
    oled: makeDisplay(find("oled")),
    lights: lights.paint,
    nameLights: whenChanged(lights.name),
    camera: makeCamera(find("camera"), find("no-camera")),
    button: makeButtons(find("knobs")),
  };
}
