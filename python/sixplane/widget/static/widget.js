// A board in the output of a cell of a notebook. The kernel has the game: it sends what to show, and takes the
// moves. Without a kernel the board shows the last position, which the notebook has stored.

/** @import { Message, Model } from "../../web/static/types.d.ts" */

import { Board } from "./board.js";
import { draw, make } from "./page.js";
import * as words from "./texts.js";

//: The milliseconds after which a kernel counts as silent, and those that a notice is shown.
const PATIENCE = 2500;
const NOTICE = 5000;

/** @type {Record<string, string>} */
const ARROWS = {
  first: "M7 5v14M18 5l-8 7 8 7",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M17 5v14M6 5l8 7-8 7",
};

export default {
  /** @param {{ model: Model, el: HTMLElement }} cell */
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.close();
  },
};

class View {
  #model;
  #root = make("div", { className: "widget" });
  #frame = make("div", { className: "frame" });
  #board = new Board(this.#frame, {
    play: (place) => this.#play(place),
    tapAgain: () => this.#notify(words.touchAgain),
  });
  #pager = make("div", { className: "pager", role: "toolbar", "aria-label": words.notebook.pages });
  #status = make("p", { className: "status", role: "status" });
  #bar = make("div", { className: "bar" });
  #actions = make("div", { className: "actions", role: "toolbar", "aria-label": words.texts.actions });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = {};
  #place = make("span", { className: "place" });
  #number = make("input", { type: "number", min: 0, "aria-label": words.notebook.chooseGame });
  #notice = "";
  /** The move that was asked for, until the kernel answers. @type {number | null} */
  #asked = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {(() => void)[]} */
  #endings = [];

  /**
   * @param {Model} model
   * @param {HTMLElement} el
   */
  constructor(model, el) {
    this.#model = model;
    const host = make("div");
    // Keys on the board must not be commands of the notebook.
    host.dataset.lmSuppressShortcuts = "true";
    host.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") event.stopPropagation();
    });
    const shadow = host.attachShadow({ mode: "open" });
    shadow.append(make("style", { textContent: SHEETS }), this.#root);
    this.#make();
    this.#listen("change:state", () => this.#show());
    this.#listen("change:width", () => this.#show());
    this.#listen("msg:custom", (message) => this.#receive(message));
    this.#show();
    // A board in a row of others may be narrower than it is told.
    el.style.minWidth = "0";
    el.append(host);
    this.#color(host);
  }

  close() {
    clearTimeout(this.#timer);
    for (const end of this.#endings) end();
  }

  /**
   * @param {string} event
   * @param {Parameters<Model["on"]>[1]} handler
   */
  #listen(event, handler) {
    this.#model.on(event, handler);
    this.#endings.push(() => this.#model.off(event, handler));
  }

  #make() {
    this.#board.stones = this.#model.get("stones");
    this.#button("pass", words.texts.pass, () => this.#play(this.#state.game.rows * this.#state.game.cols));
    this.#button("undo", words.texts.undo, () => this.#ask({ do: "undo", serial: this.#state.serial }));
    this.#button(
      "resign",
      words.texts.resign,
      () => this.#ask({ do: "resign", at: this.#state.moves.length, serial: this.#state.serial }),
    );
    const walk = make("div", { className: "walk", role: "group", "aria-label": words.texts.walk });
    this.#arrow("first", walk, words.texts.first, () => this.#look(0));
    this.#arrow("back", walk, words.texts.back, () => this.#step(-1));
    walk.append(this.#place);
    this.#arrow("forward", walk, words.texts.forward, () => this.#step(1));
    this.#arrow("last", walk, words.texts.last, () => this.#look(Infinity));
    this.#actions.append(walk);
    this.#number.addEventListener("change", () => this.#turn(Number(this.#number.value)));
    const of = make("span", { className: "of" });
    this.#arrow("earlier", this.#pager, words.notebook.earlierGame, () => this.#turnBy(-1), "back");
    this.#pager.append(this.#number, of);
    this.#arrow("later", this.#pager, words.notebook.laterGame, () => this.#turnBy(1), "forward");
    const { page } = this.#state;
    if (page) {
      this.#root.append(this.#pager);
      this.#number.max = String(page.count - 1);
      of.textContent = words.notebook.gamesTo(page.count - 1);
    }
    this.#root.append(this.#frame, this.#bar, this.#status, this.#actions);
  }

  /**
   * @param {string} name
   * @param {string} text
   * @param {() => void} act
   */
  #button(name, text, act) {
    this.#buttons[name] = make("button", { type: "button", textContent: text, onclick: act });
    this.#actions.append(this.#buttons[name]);
  }

  /**
   * @param {string} name
   * @param {HTMLElement} into
   * @param {string} label
   * @param {() => void} act
   * @param {string} arrow
   */
  #arrow(name, into, label, act, arrow = name) {
    const path = draw("path", { d: ARROWS[arrow] });
    const icon = draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, path);
    this.#buttons[name] = make(
      "button",
      { type: "button", title: label, "aria-label": label, onclick: act },
      icon,
    );
    into.append(this.#buttons[name]);
  }

  get #state() {
    return this.#model.get("state");
  }

  /**
   * Sends a message to the kernel, and shows a notice if it does not answer.
   *
   * @param {Message} message
   */
  #ask(message) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#notify(words.notebook.noAnswer), PATIENCE);
    try {
      this.#model.send(message);
    } catch {
      // The kernel has ended.
      this.#notify(words.notebook.noAnswer);
    }
  }

  /** @param {number} action */
  #play(action) {
    const state = this.#state;
    if (state.page) this.#notify(words.notebook.lookOnly);
    else if (state.at !== state.moves.length) this.#notify(words.notebook.earlier);
    else if (!state.result) this.#ask({ do: "play", action, at: state.moves.length, serial: state.serial });
  }

  /** @param {number} at */
  #look(at) {
    const { moves } = this.#state;
    const to = Math.max(Math.min(at, moves.length), 0);
    this.#asked = to;
    this.#ask({ do: "look", at: to === moves.length ? null : to });
  }

  /**
   * Goes so many moves on. A person may press again before the kernel has answered.
   *
   * @param {number} by
   */
  #step(by) {
    this.#look((this.#asked ?? this.#state.at) + by);
  }

  /** @param {number} by */
  #turnBy(by) {
    this.#turn(Number(this.#number.value) + by);
  }

  /** @param {number} index */
  #turn(index) {
    const { page } = this.#state;
    if (!page) return;
    const to = Math.max(Math.min(Math.round(index) || 0, page.count - 1), 0);
    this.#number.value = String(to);
    if (to !== page.index) this.#ask({ do: "page", index: to });
  }

  /** @param {{ type: string, part?: number, reason?: string, text?: string }} message */
  #receive({ type, part = 0, reason = "", text = "" }) {
    if (type === "progress") this.#bar.style.setProperty("--part", String(part));
    if (type === "refused") this.#notify(words.refusal(reason, text));
  }

  /**
   * Shows a text in place of the status for some seconds.
   *
   * @param {string} text
   */
  #notify(text) {
    clearTimeout(this.#timer);
    this.#notice = text;
    this.#showStatus();
    this.#timer = setTimeout(() => {
      this.#notice = "";
      this.#showStatus();
    }, NOTICE);
  }

  #show() {
    const state = this.#state;
    const { at, moves, result, page, turn, players, game, legal } = state;
    clearTimeout(this.#timer);
    this.#notice = "";
    this.#asked = null;
    const isLast = at === moves.length;
    const isOpen = isLast && !result && players[turn].is_person;
    this.#root.style.setProperty("--width", `${this.#model.get("width")}px`);
    this.#board.show(state, {
      isOpen,
      isOver: Boolean(result),
      marks: isOpen && state.marks && game.marks_legal,
    });
    this.#bar.classList.toggle("thinking", state.is_thinking);
    this.#bar.style.removeProperty("--part");
    const { pass, undo, resign, first, back, forward, last, earlier, later } = this.#buttons;
    const maySwap = game.passing !== words.passName;
    pass.hidden = Boolean(page) || !game.has_pass || maySwap && !legal.includes(game.rows * game.cols);
    pass.textContent = maySwap ? words.texts.swap : words.texts.pass;
    undo.hidden = resign.hidden = Boolean(page);
    pass.disabled = !(isOpen && legal.includes(game.rows * game.cols));
    undo.disabled = !state.can_undo;
    resign.disabled = Boolean(result);
    first.disabled = back.disabled = at === 0;
    forward.disabled = last.disabled = isLast;
    this.#place.textContent = `${at}/${moves.length}`;
    this.#place.style.minWidth = `${2 * String(moves.length).length + 1}ch`;
    if (page) {
      this.#number.value = String(page.index);
      earlier.disabled = page.index === 0;
      later.disabled = page.index === page.count - 1;
    }
    this.#showStatus();
  }

  #showStatus() {
    const text = this.#notice || this.#standing();
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#status.title = text;
  }

  /** The status of the game in one line. */
  #standing() {
    const { at, moves, result, insight } = this.#state;
    if (at !== moves.length) {
      const certain = insight?.proven ? ` ${words.proven[insight.proven]}.` : "";
      return `${words.lookingAt(at, moves.length)}.${certain}`;
    }
    if (result) return [words.result(result), result.detail].filter(Boolean).join(". ");
    return words.turnText(this.#state);
  }

  /**
   * Makes the board light or dark as its background is, and again when the notebook changes.
   *
   * @param {HTMLElement} host
   */
  #color(host) {
    const choose = () => this.#root.classList.toggle("dark", isDark(host));
    const watch = new MutationObserver(choose);
    for (const one of [document.documentElement, document.body]) watch.observe(one, { attributes: true });
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", choose);
    // The element is not in the document yet.
    requestAnimationFrame(choose);
    this.#endings.push(() => {
      watch.disconnect();
      scheme.removeEventListener("change", choose);
    });
  }
}

/**
 * Whether the background of an element is dark.
 *
 * @param {Element} element
 */
function isDark(element) {
  // A color may be written in many ways. Its pixel has numbers for each.
  const pixel = make("canvas", { width: 1, height: 1 }).getContext("2d");
  /** @type {Element | undefined} */
  let one = element;
  while (pixel && one) {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = getComputedStyle(one).backgroundColor;
    pixel.fillRect(0, 0, 1, 1);
    const [red, green, blue, opacity] = pixel.getImageData(0, 0, 1, 1).data;
    if (opacity > 127) return 0.3 * red + 0.59 * green + 0.11 * blue < 128;
    one = one.parentElement ?? /** @type {Partial<ShadowRoot>} */ (one.getRootNode()).host;
  }
  return false;
}
