// The board: the server's picture, a ghost under the pointer, marks, and a cell for each point.

import { draw, element, make, picture } from "./page.js";
import { boardName, lastPlayed, mayPlay, point as pointName, stones, title, toPlay } from "./texts.js";

//: Pixels of a cell below which a finger needs a second tap.
const SMALL = 30;

export class Board {
  #state = null;
  #stones = [];
  #cells = [];
  #active = 0;
  #hovered = null;
  #tapped = null;
  #marks = false;
  #byKeys = false;
  #play;
  #tapAgain;

  /** play: called with the point that a person chooses; tapAgain: when a finger must confirm it. */
  constructor(play, tapAgain) {
    this.#play = play;
    this.#tapAgain = tapAgain;
    const cells = element("cells");
    cells.addEventListener("pointermove", (event) => this.#hover(event));
    cells.addEventListener("pointerleave", () => { this.#hovered = null; this.#drawOver(); });
    cells.addEventListener("click", (event) => this.#clicked(event));
    cells.addEventListener("keydown", (event) => this.#key(event));
    cells.addEventListener("focus", () => { this.#byKeys = cells.matches(":focus-visible"); this.#drawOver(); });
    cells.addEventListener("blur", () => { this.#byKeys = false; this.#drawOver(); });
  }

  set stones(pictures) {
    this.#stones = pictures.map((text) => picture(text));
  }

  /** Whether a stone may be put on the board by a person now. */
  get isOpen() {
    const state = this.#state;
    return !state.result && state.at === state.moves.length && state.players[state.turn].is_person;
  }

  show(state, { marks }) {
    const before = this.#state;
    this.#state = state;
    this.#marks = marks && state.game.marks_legal;
    this.#tapped = null;
    if (before?.board !== state.board) element("picture").replaceChildren(picture(state.board));
    const { width, height, margin } = state.layout;
    const frame = element("frame");
    frame.style.setProperty("--ratio", width / height);
    element("over").setAttribute("viewBox", `0 0 ${width} ${height}`);
    const cells = element("cells");
    cells.style.setProperty("--left", (100 * margin) / width);
    cells.style.setProperty("--top", (100 * margin) / height);
    const { rows, cols } = state.game;
    if (before?.game.rows !== rows || before?.game.cols !== cols || before?.game.name !== state.game.name) {
      this.#makeCells(rows, cols);
    }
    cells.setAttribute("aria-label", `${boardName(title(state.game))}. ${state.result ? "" : toPlay(state.turn)}`);
    cells.classList.toggle("open", this.isOpen);
    this.#nameCells();
    this.#drawOver();
  }

  #makeCells(rows, cols) {
    this.#cells = [];
    const made = [];
    for (let row = 0; row < rows; row += 1) {
      const line = make("div", { role: "row" });
      for (let col = 0; col < cols; col += 1) {
        const cell = make("div", { role: "gridcell", id: `point-${this.#cells.length}` });
        cell.dataset.point = this.#cells.length;
        this.#cells.push(cell);
        line.append(cell);
      }
      made.push(line);
    }
    element("cells").replaceChildren(...made);
    this.#hovered = null;
    this.#activate(Math.floor(rows / 2) * cols + Math.floor(cols / 2));
  }

  #nameCells() {
    const { game, names, stones: onBoard, last, legal } = this.#state;
    const few = game.marks_legal && this.isOpen ? new Set(legal) : new Set();
    this.#cells.forEach((cell, place) => {
      const name = names.cols[place % game.cols] + names.rows[Math.floor(place / game.cols)];
      const extra = place === last ? lastPlayed : few.has(place) ? mayPlay : "";
      const label = pointName(name, stones[onBoard[place]], extra);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    });
  }

  #activate(place) {
    this.#cells[this.#active]?.removeAttribute("aria-selected");
    this.#active = place;
    this.#cells[place].setAttribute("aria-selected", "true");
    element("cells").setAttribute("aria-activedescendant", `point-${place}`);
  }

  #hover(event) {
    if (event.pointerType === "touch") return;
    const place = event.target.dataset.point;
    const hovered = place === undefined ? null : Number(place);
    if (hovered !== this.#hovered) {
      this.#hovered = hovered;
      this.#drawOver();
    }
  }

  #clicked(event) {
    if (event.target.dataset.point === undefined) return;
    const place = Number(event.target.dataset.point);
    this.#activate(place);
    const isSmall = event.target.getBoundingClientRect().width < SMALL;
    if (event.pointerType === "touch" && isSmall && this.#tapped !== place && this.isOpen) {
      this.#tapped = place;
      this.#drawOver();
      this.#tapAgain();
      return;
    }
    this.#play(place);
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { rows, cols } = this.#state.game;
    const [row, col] = [Math.floor(this.#active / cols), this.#active % cols];
    const to = {
      ArrowLeft: [row, Math.max(col - 1, 0)],
      ArrowRight: [row, Math.min(col + 1, cols - 1)],
      ArrowUp: [Math.max(row - 1, 0), col],
      ArrowDown: [Math.min(row + 1, rows - 1), col],
      Home: [row, 0],
      End: [row, cols - 1],
      PageUp: [0, col],
      PageDown: [rows - 1, col],
    }[event.key];
    if (to) this.#activate(to[0] * cols + to[1]);
    else if (event.key === "Enter" || event.key === " ") this.#play(this.#active);
    else return;
    this.#byKeys = true;
    event.preventDefault();
    event.stopPropagation();
    this.#drawOver();
  }

  #at(place) {
    const { margin, cell } = this.#state.layout;
    const { cols } = this.#state.game;
    return [margin + ((place % cols) + 0.5) * cell, margin + (Math.floor(place / cols) + 0.5) * cell];
  }

  #drawOver() {
    const state = this.#state;
    if (!state) return;
    const made = [];
    const { cell } = state.layout;
    const legal = new Set(state.legal);
    const isEarlier = state.at !== state.moves.length;
    // What the opponent may play while it thinks is nobody's question.
    if (this.#marks && (this.isOpen || isEarlier)) {
      const color = state.turn === 1 ? "legal white" : "legal";
      for (const place of state.legal) {
        const [cx, cy] = this.#at(place);
        if (place < this.#cells.length) made.push(draw("circle", { class: color, cx, cy, r: 0.13 * cell }));
      }
    }
    if (Number.isInteger(state.hint) && state.hint < this.#cells.length && !isEarlier) {
      const [cx, cy] = this.#at(state.hint);
      made.push(draw("circle", { class: "hint-mark", cx, cy, r: 0.4 * cell }));
    }
    const shadow = this.#tapped ?? this.#hovered ?? (this.#byKeys ? this.#active : null);
    if (shadow !== null && this.isOpen && legal.has(shadow)) {
      const [x, y] = this.#at(shadow);
      const ghost = draw("g", { class: "ghost", transform: `translate(${x} ${y})` });
      ghost.append(...[...this.#stones[state.turn].children].map((child) => child.cloneNode(true)));
      made.push(ghost);
    }
    if (this.#byKeys || this.#tapped !== null) {
      const [x, y] = this.#at(this.#tapped ?? this.#active);
      const side = 0.94 * cell;
      const box = { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 0.14 * cell };
      made.push(draw("rect", { class: "cursor-rim", ...box }), draw("rect", { class: "cursor", ...box }));
    }
    element("over").replaceChildren(...made);
  }
}
