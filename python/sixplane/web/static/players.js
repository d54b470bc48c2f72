// The players: their names, captures or discs, and clocks, and who is thinking.

/** @import { State } from "./types.d.ts" */

import { COLORS, element, picture, within } from "./page.js";
import { captured, discs, inAll, nameOf, person, points } from "./texts.js";

//: The seconds left below which a clock warns.
const SHORT = 10;

/** @param {number} seconds */
const spell = (seconds) => {
  const whole = Math.max(Math.ceil(seconds - 0.001), 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

export class Players {
  /** @type {State | null} */
  #state = null;
  #since = 0;
  #isHalted = false;

  constructor() {
    setInterval(() => this.#tick(), 200);
  }

  /** @param {string[]} pictures */
  set stones(pictures) {
    for (const color of COLORS) {
      within(element(`player-${color}`), ".disc").replaceChildren(picture(pictures[color]));
    }
  }

  /** @param {State} state */
  show(state) {
    this.#state = state;
    this.#since = performance.now();
    this.#isHalted = false;
    const live = !state.result && state.is_live;
    for (const color of COLORS) {
      const card = element(`player-${color}`);
      const name = nameOf(state, color);
      const rank = state.about[color ? "white_rank" : "black_rank"];
      const named = [name, rank].filter(Boolean).join(" ");
      within(card, ".name").textContent = within(card, ".name").title = named;
      const plain = name === person(color) ? "" : person(color);
      const [kind, ...counts] = state.tally ?? ["", 0, 0];
      const say = Object.entries({ captured, discs, points }).find(([one]) => one === kind)?.[1];
      within(card, ".tally").textContent = say ? say(counts[color]) : plain;
      card.classList.toggle("on-turn", live && state.turn === color);
      const thinks = live && state.is_thinking && state.turn === color;
      if (!thinks || !card.classList.contains("thinking")) card.style.removeProperty("--part");
      card.classList.toggle("endless", thinks && !card.style.getPropertyValue("--part"));
      card.classList.toggle("thinking", thinks);
    }
    this.#tick();
  }

  /**
   * Fills the ring around the player who is thinking.
   *
   * @param {number} part
   */
  progress(part) {
    for (const color of COLORS) {
      const card = element(`player-${color}`);
      if (!card.classList.contains("thinking")) continue;
      card.classList.remove("endless");
      card.style.setProperty("--part", String(part));
    }
  }

  /** Lets the clocks stand until the next state: without the server nobody knows whether they run. */
  halt() {
    this.#isHalted = true;
  }

  #tick() {
    if (!this.#state || this.#isHalted) return;
    const { spent, left, limit, running } = this.#state.clock;
    const passed = (performance.now() - this.#since) / 1000;
    for (const color of COLORS) {
      const clock = within(element(`player-${color}`), ".clock");
      const runs = running === color;
      let text;
      let rest = Infinity;
      const total = spell(Math.floor(spent[color] + (runs ? passed : 0)));
      if (limit === null) {
        text = total;
        delete clock.dataset.total;
      } else {
        clock.dataset.total = inAll(total);
        rest = runs ? Math.max((left ?? 0) - passed, 0) : limit;
        text = spell(rest);
      }
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", runs);
      clock.classList.toggle("short", runs && rest < SHORT);
    }
  }
}
