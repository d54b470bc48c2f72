// What an agent says of the position: which part of it is drawn on the board, and the rest in words.

import { element, make } from "./page.js";
import { askingFor, chanceOfBlack, noInsight, ofTable, overlays, part, sourceNames } from "./texts.js";

//: So many candidates are named in words.
const NAMED = 3;

export class Insight {
  #sources = "";
  #changed;

  /** changed: called with `{ overlay }` or `{ of }` when the person chooses another. */
  constructor(changed) {
    this.#changed = changed;
    element("overlay").onchange = (event) => changed({ overlay: event.target.value });
    element("of").onchange = (event) => changed({ of: event.target.value });
    for (const id of ["overlay", "of"]) {
      // After a choice by mouse the keys belong to the game again.
      element(id).addEventListener("change", ({ target }) => { if (!target.matches(":focus-visible")) target.blur(); });
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

  /** nameOfAction: action -> its name. */
  show(state, { overlay, of }, nameOfAction) {
    const { sources, insight } = state;
    const key = sources.join();
    if (key !== this.#sources) {
      this.#sources = key;
      element("of").replaceChildren(...sources.map((value) => make("option", { value, textContent: sourceNames[value] })));
    }
    this.#offer(state);
    const isKnown = sources.includes(of);
    if (!isKnown && sources.length) this.#changed({ of: sources[0] });
    if (overlay === "table" && state.game.name !== "gomoku") this.#changed({ overlay: "off" });
    element("overlay").value = sources.length ? overlay : "off";
    element("of").value = isKnown ? of : sources[0] ?? "";
    element("overlay").disabled = element("of").disabled = !sources.length;
    element("of").hidden = sources.length < 2;
    const text = element("insight-text");
    const said = overlay === "off" ? this.#chance(state, of) : this.#words(state, insight, nameOfAction);
    if (text.textContent !== said) text.textContent = text.title = said;
  }

  /** The score table is one of Gomoku. */
  #offer({ game }) {
    const names = Object.keys(overlays).filter((name) => name !== "table" || game.name === "gomoku");
    if (element("overlay").options.length === names.length) return;
    element("overlay").replaceChildren(...names.map((value) => make("option", { value, textContent: overlays[value] })));
  }

  /** The chances at the position shown, as far as an agent has told them while it played. */
  #chance({ curves, at }, of) {
    const found = (curves[of] ?? Object.values(curves)[0] ?? []).find(([depth]) => depth === at);
    return found ? chanceOfBlack(found[1]) : "";
  }

  #words(state, insight, nameOfAction) {
    // Nobody thinks about the end.
    if (!insight && !state.legal.length) return "";
    if (state.table) {
      return state.table.slice(0, NAMED).map(([action, ...rest]) => ofTable(nameOfAction(action), ...rest)).join(", ");
    }
    if (!insight) return state.is_asking ? askingFor : noInsight;
    const best = insight.candidates.slice(0, NAMED).map(({ action, policy }) => part(nameOfAction(action), policy));
    return [insight.black === null ? "" : chanceOfBlack(insight.black), best.join(", ")].filter(Boolean).join(" · ");
  }
}
