// The variations of the game: what may follow, the alternatives, comments, and trying out.

/** @import { Branch, State } from "./types.d.ts" */

import { element, make, targetOf } from "./page.js";
import { backToGameButton, instead, mayFollow, moveTitle, startTitle } from "./texts.js";

export class Branches {
  /** @type {State | null} */
  #state = null;
  #go;
  #back;

  /**
   * @param {(place: number) => void} go called with the number of a position to show.
   * @param {() => void} back called to go back to the game.
   */
  constructor(go, back) {
    this.#go = go;
    this.#back = back;
    element("branches").onclick = (event) => {
      const button = targetOf(event).closest("button");
      if (!button) return;
      if (button.dataset.place) this.#go(Number(button.dataset.place));
      else this.#back();
    };
  }

  /** @param {State} state */
  show(state) {
    this.#state = state;
    const { comment, is_live: isLive, branch } = state;
    element("comment").textContent = comment;
    element("comment").hidden = !comment;
    // Whoever goes through them by keys stays on the button that was pressed.
    const pressed = element("branches").querySelector("button:focus")?.getAttribute("data-place");
    const back = make("button", { type: "button", className: "back-to-game", textContent: backToGameButton });
    element("branches").replaceChildren(
      ...(isLive && branch === null ? [] : [back]),
      ...this.#group(instead, state.beside),
      ...this.#group(mayFollow, state.next),
    );
    element("branches").hidden = !element("branches").childElementCount;
    /** @type {HTMLElement | null} */
    const again = element("branches").querySelector(`[data-place="${pressed}"]`);
    again?.focus();
  }

  /**
   * Goes to the next alternative of the position that is shown; by -1 to the one before.
   *
   * @param {number} by
   */
  turn(by) {
    if (!this.#state) return;
    const { beside, place } = this.#state;
    if (beside.length < 2) return;
    const index = beside.findIndex(([number]) => number === place);
    this.#go(beside[(index + by + beside.length) % beside.length][0]);
  }

  /**
   * @param {string} label
   * @param {Branch[]} places
   */
  #group(label, places) {
    if (places.length < 2) return [];
    return [
      make("span", { textContent: label }),
      ...places.map(([place, color, name]) => {
        const button = make("button", {
          type: "button",
          className: color ? "white" : "black",
          textContent: name,
        });
        button.dataset.place = String(place);
        if (place === this.#state?.place) button.setAttribute("aria-current", "true");
        button.setAttribute("aria-label", place ? moveTitle(color, name) : startTitle);
        return button;
      }),
    ];
  }
}
