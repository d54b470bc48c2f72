// The chances of Black along the game, as agents judge them; a click goes to the move.

/** @import { Source, State } from "./types.d.ts" */

import { draw, element, within } from "./page.js";
import { chanceOfBlack, lookingAt, noCurve } from "./texts.js";

//: The size of the picture in its own units; it is stretched to its element.
const WIDTH = 100;
const HEIGHT = 40;
const EDGE = 1.5;
//: The space above 100 % and below 0 %, so that lines there are seen whole.
const SPACE = 2.5;

export class Curve {
  #count = 0;
  #at = 0;
  #go;
  #browse;

  /**
   * @param {(at: number) => void} go called with the number of moves after which to look at the board.
   * @param {(by: number) => void} browse called with 1 or -1 to look at the next position or the one before.
   */
  constructor(go, browse) {
    this.#go = go;
    this.#browse = browse;
    const box = element("curve");
    box.addEventListener("click", (event) => {
      const { left, width } = box.getBoundingClientRect();
      this.#go(Math.round(((event.clientX - left) / width) * this.#count));
    });
    box.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {State} state */
  show({ at, moves, curves }) {
    [this.#at, this.#count] = [at, moves.length];
    /** @param {number} depth */
    const x = (depth) => EDGE + ((WIDTH - 2 * EDGE) * depth) / Math.max(moves.length, 1);
    /** @param {number} chance */
    const y = (chance) => SPACE + (HEIGHT - 2 * SPACE) * (1 - chance);
    const isEmpty = !Object.keys(curves).length;
    // Without a curve, a text stands there.
    const made = isEmpty ? [] : [draw("path", { class: "even", d: `M0 ${HEIGHT / 2}H${WIDTH}` })];
    for (const [source, points] of Object.entries(curves)) {
      const path = points.map(([depth, chance]) => `${x(depth)} ${y(chance)}`).join("L");
      // A single point is a line of no length, whose ends are round.
      const d = points.length > 1 ? `M${path}` : `M${path}h0`;
      made.push(draw("path", { class: "rim", d }), draw("path", { class: `line ${source}`, d }));
    }
    if (!isEmpty) made.push(draw("path", { class: "now", d: `M${x(at)} 0V${HEIGHT}` }));
    within(element("curve"), "svg").replaceChildren(...made);
    this.#name(curves, isEmpty);
  }

  /**
   * @param {State["curves"]} curves
   * @param {boolean} isEmpty
   */
  #name(curves, isEmpty) {
    const box = element("curve");
    const found = Object.values(curves).flatMap((points) => points.filter(([depth]) => depth === this.#at));
    const chance = found.length ? chanceOfBlack(found[0][1]) : "";
    within(box, "p").textContent = isEmpty ? noCurve : "";
    box.setAttribute("aria-valuemax", String(this.#count));
    box.setAttribute("aria-valuenow", String(this.#at));
    box.setAttribute("aria-valuetext", [lookingAt(this.#at, this.#count), chance].filter(Boolean).join(", "));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      ArrowLeft: () => this.#browse(-1),
      ArrowDown: () => this.#browse(-1),
      ArrowRight: () => this.#browse(1),
      ArrowUp: () => this.#browse(1),
      Home: () => this.#go(0),
      End: () => this.#go(this.#count),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
}
