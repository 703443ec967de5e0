// Points over time: a stepped line a player in the player's shade, told apart also by its dashes, by
// the mark of the seat and by the name at its end. Points may be below 0.

import { draw } from "./elements.js";
import { pointsOf } from "./look.js";
import { drawSeat } from "./shapes.js";
import { word } from "./words.js";

const WIDE = 360;
const HIGH = 170;
const LEFT = 26;
const RIGHT = 82;
const TOP = 10;
const BOTTOM = 24;
const APART = 13;

/** Draws `series` ([{ply, score}]) into `svg`; `at` marks a ply with an upright line. */
export function paintPlot(svg, series, look, players, at = null) {
  const plies = Math.max(1, ...series.map(({ ply }) => ply));
  const scores = series.flatMap(({ score }) => Object.values(score));
  const most = Math.max(4, ...scores);
  const least = Math.min(0, ...scores);
  const x = (ply) => LEFT + (ply / plies) * (WIDE - LEFT - RIGHT);
  const y = (points) => HIGH - BOTTOM - ((points - least) / (most - least)) * (HIGH - TOP - BOTTOM);
  const last = series.at(-1)?.score ?? {};

  svg.setAttribute("viewBox", `0 0 ${WIDE} ${HIGH}`);
  svg.setAttribute("role", "img");
  svg.setAttribute(
    "aria-label",
    word("plot.label", {
      plies: series.at(-1)?.ply ?? 0,
      score: players.map(({ colour, name }) => `${name} ${pointsOf(last[colour] ?? 0)}`).join(", "),
    }),
  );
  svg.replaceChildren(
    ...ticks(least, most).map((points) =>
      draw(
        "g",
        { class: points ? "tick" : "tick zero" },
        draw("path", { d: `M${LEFT} ${y(points)}H${WIDE - RIGHT}` }),
        draw("text", { x: LEFT - 5, y: y(points) + 4, "text-anchor": "end" }, pointsOf(points)),
      ),
    ),
    ...ticks(0, plies).map((ply) =>
      draw("text", { class: "tick", x: x(ply), y: HIGH - 8, "text-anchor": "middle" }, String(ply)),
    ),
    draw("text", { class: "tick", x: WIDE - RIGHT + 12, y: HIGH - 8 }, word("plot.moves")),
    at === null ? "" : draw("path", { class: "now", d: `M${x(at)} ${TOP}V${HIGH - BOTTOM}` }),
    ...players.map((player, seat) => line(player, seat, series, look, x, y)),
    ...endNames(players, last, y),
  );
}

function ticks(least, most) {
  const step = [1, 2, 5, 10, 20, 50].find((width) => (most - least) / width <= 5) ?? 100;
  const first = Math.ceil(least / step);
  return Array.from({ length: Math.floor(most / step) - first + 1 }, (_, i) => (first + i) * step);
}

function line({ colour }, seat, series, look, x, y) {
  const points = series.map(({ ply, score }) => [x(ply), y(score[colour] ?? 0)]);
  const path = points.map(([px, py], i) => (i ? `H${px}V${py}` : `M${px} ${py}`)).join("");
  const [endX, endY] = points.at(-1) ?? [x(0), y(0)];
  const shade = look.shadeOf(look.emblemOf(colour));
  return draw(
    "g",
    { class: `line player-${seat}` },
    draw("path", { class: "casing", d: path }),
    draw("path", { class: "thread", d: path, stroke: shade }),
    draw("g", { transform: `translate(${endX} ${endY})` }, drawSeat(seat, 4, { fill: shade })),
  );
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
    draw("text", { class: "end", x: WIDE - RIGHT + 9, y: at }, `${name} ${pointsOf(points)}`),
  );
}
