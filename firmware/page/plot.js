// Points over time: a stepped line a player, told apart by dashes, marker and the name at its end.

import { draw } from "./elements.js";
import { word } from "./words.js";

const WIDE = 360;
const HIGH = 170;
const LEFT = 26;
const RIGHT = 74;
const TOP = 10;
const BOTTOM = 24;
const APART = 13;

/** Draws `series` ([{ply, score}]) into `svg`; `at` marks a ply with an upright line. */
export function paintPlot(svg, series, players, at = null) {
  const plies = Math.max(1, ...series.map(({ ply }) => ply));
  const most = Math.max(4, ...series.flatMap(({ score }) => Object.values(score)));
  const x = (ply) => LEFT + (ply / plies) * (WIDE - LEFT - RIGHT);
  const y = (points) => HIGH - BOTTOM - (points / most) * (HIGH - TOP - BOTTOM);
  const last = series.at(-1)?.score ?? {};

  svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute("role", "img");
  svg.setAttribute(
    "aria-label",
    word("plot.label", {
      plies: series.at(-1)?.ply ?? 0,
      score: players.map(({ colour, name }) => `${name} ${last[colour] ?? 0}`).join(", "),
    }),
  );
  svg.replaceChildren(
    ...ticks(most).map((points) =>
      draw(
        "g",
        { class: "tick" },
        draw("path", { d: `M${LEFT} ${y(points)}H${WIDE - RIGHT}` }),
        draw("text", { x: LEFT - 5, y: y(points) + 4, "text-anchor": "end" }, String(points)),
      ),
    ),
    ...ticks(plies).map((ply) =>
      draw("text", { class: "tick", x: x(ply), y: HIGH - 8, "text-anchor": "middle" }, String(ply)),
    ),
    draw("text", { class: "tick", x: WIDE - RIGHT + 12, y: HIGH - 8 }, word("plot.moves")),
    at === null ? "" : draw("path", { class: "now", d: `M${x(at)} ${TOP}V${HIGH - BOTTOM}` }),
    ...players.map((player, number) => line(player, number, series, x, y)),
    ...endNames(players, last, y),
  );
}

function ticks(most) {
  const step = [1, 2, 5, 10, 20, 50].find((width) => most / width <= 5) ?? 100;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}

function line({ colour }, number, series, x, y) {
  const points = series.map(({ ply, score }) => [x(ply), y(score[colour] ?? 0)]);
  const path = points.map(([px, py], i) => (i ? `H${px}V${py}` : `M${px} ${py}`)).join("");
  const end = points.at(-1) ?? [x(0), y(0)];
  const marker = number
    ? draw("circle", { cx: end[0], cy: end[1], r: 4 })
    : draw("rect", { x: end[0] - 4, y: end[1] - 4, width: 8, height: 8 });
  return draw("g", { class: `line player-${number}` }, draw("path", { d: path }), marker);
}

/** The names at the ends of the lines, pushed apart where the lines end close together. */
function endNames(players, last, y) {
  const names = players
    .map(({ colour, name }) => ({ name, points: last[colour] ?? 0, at: y(last[colour] ?? 0) + 4 }))
    .sort((one, other) => one.at - other.at);
  names.forEach((one, i) => {
    if (i) one.at = Math.max(one.at, names[i - 1].at + APART);
  });
  const lowest = HIGH - BOTTOM + 4;
  names.forEach((one, i) => {
    one.at = Math.min(one.at, lowest - (names.length - 1 - i) * APART);
  });
  return names.map(({ name, points, at }) =>
    draw("text", { class: "end", x: WIDE - RIGHT + 9, y: at }, `${name} ${points}`),
  );
}
