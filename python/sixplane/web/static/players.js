// The players: names, captures or discs, clocks that run, and who thinks.

import { element, picture } from "./page.js";
import { captured, discs, inAll, person, points } from "./texts.js";

//: Seconds left below which a clock warns.
const SHORT = 10;

const spell = (seconds) => {
  const whole = Math.max(Math.ceil(seconds - 0.001), 0);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};

/** What a player is called; a person without a name by the color. */
export const nameOf = (state, color) => {
  const { name } = state.players[color];
  return name || person(color);
};

export class Players {
  #state = null;
  #since = 0;

  constructor() {
    setInterval(() => this.#tick(), 200);
  }

  set stones(pictures) {
    pictures.forEach((text, color) => {
      element(`player-${color}`).querySelector(".disc").replaceChildren(picture(text));
    });
  }

  show(state) {
    this.#state = state;
    this.#since = performance.now();
    const live = !state.result && state.is_live;
    for (const color of [0, 1]) {
      const card = element(`player-${color}`);
      const name = nameOf(state, color);
      card.querySelector(".name").textContent = [name, state.about[`${["black", "white"][color]}_rank`]].filter(Boolean).join(" ");
      card.querySelector(".name").title = name;
      const [kind, ...counts] = state.tally ?? [""];
      const words = { captured, discs, points }[kind];
      card.querySelector(".tally").textContent = words ? words(counts[color]) : name === person(color) ? "" : person(color);
      card.classList.toggle("on-turn", live && state.turn === color);
      const thinks = live && state.is_thinking && state.turn === color;
      if (!thinks || !card.classList.contains("thinking")) card.style.removeProperty("--part");
      card.classList.toggle("endless", thinks && !card.style.getPropertyValue("--part"));
      card.classList.toggle("thinking", thinks);
    }
    this.#tick();
  }

  /** Fills the ring of the player who thinks. */
  progress(part) {
    for (const card of document.querySelectorAll(".player.thinking")) {
      card.classList.remove("endless");
      card.style.setProperty("--part", part);
    }
  }

  #tick() {
    if (!this.#state) return;
    const { spent, left, limit, running } = this.#state.clock;
    const passed = (performance.now() - this.#since) / 1000;
    for (const color of [0, 1]) {
      const clock = element(`player-${color}`).querySelector(".clock");
      const runs = running === color;
      let text;
      let rest = Infinity;
      const total = spell(Math.floor(spent[color] + (runs ? passed : 0)));
      if (limit === null) {
        text = total;
        delete clock.dataset.total;
      } else {
        clock.dataset.total = inAll(total);
        rest = runs ? Math.max(left - passed, 0) : limit;
        text = spell(rest);
      }
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", runs);
      clock.classList.toggle("short", runs && rest < SHORT);
    }
  }
}
