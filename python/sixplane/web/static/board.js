// The board: a picture of a position, a faint stone under the pointer, marks, and a cell for each point.
//
// It fills one element and does not depend on the page around it, so a document may have any number of boards.
// Its style sheet is board.css.

/** @import { Candidate, Color, Position, RecordMark } from "./types.d.ts" */

import { draw, make, picture, targetOf } from "./page.js";
import {
  boardName,
  candidate,
  dead as deadStone,
  lastPlayed,
  markName,
  mayPlay,
  point as pointName,
  stones,
  title,
  toPlay,
} from "./texts.js";

//: The width of a cell in pixels below which a finger must tap twice.
const SMALL = 30;

//: The pixels that a wheel turns for one move, and the milliseconds between two moves.
const NOTCH = 50;
const PAUSE = 40;

//: The most moves of a line that are shown.
const LONGEST_LINE = 12;

let boards = 0;

/**
 * What a tap on a point was meant for: it stands until another position or game is shown.
 *
 * @param {Position} state
 */
const meaning = ({ serial, game, stones: onBoard, turn, legal }) =>
  JSON.stringify([serial, game, onBoard, turn, legal]);

export class Board {
  #root;
  #picture = make("div", { className: "picture", "aria-hidden": "true" });
  #over = draw("svg", { class: "over", "aria-hidden": "true" });
  #grid = make("div", { className: "cells", role: "grid", tabIndex: 0 });
  #ids;
  /** @type {Position | null} */
  #state = null;
  /** @type {Element[]} */
  #stones = [];
  /** @type {HTMLElement[]} */
  #cells = [];
  #active = 0;
  /** @type {number | null} */
  #hovered = null;
  /** @type {number | null} */
  #tapped = null;
  #marks = false;
  /** @type {Map<number, Candidate>} */
  #lines = new Map();
  #isOpen = false;
  #byKeys = false;
  #byPointer = false;
  #play;
  #tapAgain;
  #browse;
  #turned = 0;
  #browsed = 0;

  /**
   * @param {HTMLElement} root an empty element, whose class `board` the style sheet knows.
   * @param {object} options
   * @param {(point: number) => void} options.play called with the point that a person chooses.
   * @param {() => void} [options.tapAgain] called when a finger must confirm the point.
   * @param {((by: number) => void) | null} [options.browse] called with 1 or -1 when the wheel turns over the
   * board; where there is one, keys move the cursor only while the board has the focus by keyboard, because
   * without it they go through the moves.
   * @param {string} [options.ids] what the ids of the cells begin with; they must be the only ones of the
   * document.
   */
  constructor(root, { play, tapAgain = () => {}, browse = null, ids = `board-${boards += 1}-` }) {
    this.#root = root;
    this.#play = play;
    this.#tapAgain = tapAgain;
    this.#browse = browse;
    this.#ids = ids;
    root.classList.add("board");
    root.replaceChildren(this.#picture, this.#over, this.#grid);
    const grid = this.#grid;
    grid.addEventListener("pointermove", (event) => this.#hover(event));
    grid.addEventListener("pointerleave", () => {
      this.#hovered = null;
      this.#drawOver();
    });
    grid.addEventListener("click", (event) => this.#clicked(/** @type {PointerEvent} */ (event)));
    grid.addEventListener("pointerdown", () => {
      [this.#byPointer, this.#byKeys] = [true, false];
      this.#drawOver();
    });
    grid.addEventListener("keyup", ({ key }) => {
      if (key !== "Tab") return;
      [this.#byPointer, this.#byKeys] = [false, true];
      this.#drawOver();
    });
    if (browse) root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focus", () => {
      // It comes back from a dialog or another window, too, and then as it was.
      this.#byKeys = !this.#byPointer && grid.matches(":focus-visible");
      this.#drawOver();
    });
    grid.addEventListener("blur", () => {
      this.#byKeys = false;
      this.#drawOver();
    });
  }

  /**
   * The pictures of a black and a white stone, as SVG; without them no faint stone is shown.
   *
   * @param {string[]} pictures
   */
  set stones(pictures) {
    this.#stones = pictures.map((text) => picture(text));
  }

  /**
   * Shows a position.
   *
   * @param {Position} state
   * @param {object} options
   * @param {boolean} options.isOpen whether a move may be played on the board now.
   * @param {boolean} [options.isOver] whether the game is over.
   * @param {boolean} [options.marks] whether to mark the legal points.
   * @param {number | null} [options.hint] a point to mark as the hint.
   * @param {Candidate[]} [options.lines] the expected lines of play; a line is shown while the pointer
   * or the cursor is on its first point.
   */
  show(state, { isOpen, isOver = false, marks = false, hint = null, lines = [] }) {
    const before = this.#state;
    this.#state = { ...state, hint };
    this.#lines = new Map(lines.map((one) => [one.action, one]));
    [this.#isOpen, this.#marks] = [isOpen, marks];
    if (!isOpen || !before || meaning(before) !== meaning(state)) this.#tapped = null;
    if (before?.board !== state.board) this.#picture.replaceChildren(picture(state.board));
    const { width, height, margin, cell, top, row, slant } = state.layout;
    this.#root.style.setProperty("--ratio", String(width / height));
    this.#over.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { rows, cols } = state.game;
    const above = top - row / 2;
    this.#grid.style.setProperty("--left", String((100 * margin) / width));
    this.#grid.style.setProperty("--right", String(100 - (100 * (margin + cols * cell)) / width));
    this.#grid.style.setProperty("--top", String((100 * above) / height));
    this.#grid.style.setProperty("--bottom", String(100 - (100 * (above + rows * row)) / height));
    this.#grid.style.setProperty("--slant", String((100 * slant) / (cols * cell)));
    if (before?.game.rows !== rows || before?.game.cols !== cols || before?.game.name !== state.game.name) {
      this.#makeCells(rows, cols);
    }
    this.#grid.setAttribute(
      "aria-label",
      `${boardName(title(state.game))}. ${isOver ? "" : toPlay(state.turn)}`,
    );
    this.#grid.classList.toggle("open", isOpen);
    this.#nameCells(this.#state);
    this.#drawOver();
  }

  /**
   * @param {number} rows
   * @param {number} cols
   */
  #makeCells(rows, cols) {
    this.#cells = [];
    const made = [];
    for (let row = 0; row < rows; row += 1) {
      const line = make("div", { role: "row" });
      line.style.setProperty("--row", String(row));
      for (let col = 0; col < cols; col += 1) {
        const cell = make("div", { role: "gridcell", id: `${this.#ids}point-${this.#cells.length}` });
        cell.dataset.point = String(this.#cells.length);
        this.#cells.push(cell);
        line.append(cell);
      }
      made.push(line);
    }
    this.#grid.replaceChildren(...made);
    this.#hovered = null;
    this.#activate(Math.floor(rows / 2) * cols + Math.floor(cols / 2));
  }

  /** @param {Position} state */
  #nameCells(state) {
    const { game, names, stones: onBoard, last, legal } = state;
    const dead = new Set(state.counting?.dead ?? []);
    const few = game.marks_legal && this.#isOpen ? new Set(legal) : new Set();
    const marked = new Map(
      (state.record_marks ?? []).map(([point, shape, text]) => [point, markName(shape, text)]),
    );
    this.#cells.forEach((cell, point) => {
      const name = names.cols[point % game.cols] + names.rows[Math.floor(point / game.cols)];
      let extra = dead.has(point) ? deadStone : point === last ? lastPlayed : few.has(point) ? mayPlay : "";
      const expected = this.#lines.get(point);
      if (expected) extra = candidate(expected.policy);
      if (marked.has(point)) extra = [extra, marked.get(point)].filter(Boolean).join(", ");
      const label = pointName(name, stones[/** @type {keyof typeof stones} */ (onBoard[point])], extra);
      if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
    });
  }

  /** @param {number} point */
  #activate(point) {
    this.#cells[this.#active]?.removeAttribute("aria-selected");
    this.#active = point;
    this.#cells[point].setAttribute("aria-selected", "true");
    this.#grid.setAttribute("aria-activedescendant", this.#cells[point].id);
  }

  /**
   * The point that a person means by this one: where discs fall, the one of its column that may be played.
   *
   * @param {number} point
   */
  #meant(point) {
    const { game, legal } = /** @type {Position} */ (this.#state);
    if (!game.drops || !this.#isOpen) return point;
    return legal.find((one) => one % game.cols === point % game.cols) ?? point;
  }

  /**
   * The point under the pointer. Cells are rectangles, and a hexagon reaches above and below its own: there the
   * nearest point is the one.
   *
   * @param {PointerEvent} event
   * @param {number} target the point of the cell under the pointer.
   */
  #pointed({ clientX, clientY }, target) {
    const state = /** @type {Position} */ (this.#state);
    const { layout: { width, height, cell, slant }, game: { cols } } = state;
    if (!slant) return target;
    const box = this.#over.getBoundingClientRect();
    const [x, y] = [(clientX - box.left) / box.width * width, (clientY - box.top) / box.height * height];
    /** @param {number} point */
    const far = (point) => {
      const [right, down] = this.#at(state, point);
      return Math.hypot(x - right, y - down);
    };
    // A click that no pointer has made is anywhere.
    if (far(target) > cell) return target;
    // A point at the end of another row is far away.
    const near = [target - cols, target - cols + 1, target + cols - 1, target + cols];
    return near.reduce((best, one) => this.#cells[one] && far(one) < far(best) ? one : best, target);
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    if (event.pointerType === "touch") return;
    const point = targetOf(event).dataset.point;
    const hovered = point === undefined ? null : this.#meant(this.#pointed(event, Number(point)));
    if (hovered !== this.#hovered) {
      this.#hovered = hovered;
      this.#drawOver();
    }
  }

  /** @param {PointerEvent} event */
  #clicked(event) {
    const cell = targetOf(event);
    if (cell.dataset.point === undefined) return;
    const point = this.#meant(this.#pointed(event, Number(cell.dataset.point)));
    this.#activate(point);
    const isSmall = cell.getBoundingClientRect().width < SMALL;
    if (event.pointerType === "touch" && isSmall && this.#tapped !== point && this.#isOpen) {
      this.#tapped = point;
      this.#drawOver();
      this.#tapAgain();
      return;
    }
    this.#play(point);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    // With Ctrl the wheel changes the size of the page.
    if (event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : NOTCH);
    this.#turned = Math.sign(pixels) === Math.sign(this.#turned) ? this.#turned + pixels : pixels;
    if (Math.abs(this.#turned) < NOTCH || event.timeStamp - this.#browsed < PAUSE) return;
    this.#browse?.(Math.sign(this.#turned));
    [this.#turned, this.#browsed] = [0, event.timeStamp];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#state) return;
    if (event.ctrlKey || event.altKey || event.metaKey || (this.#browse && !this.#byKeys)) return;
    const { rows, cols } = this.#state.game;
    const [row, col] = [Math.floor(this.#active / cols), this.#active % cols];
    /** @type {Record<string, [number, number]>} */
    const targets = {
      ArrowLeft: [row, Math.max(col - 1, 0)],
      ArrowRight: [row, Math.min(col + 1, cols - 1)],
      ArrowUp: [Math.max(row - 1, 0), col],
      ArrowDown: [Math.min(row + 1, rows - 1), col],
      Home: [row, 0],
      End: [row, cols - 1],
      PageUp: [0, col],
      PageDown: [rows - 1, col],
    };
    const to = targets[event.key];
    if (to) this.#activate(to[0] * cols + to[1]);
    else if (event.key === "Enter" || event.key === " ") this.#play(this.#meant(this.#active));
    else return;
    this.#byKeys = true;
    event.preventDefault();
    event.stopPropagation();
    this.#drawOver();
  }

  /**
   * @param {Position} state
   * @param {number} point
   */
  #at({ layout, game }, point) {
    const { margin, cell, top, row, slant } = layout;
    const [down, right] = [Math.floor(point / game.cols), point % game.cols];
    return [margin + (right + 0.5) * cell + down * slant, top + down * row];
  }

  /** @param {number} color */
  #stone(color) {
    return [...this.#stones[color]?.children ?? []].map((child) => child.cloneNode(true));
  }

  /**
   * A mark of a record: a shape or a short text, which stands out from the stone or the board below.
   *
   * @param {Position} state
   * @param {RecordMark} mark
   */
  #drawMark(state, [point, shape, text]) {
    const [x, y] = this.#at(state, point);
    const { cell } = state.layout;
    const r = 0.25 * cell;
    const stone = state.stones[point];
    const on = stone === "b" ? "on-black" : stone === "w" ? "on-stone" : "on-board";
    if (shape === "label") {
      const label = draw("text", {
        class: `mark-label ${on}`,
        x,
        y,
        "font-size": (text.length > 2 ? 0.3 : 0.5) * cell,
      });
      label.textContent = text;
      return label;
    }
    /** @type {Record<string, string>} */
    const shapes = {
      triangle: `M${x} ${y - 1.15 * r}l${1.05 * r} ${1.75 * r}h${-2.1 * r}z`,
      square: `M${x - 0.85 * r} ${y - 0.85 * r}h${1.7 * r}v${1.7 * r}h${-1.7 * r}z`,
      circle: `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
      cross: `M${x - 0.8 * r} ${y - 0.8 * r}l${1.6 * r} ${1.6 * r}m0 ${-1.6 * r}l${-1.6 * r} ${1.6 * r}`,
    };
    return draw("path", { class: `mark ${on}`, d: shapes[shape], "stroke-width": 0.07 * cell });
  }

  /**
   * Numbered stones for a line from the position shown; passes are left out.
   *
   * @param {Position} state
   * @param {number[]} line
   */
  #drawLine(state, line) {
    /** @type {SVGElement[]} */
    const made = [];
    const drawn = new Set();
    line.slice(0, LONGEST_LINE).forEach((point, index) => {
      if (point >= this.#cells.length || drawn.has(point)) return;
      drawn.add(point);
      const color = (state.turn + index) % 2;
      const [x, y] = this.#at(state, point);
      const number = draw("text", {
        class: color ? "number on-white" : "number",
        "font-size": 0.42 * state.layout.cell,
      });
      number.textContent = String(index + 1);
      made.push(
        draw("g", { class: "expected", transform: `translate(${x} ${y})` }, ...this.#stone(color), number),
      );
    });
    return made;
  }

  #drawOver() {
    const state = this.#state;
    if (!state) return;
    /** @type {SVGElement[]} */
    const made = [];
    const { cell } = state.layout;
    const legal = new Set(state.legal);
    if (this.#marks) {
      const color = `legal${state.turn === 1 ? " white" : ""}${state.game.drops ? " falling" : ""}`;
      for (const point of state.legal) {
        const [cx, cy] = this.#at(state, point);
        if (point < this.#cells.length) made.push(draw("circle", { class: color, cx, cy, r: 0.13 * cell }));
      }
    }
    if (typeof state.hint === "number" && state.hint < this.#cells.length) {
      const [cx, cy] = this.#at(state, state.hint);
      made.push(draw("circle", { class: "hint-mark", cx, cy, r: 0.4 * cell }));
    }
    for (const mark of state.record_marks ?? []) made.push(this.#drawMark(state, mark));
    const shadow = this.#tapped ?? this.#hovered ?? (this.#byKeys ? this.#active : null);
    const expected = shadow === null ? undefined : this.#lines.get(shadow);
    if (expected) made.push(...this.#drawLine(state, expected.line));
    else if (shadow !== null && this.#isOpen && legal.has(shadow) && this.#stones.length) {
      const [x, y] = this.#at(state, shadow);
      made.push(draw("g", { class: "ghost", transform: `translate(${x} ${y})` }, ...this.#stone(state.turn)));
    }
    if (this.#byKeys || this.#tapped !== null) {
      const [x, y] = this.#at(state, this.#tapped ?? this.#active);
      const side = 0.94 * cell;
      const box = { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 0.14 * cell };
      made.push(draw("rect", { class: "cursor-rim", ...box }), draw("rect", { class: "cursor", ...box }));
    }
    this.#over.replaceChildren(...made);
  }
}
