// Making elements, HTML and SVG, and changing what stands in one without stealing the focus.
//
// The page's security policy forbids inline styles and scripts, so there is no innerHTML anywhere:
// whatever the device says becomes text, and can never become markup.

const SVG = "http://www.w3.org/2000/svg";

export const find = (id) => document.getElementById(id);

/** An HTML element. Attributes named on… are listeners; null, undefined and false are left out. */
export const make = (tag, attributes, ...children) =>
  furnish(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const draw = (tag, attributes, ...children) =>
  furnish(document.createElementNS(SVG, tag), attributes, children);

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value);
  }
  const whole = children.flat(2).filter((child) => child !== null && child !== undefined);
  element.append(...whole);
  return element;
}

/** New content; whoever had the focus keeps it, if something with the same data-key is back. */
export function refill(parent, ...children) {
  const active = document.activeElement;
  const key = parent.contains(active) ? active.dataset?.key : undefined;
  parent.replaceChildren(...children.flat().filter((child) => child !== null));
  if (key !== undefined) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** A painter that is only called when what it paints has changed, or the language. */
export function whenChanged(paint) {
  let last;
  return (...what) => {
    const now = JSON.stringify([document.documentElement.lang, what]);
    if (now !== last) {
      last = now;
      paint(...what);
    }
  };
}

export const show = (element, shown) => {
  element.hidden = !shown;
};
