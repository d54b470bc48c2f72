// The list of moves, and the buttons that go back and forward in it.

/** @import { State } from "./types.d.ts" */

import { element, make, targetOf } from "./page.js";
import { moveName, used } from "./texts.js";

export class Moves {
  /** @type {State | null} */
  #state = null;
  #shown = "";
  #look;
  #browse;

  /**
   * @param {(at: number | null) => void} look called with the number of moves after which to look at the
   * board; null: the last position.
   * @param {(by: number) => void} browse called with 1 or -1 to look at the next position or the one before.
   */
  constructor(look, browse) {
    this.#look = look;
    this.#browse = browse;
    element("first").onclick = () => this.go(0);
    element("back").onclick = () => this.browse(-1);
    element("forward").onclick = () => this.browse(1);
    element("last").onclick = () => this.go(Infinity);
    element("moves").onclick = (event) => {
      const button = targetOf(event).closest("button");
      if (button) this.go(Number(button.dataset.at));
    };
  }

  /**
   * Looks at the next position, or by -1 at the one before. The server counts, because keys may be faster than it.
   *
   * @param {number} by
   */
  browse(by) {
    this.#browse(by);
  }

  /** @param {number} at */
  go(at) {
    const count = this.#state?.moves.length ?? 0;
    const place = Math.min(Math.max(at, 0), count);
    // Past the end the page follows the game.
    this.#look(place >= count && this.#state?.branch === null ? null : place);
  }

  /** @param {State} state */
  show(state) {
    this.#state = state;
    const list = element("moves");
    const key = JSON.stringify([state.serial, state.moves, state.seconds, state.branch, state.forks]);
    if (key !== this.#shown) {
      this.#shown = key;
      list.replaceChildren(...this.#entries(state));
    }
    for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    /** @type {HTMLElement | null} */
    const current = list.querySelector(`[data-at="${state.at}"]`);
    current?.setAttribute("aria-current", "true");
    // Only the list scrolls, never the page.
    if (current) {
      list.scrollTop = current.offsetTop - list.offsetTop - (list.clientHeight - current.offsetHeight) / 2;
    } else list.scrollTop = 0;
    const { at, moves } = state;
    element("first").disabled = element("back").disabled = at === 0;
    element("last").disabled = element("forward").disabled = at === moves.length;
  }

  /** @param {State} state */
  #entries({ moves, seconds, branch, forks }) {
    /** @type {HTMLElement[]} */
    const entries = [];
    let column = 0;
    moves.forEach(([color, name], index) => {
      // Black stands on the left and White on the right, even where one plays twice.
      while (column !== color) {
        entries.push(make("li", { className: "skipped", "aria-hidden": "true" }));
        column = 1 - column;
      }
      const number = index + 1;
      const button = make("button", { type: "button", "aria-label": moveName(number, color, name) }, name);
      button.dataset.at = String(number);
      const time = seconds[index];
      if (time !== null) button.dataset.used = used(time);
      button.classList.toggle("branch", branch !== null && number > branch);
      button.classList.toggle("fork", forks.includes(number));
      button.prepend(make("span", { className: "number", textContent: number }));
      entries.push(make("li", { className: color ? "white" : "black" }, button));
      column = 1 - column;
    });
    return entries;
  }
}
