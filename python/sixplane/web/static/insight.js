// The analysis of the position by an agent: which part of it is drawn on the board, and the rest in words.

/** @import { Insight, Overlay, Source, State } from "./types.d.ts" */

import { element, make, targetOf } from "./page.js";
import {
  askingFor,
  chanceOfBlack,
  noInsight,
  ofTable,
  overlays,
  part,
  proven,
  sourceNames,
} from "./texts.js";

//: The number of candidates that the text names.
const NAMED = 3;

export class InsightPanel {
  #sources = "";
  #changed;

  /**
   * @param {(changes: { overlay?: string, of?: string }) => void} changed called when the person chooses
   * another part or agent.
   */
  constructor(changed) {
    this.#changed = changed;
    element("overlay").onchange = (event) => changed({ overlay: targetOf(event).value });
    element("of").onchange = (event) => changed({ of: targetOf(event).value });
    for (const select of [element("overlay"), element("of")]) {
      // After a choice by mouse the keys belong to the game again.
      select.addEventListener("change", () => {
        if (!select.matches(":focus-visible")) select.blur();
      });
    }
  }

  /** Goes to the next overlay. */
  next() {
    const select = element("overlay");
    const names = [...select.options].map((option) => option.value);
    if (select.disabled) return;
    select.value = names[(names.indexOf(select.value) + 1) % names.length];
    this.#changed({ overlay: select.value });
  }

  /**
   * @param {State} state
   * @param {{ overlay: string, of: string }} analysis
   * @param {(action: number) => string} nameOfAction
   */
  show(state, { overlay, of }, nameOfAction) {
    const { sources, insight } = state;
    const key = sources.join();
    if (key !== this.#sources) {
      this.#sources = key;
      element("of").replaceChildren(
        ...sources.map((value) => make("option", { value, textContent: sourceNames[value] })),
      );
    }
    const offered = this.#offer(state);
    const isKnown = sources.includes(/** @type {Source} */ (of));
    if (!isKnown && sources.length) this.#changed({ of: sources[0] });
    const isOffered = offered.some((name) => name === overlay);
    if (!isOffered) this.#changed({ overlay: "off" });
    element("overlay").value = isOffered ? overlay : "off";
    element("of").value = isKnown ? of : sources[0] ?? "";
    element("overlay").disabled = offered.length < 2;
    element("of").disabled = !sources.length;
    element("of").hidden = sources.length < 2;
    const text = element("insight-text");
    const words = overlay === "off" ? this.#chance(state, of) : this.#words(state, insight, nameOfAction);
    if (text.textContent !== words) text.textContent = text.title = words;
  }

  /**
   * The overlays of a game: only Gomoku has a score table, which needs no agent, and owners are those of points
   * that count.
   */
  #offered(/** @type {State} */ { game, sources }) {
    return /** @type {Overlay[]} */ (Object.keys(overlays)).filter((name) => {
      if (name === "off") return true;
      if (name === "table") return game.name === "gomoku";
      return sources.length > 0 && (name !== "ownership" || game.counts_points);
    });
  }

  #offer(/** @type {State} */ state) {
    const names = this.#offered(state);
    if ([...element("overlay").options].map(({ value }) => value).join() !== names.join()) {
      element("overlay").replaceChildren(
        ...names.map((value) => make("option", { value, textContent: overlays[value] })),
      );
    }
    return names;
  }

  /** The chance of Black in the position that is shown, if an agent found it while it played. */
  #chance(/** @type {State} */ { curves, at }, /** @type {string} */ of) {
    const found = (curves[/** @type {Source} */ (of)] ?? Object.values(curves)[0] ?? []).find(([depth]) =>
      depth === at
    );
    return found ? chanceOfBlack(found[1]) : "";
  }

  /**
   * @param {State} state
   * @param {Insight | null} insight
   * @param {(action: number) => string} nameOfAction
   */
  #words(state, insight, nameOfAction) {
    // No agent is asked about the end of a game.
    if (!insight && !state.legal.length) return "";
    if (state.table) {
      return state.table.slice(0, NAMED).map(([action, score, pattern]) =>
        ofTable(nameOfAction(action), score, pattern)
      )
        .join(", ");
    }
    if (!insight) return state.is_asking ? askingFor : noInsight;
    const best = insight.candidates.slice(0, NAMED).map(({ action, policy }) =>
      part(nameOfAction(action), policy)
    );
    const chance = insight.black === null ? "" : chanceOfBlack(insight.black);
    return [insight.proven ? proven[insight.proven] : chance, best.join(", ")].filter(Boolean).join(" · ");
  }
}
