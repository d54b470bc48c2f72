// The summary of a run, a match or self-play, on the live page and on a saved one.

/** @import { Scale, Section, Summary, Table } from "./watch-types.d.ts" */

import { draw, make, watchElement as element } from "./page.js";
import { chartOf } from "./watch-charts.js";
import { sectionsOf } from "./watch-figures.js";
import * as words from "./watch-texts.js";

/**
 * Shows a summary.
 *
 * @param {Summary} summary
 */
export function showSummary(summary) {
  document.title = `${summary.title} – sixplane`;
  const part = summary.part ?? null;
  element("progress").hidden = part === null;
  if (part !== null) {
    element("part").value = part;
    element("part-text").textContent = words.of(part, summary.whole ?? "");
  }
  element("facts").replaceChildren(
    ...summary.facts.map(([name, value]) =>
      make("div", {}, make("dt", { textContent: name }), make("dd", { textContent: value }))
    ),
  );
  element("alarms").replaceChildren(...summary.alarms.map((text) => make("li", { textContent: text })));
  const open = new Set(
    [...document.querySelectorAll("#sections details[open] summary")].map((one) => one.textContent),
  );
  const before = reached().map((part) => ({
    left: part.scrollLeft,
    isFocused: part === document.activeElement,
  }));
  element("sections").replaceChildren(...sectionsOf(summary).flatMap((section) => sectionOf(section, open)));
  // Whoever reads a table or has come to it by keys goes on there.
  const after = reached();
  if (after.length !== before.length) return;
  for (const [i, { left, isFocused }] of before.entries()) {
    after[i].scrollLeft = left;
    if (isFocused) after[i].focus({ preventScroll: true });
  }
}

/** What of the sections is reached by keys. */
function reached() {
  /** @type {NodeListOf<HTMLElement>} */
  const found = element("sections").querySelectorAll("summary, [tabindex]");
  return [...found];
}

/**
 * A section of the page; nothing if there is nothing in it.
 *
 * @param {Section} section
 * @param {Set<string | null>} open the titles of the sections that are unfolded.
 */
function sectionOf({ title, isFolded = false, charts = [], tables = [] }, open) {
  const known = tables.filter(({ rows }) => rows.length);
  const parts = [
    ...(charts.length ? [make("div", { className: "charts" }, ...charts.map(chartOf))] : []),
    ...(known.length ? [make("div", { className: "tables" }, ...known.map(tableOf))] : []),
  ];
  if (!parts.length) return [];
  if (isFolded) {
    return [make("details", { open: open.has(title) }, make("summary", { textContent: title }), ...parts)];
  }
  return [make("section", {}, make("h2", { textContent: title }), ...parts)];
}

/** @param {Table} table */
function tableOf({ title, rows }) {
  const lines = rows.map(([name, ...cells]) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", textContent: name }),
      ...cells.map((cell) => make("td", {}, Array.isArray(cell) ? scoreOf(cell) : cell)),
    )
  );
  // A table that is wider than the page can be scrolled by keys.
  return make(
    "div",
    { className: "card", tabIndex: 0 },
    make(
      "table",
      {},
      ...(title ? [make("caption", { textContent: title })] : []),
      make("tbody", {}, ...lines),
    ),
  );
}

/**
 * A picture of a score with its interval, on a scale from 0 to 1 with its middle.
 *
 * @param {Scale} scale
 */
function scoreOf([low, score, high]) {
  return draw(
    "svg",
    { class: "scale", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    draw("rect", { class: "whole", width: 100, height: 8 }),
    draw("rect", { class: "reach", x: 100 * low, width: 100 * (high - low), height: 8 }),
    draw("rect", { class: "middle", x: 49.8, width: 0.4, height: 8 }),
    draw("rect", { class: "score", x: 100 * score - 0.6, width: 1.2, height: 8 }),
  );
}
