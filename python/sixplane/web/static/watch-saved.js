// A saved page: shows the summary that it contains, and a game that plays by itself.

/** @import { Sample, Saved } from "./watch-types.d.ts" */

import { fillTexts, followSystem, make, picture, watchElement as element, within } from "./page.js";
import { chartOf, cursorIn } from "./watch-charts.js";
import { valueOf } from "./watch-figures.js";
import { showSummary } from "./watch-summary.js";
import * as words from "./watch-texts.js";

/** @type {Saved} */
const { summary, sample, refresh } = JSON.parse(element("saved").text);
let isStopped = false;
followSystem();
fillTexts(words.texts);
showSummary(summary);
element("title").textContent = summary.title;
element("alive").textContent = summary.as_of ? words.asOf(summary.as_of) : "";
if (sample) showSample(sample);
else within(document, "main").classList.add("plain");
if (refresh) {
  setInterval(() => {
    if (!isStopped) location.reload();
  }, 1000 * refresh);
}

/**
 * Shows a game with all its pictures, whose animations run together.
 *
 * @param {Sample} sample
 */
function showSample({ text, pictures, lines, values, moves, seconds, hold }) {
  const boards = pictures.map(([title, svg]) =>
    make("figure", {}, make("figcaption", { textContent: title }), picture(svg))
  );
  const charts = valueOf(values, moves);
  const figures = charts.map(chartOf);
  const cursors = charts.map((chart, i) => cursorIn(figures[i], chart));
  const button = make("button", { type: "button" });
  const slider = make("input", {
    type: "range",
    min: 0,
    max: lines.length - 1,
    value: 0,
    "aria-label": words.texts.walk,
  });
  const line = make("p", { className: "move" });
  within(document, ".game").replaceChildren(
    make("h2", { textContent: words.sample }),
    make("p", { className: "soft", textContent: text }),
    make("div", { className: "boards" }, ...boards),
    ...figures,
    make("div", { className: "walk" }, button, slider),
    line,
  );
  // The buttons set all animations to the same time; a pointer over one picture no longer stops it alone.
  const moving = boards.flatMap((board) => within(board, "svg").getAnimations({ subtree: true }));
  const total = (lines.length - 1) * seconds + hold;
  // With reduced motion the delay is negative, and an animation has no effect before time 0: one round is added.
  /** @param {Animation} one */
  const began = (one) => Number(one.effect?.getTiming().delay);
  const frame = () => {
    const time = moving.length ? ((Number(moving[0].currentTime) - began(moving[0])) / 1000) % total : 0;
    return Math.min(lines.length - 1, Math.floor(time / seconds));
  };
  /** @param {number} at */
  const mark = (at) => {
    slider.value = String(at);
    line.textContent = lines[at];
    for (const move of cursors) move(moves[at]);
  };
  /** @param {boolean} is */
  const stop = (is) => {
    isStopped = is;
    button.textContent = is ? words.play : words.pause;
    for (const one of moving) {
      if (is) one.pause();
      else one.play();
    }
  };
  /** @param {number} at */
  const show = (at) => {
    for (const one of moving) one.currentTime = ((at + 0.5) * seconds + total) * 1000 + began(one);
    mark(at);
  };
  slider.addEventListener("input", () => {
    stop(true);
    show(Number(slider.value));
  });
  button.addEventListener("click", () => stop(!isStopped));
  setInterval(() => {
    if (!isStopped) mark(frame());
  }, 100);
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const asked = location.hash.match(/^#move=(\d+)$/);
  stop(isStill || asked !== null);
  // Of a long game not all positions are there: the last one that is not after the move.
  const wanted = asked ? Number(asked[1]) : isStill ? Infinity : 0;
  show(moves.findLastIndex((move) => move <= wanted));
}
