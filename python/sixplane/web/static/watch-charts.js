// Charts: SVG pictures of curves with the colors of the page.

/** @import { Chart, Curve, Mark, Stage, Unit } from "./watch-types.d.ts" */

import { draw, make, within } from "./page.js";

/** The coordinate of a time or a value in the picture. @typedef {(number: number) => number} Place */
/** The points of a curve as a path. @typedef {(times: number[], values: number[]) => string} Path */

//: The width and height of a picture, and the edges of the field with the curves.
const [WIDTH, HEIGHT] = [460, 210];
const [LEFT, TOP, RIGHT, BOTTOM] = [70, 10, WIDTH - 12, HEIGHT - 28];

//: The width of a letter in the name of a known player, and the least distance between two names.
const LETTER = 8.5;
const LINE = 17;

//: A little more than half the width of a letter below the field.
const HALF_LETTER = 4.8;

//: The most times whose values the pointer shows; the most points of a curve that are all marked.
const MOST_PLACES = 100;
const FEW = 40;

/**
 * A figure with a curve for each series.
 *
 * @param {Chart} chart
 */
export function chartOf(chart) {
  const { title, note, unit, axis, until, stacked, curves, marks, stages = [] } = chart;
  const drawn = stacked ? layersOf(curves) : curves;
  const [lowest, highest] = chart.bounds ?? boundsOf(drawn, marks);
  const right = RIGHT - LETTER * Math.max(0, ...marks.map(([name]) => name.length));
  /** @type {Place} */
  const x = (time) => LEFT + ((right - LEFT) * time) / Math.max(until, 1e-9);
  /** @type {Place} */
  const y = (value) =>
    BOTTOM - (BOTTOM - TOP) * Math.min(1, Math.max(0, (value - lowest) / (highest - lowest)));
  /** @type {Path} */
  const path = (times, values) =>
    times.map((time, i) => `${round(x(time))} ${round(y(values[i]))}`).join("L");
  const grid = gridOf(lowest, highest, until, { x, y, unit, axis, right });
  const bands = drawn.flatMap(({ times, low, high }, color) =>
    low.length ? [bandOf(path, times, low, high, `${stacked ? "layer" : "band"} c${color}`, color)] : []
  );
  const lines = stacked ? [] : drawn.flatMap((curve, color) => lineOf(curve, color, path, x, y));
  const picture = draw(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title },
    ...(stacked ? [...bands, ...grid] : [...grid, ...bands]),
    ...marksOf(marks.filter(([, value]) => value <= highest), y, right),
    ...stagesOf(stages, x, right),
    ...lines,
    ...placesOf(curves, { x, unit, axis, right }),
  );
  const keys = curves.map(({ label, values, low, high }, color) => {
    const last = values.length - 1;
    const interval = unit === "ladder" ? ` (${worded(low[last], unit)} to ${worded(high[last], unit)})` : "";
    return make(
      "li",
      {},
      make("span", { className: `key k${color}` }),
      `${label} `,
      make("b", { textContent: worded(values[last], unit) }),
      interval,
    );
  });
  return make(
    "figure",
    { className: marks.length ? "chart wide" : "chart" },
    make("figcaption", { textContent: title }),
    ...(note ? [make("p", { className: "note", textContent: note })] : []),
    make("ul", { className: "keys" }, ...keys),
    picture,
  );
}

/**
 * Adds a vertical line to a figure, and returns the function that moves it to a time.
 *
 * @param {Element} figure
 * @param {Chart} chart
 */
export function cursorIn(figure, { until }) {
  const line = draw("path", { class: "cursor" });
  within(figure, "svg").append(line);
  /** @param {number} time */
  return (time) =>
    line.setAttribute(
      "d",
      `M${round(LEFT + ((RIGHT - LEFT) * Math.min(time, until)) / Math.max(until, 1e-9))} ${TOP}V${BOTTOM}`,
    );
}

/** @param {number} number */
const round = (number) => Math.round(10 * number) / 10;

/**
 * The curves stacked: each becomes a band above the ones before.
 *
 * @param {Curve[]} curves
 */
function layersOf(curves) {
  let below = curves[0].values.map(() => 0);
  return curves.map((curve) => {
    const above = below.map((low, i) => Math.min(1, Math.max(0, low + curve.values[i])));
    const layer = { ...curve, values: above, low: below, high: above };
    below = above;
    return layer;
  });
}

/**
 * The bounds of the values, with some space around them; the first mark and the next one above are within.
 *
 * @param {Curve[]} curves
 * @param {Mark[]} marks
 */
function boundsOf(curves, marks) {
  const values = curves.flatMap(({ values: own, low, high }) => [...own, ...low, ...high]);
  const top = Math.max(...values);
  const next = marks.find(([, value]) => value > top);
  values.push(...[...marks.slice(0, 1), ...(next ? [next] : [])].map(([, value]) => value));
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const space = 0.06 * (highest - lowest) || 0.1 * Math.abs(highest) || 1;
  // Values that are never negative get no space below 0.
  return [lowest >= 0 ? Math.max(0, lowest - space) : lowest - space, highest + space];
}

/**
 * The axes: lines at round values, and the numbers of values and times.
 *
 * @param {number} lowest
 * @param {number} highest
 * @param {number} until
 * @param {{ x: Place, y: Place, unit: Unit, axis: string, right: number }} looks
 */
function gridOf(lowest, highest, until, { x, y, unit, axis, right }) {
  const rows = ticks(lowest, highest, 4).flatMap((value) => [
    draw("path", { class: "grid", d: `M${LEFT} ${round(y(value))}H${right}` }),
    draw("text", { class: "end", x: LEFT - 7, y: round(y(value)), dy: ".35em" }, short(value, unit)),
  ]);
  const times = ticks(0, Math.max(until, 1e-9), 5);
  const columns = times.map((time, i) => {
    const text = i === times.length - 1 ? `${time} ${axis}` : `${time}`;
    // A long number at the end would be cut off at the edge of the picture.
    return draw("text", {
      class: "middle",
      x: round(Math.min(x(time), WIDTH - HALF_LETTER * text.length)),
      y: BOTTOM + 18,
    }, text);
  });
  return [...rows, ...columns, draw("path", { class: "axis", d: `M${LEFT} ${BOTTOM}H${right}` })];
}

/**
 * Lines at the Elo of known players with their names on the right, as far as these do not overlap.
 *
 * @param {Mark[]} marks
 * @param {Place} y
 * @param {number} right
 */
function marksOf(marks, y, right) {
  let below = Infinity;
  return marks.flatMap(([name, value]) => {
    const place = round(y(value));
    const line = draw("path", { class: "mark", d: `M${LEFT} ${place}H${right}` });
    if (below - place < LINE) return [line];
    below = place;
    return [line, draw("text", { class: "mark", x: right + 6, y: place, dy: ".35em" }, name)];
  });
}

/**
 * Lines where the stages of a run begin, with their boards as far as these do not overlap.
 *
 * @param {Stage[]} stages
 * @param {Place} x
 * @param {number} right
 */
function stagesOf(stages, x, right) {
  return stages.flatMap(([minutes, board], i) => {
    const place = round(x(minutes));
    const line = draw("path", { class: "stage", d: `M${place} ${TOP}V${BOTTOM}` });
    const end = i + 1 < stages.length ? x(stages[i + 1][0]) : right;
    if (end - place < LETTER * board.length) return [line];
    return [line, draw("text", { class: "mark", x: place + 4, y: TOP + 9 }, board)];
  });
}

/**
 * The area between the ends of intervals; the interval of a single point is a line.
 *
 * @param {Path} path
 * @param {number[]} times
 * @param {number[]} low
 * @param {number[]} high
 * @param {string} name
 * @param {number} color
 */
function bandOf(path, times, low, high, name, color) {
  if (times.length === 1) {
    return draw("path", { class: `line c${color}`, d: `M${path(times, low)}L${path(times, high)}` });
  }
  const back = path(times.toReversed(), low.toReversed());
  return draw("path", { class: name, d: `M${path(times, high)}L${back}Z` });
}

/**
 * The path of a curve, with marks on its points if they are few, else on the last one.
 *
 * @param {Curve} curve
 * @param {number} color
 * @param {Path} path
 * @param {Place} x
 * @param {Place} y
 */
function lineOf({ times, values, dashed }, color, path, x, y) {
  const marked = times.length <= FEW && !dashed ? times.keys() : [times.length - 1];
  return [
    draw("path", { class: `line c${color}${dashed ? " dashed" : ""}`, d: `M${path(times, values)}` }),
    ...[...marked].map((i) =>
      draw("circle", { class: `dot c${color}`, cx: round(x(times[i])), cy: round(y(values[i])), r: 3.5 })
    ),
  ];
}

/**
 * Invisible columns that show the values at their time when the pointer is on them.
 *
 * @param {Curve[]} curves
 * @param {{ x: Place, unit: Unit, axis: string, right: number }} looks
 */
function placesOf(curves, { x, unit, axis, right }) {
  const all = [...new Set(curves.flatMap(({ times }) => times))].sort((a, b) => a - b);
  const count = Math.min(all.length, MOST_PLACES);
  const times = Array.from(
    { length: count },
    (_, i) => all[Math.round((i * (all.length - 1)) / Math.max(count - 1, 1))],
  );
  const edges = [LEFT, ...times.slice(1).map((time, i) => x((time + times[i]) / 2)), right];
  const known = curves.map((curve) => new Map(curve.times.map((time, i) => [time, curve.values[i]])));
  return times.map((time, i) => {
    const words = curves.flatMap(({ label }, which) => {
      const value = known[which].get(time);
      return value === undefined ? [] : [`${label} ${worded(value, unit)}`];
    });
    return draw("rect", {
      class: "place",
      x: round(edges[i]),
      y: TOP,
      width: round(edges[i + 1] - edges[i]),
      height: BOTTOM - TOP,
    }, draw("title", {}, [`${digits(time, 4)} ${axis}`, ...words].join(", ")));
  });
}

/**
 * About so many round numbers from lowest to highest.
 *
 * @param {number} lowest
 * @param {number} highest
 * @param {number} count
 */
function ticks(lowest, highest, count) {
  const rough = (highest - lowest) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5].find((factor) => factor * power >= 0.999 * rough) ?? 10);
  const [first, last] = [Math.ceil(lowest / step - 1e-9), Math.floor(highest / step + 1e-9)];
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(10)));
}

/**
 * @param {number} value
 * @param {number} count
 */
const digits = (value, count) => `${Number(value.toPrecision(count))}`;

/**
 * A value with its unit.
 *
 * @param {number} value
 * @param {Unit} unit
 */
function worded(value, unit) {
  if (unit === "%") return `${digits(100 * value, 3)} %`;
  if (unit === "ladder") return Math.round(value).toLocaleString("en");
  if (unit === "Elo") return value ? `${value > 0 ? "+" : ""}${Math.round(value)}` : "0";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return digits(value, 3);
}

/**
 * A round number beside an axis, with a letter for thousands and millions.
 *
 * @param {number} value
 * @param {Unit} unit
 */
function short(value, unit) {
  if (unit === "Elo" || unit === "ladder") return worded(value, unit);
  /** @type {[number, string][]} */
  const letters = [[1e6, " M"], [1e3, " k"], [1, ""]];
  const [by, letter] = unit === "%"
    ? [0.01, " %"]
    : letters.find(([least]) => Math.abs(value) >= least) ?? [1, ""];
  return `${digits(value / by, 10)}${letter}`;
}
