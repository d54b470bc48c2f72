// How this page shows the board; the browser stores it.

/** @import { GameInfo, Message } from "./types.d.ts" */

import { element, segments, targetOf, within } from "./page.js";
import { marks as markTexts, schemes, themes } from "./texts.js";

const KEY = "sixplane";
const dark = matchMedia("(prefers-color-scheme: dark)");

const defaults = {
  theme: "classic",
  scheme: "auto",
  coordinates: true,
  numbers: false,
  all: false,
  sound: false,
  // Where few points are legal, the page marks them unless the person switches that off.
  marks: { legal: true, forbidden: false },
};

/** @returns {typeof defaults} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    const marks = { ...defaults.marks, ...found.marks };
    return { ...defaults, ...found, marks };
  } catch {
    return structuredClone(defaults);
  }
}

export class Settings {
  #values = kept();
  /** @type {keyof typeof markTexts} */
  #kind = "forbidden";
  #hasMarks = true;
  // This is not stored, because agents must think for it.
  #analysis = { overlay: "off", of: "hint" };
  #changed;

  /** @param {() => void} changed called when the board must be drawn again. */
  constructor(changed) {
    this.#changed = changed;
    if (!(this.#values.theme in themes)) this.#values.theme = defaults.theme;
    segments(element("themes"), "theme", themes, this.#values.theme, (theme) => this.#set({ theme }));
    segments(element("schemes"), "scheme", schemes, this.#values.scheme, (scheme) => this.#set({ scheme }));
    this.#switch(element("show-coordinates"), "coordinates");
    this.#switch(element("show-numbers"), "numbers");
    this.#switch(element("show-all"), "all");
    this.#switch(element("sound"), "sound");
    element("show-marks").onchange = () => this.toggleMarks();
    element("settings").onclick = () => element("settings-sheet").showModal();
    dark.addEventListener("change", () => this.#paint());
    this.#paint();
  }

  /**
   * @param {HTMLInputElement} box
   * @param {"coordinates" | "numbers" | "all" | "sound"} name
   */
  #switch(box, name) {
    box.checked = this.#values[name];
    box.onchange = (event) => this.#set({ [name]: targetOf(event).checked });
  }

  /**
   * The game, which decides which marks the switch is for.
   *
   * @param {GameInfo} game
   */
  set game(game) {
    this.#kind = game.marks_legal ? "legal" : "forbidden";
    this.#hasMarks = game.marks_legal || game.forbids_points;
    within(document, ".switch:has(#show-marks)").hidden = !this.#hasMarks;
    element("marks-text").textContent = markTexts[this.#kind];
    element("show-marks").checked = this.marks;
  }

  get marks() {
    return this.#hasMarks && Boolean(this.#values.marks[this.#kind]);
  }

  get sound() {
    return Boolean(this.#values.sound);
  }

  /**
   * The message with the settings that the server needs.
   *
   * @returns {Message}
   */
  get message() {
    const { theme, numbers, coordinates, all } = this.#values;
    return {
      do: "show",
      theme,
      numbers: Boolean(numbers),
      marks: this.marks,
      coordinates: Boolean(coordinates),
      all_numbers: Boolean(all),
      ...this.#analysis,
    };
  }

  /** Which part of an analysis is drawn, and of which agent. */
  get analysis() {
    return this.#analysis;
  }

  /** @param {{ overlay?: string, of?: string }} changes */
  analyze(changes) {
    Object.assign(this.#analysis, changes);
    this.#changed();
  }

  toggleMarks() {
    if (!this.#hasMarks) return;
    this.#set({ marks: { ...this.#values.marks, [this.#kind]: !this.marks } });
    element("show-marks").checked = this.marks;
  }

  /** @param {Partial<typeof defaults>} values */
  #set(values) {
    Object.assign(this.#values, values);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#values));
    } catch { /* A browser may keep nothing. */ }
    this.#paint();
    this.#changed();
  }

  #paint() {
    const { scheme } = this.#values;
    const isDark = scheme === "dark" || (scheme !== "light" && dark.matches);
    document.documentElement.dataset.scheme = isDark ? "dark" : "light";
  }
}
