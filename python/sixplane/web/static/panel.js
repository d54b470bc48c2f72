// The panel of a new game.

/** @import { CatalogueEntry, Hello, Message, Rule, State } from "./types.d.ts" */

import { chosen, element, fields, make, segments, targetOf } from "./page.js";
import {
  choices,
  levels,
  lostNow,
  opponentKinds,
  playAs,
  rules as ruleTexts,
  starts,
  texts,
  times,
} from "./texts.js";

//: The sizes that have a button, where the game has them.
/** @type {Record<string, number[]>} */
const USUAL = { go: [9, 13, 19], gomoku: [13, 15, 19], reversi: [6, 8, 10] };
const MOST_BUTTONS = 4;
const OTHER = "*other";
const PERSON = "person";
//: The choice of a level, whose number the slider has; on the ladder of its board it is a rung.
const LEVEL = "level";
/** @param {string | number} number */
const rung = (number) => `ladder:+${number}`;
//: The levels of boards without a ladder, which has better ones.
const PLAIN = ["beginner", "easy", "medium"];

/**
 * The text for a name, which may be missing in the table.
 *
 * @template Value
 * @param {Record<string, Value>} table
 * @param {string} name
 * @returns {Value | undefined}
 */
const known = (table, name) => table[name];

/**
 * Chooses a value among segments; false if it is not offered.
 *
 * @param {Element} box
 * @param {string} value
 */
function check(box, value) {
  const [radio] = fields(box, `[value="${CSS.escape(value)}"]`);
  if (radio) radio.checked = true;
  return Boolean(radio);
}

/** @type {("rows" | "cols")[]} */
const SIDES = ["rows", "cols"];

/**
 * @param {string | number} value
 * @param {string} text
 */
const option = (value, text) => make("option", { value, textContent: text });

/**
 * @param {string} label
 * @param {...Node} entries
 */
const group = (label, ...entries) => make("optgroup", { label }, ...entries);

/** The field of the limit of the moves, which only the command line sets; the page can take it away. */
function limitField() {
  const input = make("input", { type: "number", min: 1, step: 1 });
  [input.dataset.rule, input.dataset.kind] = ["max_moves", "int"];
  return make("label", { className: "field" }, make("span", { textContent: ruleTexts.max_moves }), input);
}

export class Panel {
  /** @type {CatalogueEntry[]} */
  #games = [];
  /** @type {number | null} */
  #place = null;
  /** The game that has the place. @type {number | null} */
  #serial = null;
  /** The game that is shown and its board. */
  #shown = ["", ""];
  /** @type {string[]} */
  #names = [];
  /** @type {string[]} */
  #given = [];
  #offered = "";
  /** The name of the game that is played, if its moves have a limit. */
  #limited = "";
  #send;

  /** @param {(message: Message) => boolean} send called with the message for a new game; false if it cannot be sent. */
  constructor(send) {
    this.#send = send;
    element("new-game").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#begin();
    });
    // The browser says what is wrong with a field only where it can be seen.
    element("new-game").addEventListener("invalid", (event) => {
      if (element("more").contains(targetOf(event))) element("more").open = true;
    }, true);
    element("opponent").onchange = () => this.#adapt();
    element("level").oninput = () => this.#showLevel();
    for (const side of SIDES) element(side).onchange = () => this.#showSize();
  }

  /**
   * Fills the panel with the games and opponents that the server offers; a choice among the same ones stays.
   *
   * @param {Hello} hello
   */
  offer({ games, levels: names, given }) {
    const offered = JSON.stringify([games, names, given]);
    if (element("panel").open && offered === this.#offered) return;
    this.#offered = offered;
    [this.#games, this.#names, this.#given] = [games, names, given];
    const titles = Object.fromEntries(games.map((game) => [game.name, game.title]));
    segments(element("games"), "game", titles, games[0].name, () => this.#chooseGame());
    segments(element("starts"), "start", starts, "empty", () => this.#offerOpponents());
    segments(element("colors"), "color", playAs, "black", () => this.#adapt());
    element("time").replaceChildren(
      ...Object.entries(times)
        .sort(([a], [b]) => Number(a) - Number(b)).map(([value, text]) => option(value, text)),
    );
    this.#chooseGame();
  }

  /** The names of the levels of the board that is chosen; none where it has no ladder. */
  get #levels() {
    const chosenBoard = [chosen(element("games")), `${element("rows").value}x${element("cols").value}`];
    const [name, board] = this.#isFromShown ? this.#shown : chosenBoard;
    return this.#games.find((game) => game.name === name)?.levels[board] ?? [];
  }

  /** Offers the opponents of the board, and keeps the choice where the board has it. */
  #offerOpponents() {
    const given = this.#given;
    const ladder = this.#levels;
    const agents = () => {
      const offered = ladder.length ? this.#names.filter((name) => !PLAIN.includes(name)) : this.#names;
      return offered.map((name) => option(name, known(levels, name) ?? name));
    };
    const ofCommand = () =>
      given.length ? [group(opponentKinds.given, ...given.map((title) => option(title, title)))] : [];
    const chooseLevel = ladder.length ? [option(LEVEL, levels.level)] : [];
    const rungs = ladder.map((name, number) => option(rung(number), name));
    const choices = {
      opponent: [
        ...ofCommand(),
        group(opponentKinds.computer, ...chooseLevel, ...agents()),
        option(PERSON, opponentKinds.person),
        option(OTHER, opponentKinds.other),
      ],
      watch: [
        ...ofCommand(),
        group(opponentKinds.computer, ...agents()),
        ...(ladder.length ? [group(opponentKinds.levels, ...rungs)] : []),
      ],
    };
    for (const id of /** @type {(keyof typeof choices)[]} */ (Object.keys(choices))) {
      const select = element(id);
      const before = select.value;
      select.replaceChildren(...choices[id]);
      select.value = before;
      if (select.selectedIndex < 0) select.value = given[0] || "strong";
    }
    element("level").max = String(Math.max(ladder.length - 1, 0));
    this.#showLevel();
    this.#adapt();
  }

  #showLevel() {
    const name = this.#levels[Number(element("level").value)] ?? "";
    element("level-name").textContent = name;
    element("level").setAttribute("aria-valuetext", name);
  }

  /**
   * @param {State} state
   * @param {"shown" | "empty"} from `shown` to continue from the position that is shown.
   */
  open(state, from = "empty") {
    const panel = element("panel");
    if (panel.open) return;
    this.#shown = [state.game.name, `${state.game.rows}x${state.game.cols}`];
    this.#fill(state);
    this.#wait(false);
    element("panel-error").textContent = "";
    // Nobody can continue from a position without legal actions.
    [this.#place, this.#serial] = [state.place, state.serial];
    element("starts-field").hidden = !state.at || !state.legal.length;
    check(element("starts"), from);
    this.#offerOpponents();
    panel.showModal();
  }

  /**
   * Chooses the game and the players as they are now.
   *
   * @param {State} state
   */
  #fill({ game, players, clock, level }) {
    this.#limited = game.max_moves === null ? "" : game.name;
    if (!check(element("games"), game.name)) return;
    this.#chooseGame();
    const values = { ...game.rules, max_moves: game.max_moves ?? "" };
    for (const side of SIDES) element(side).value = String(game[side]);
    this.#showSize();
    for (const input of fields(element("rules"), "[data-rule]")) {
      const value = known(values, input.dataset.rule ?? "");
      if (typeof value === "boolean") input.checked = value;
      else input.value = String(value);
    }
    const persons = players.filter((player) => player.is_person);
    const color = ["watch", players[0].is_person ? "black" : "white", "black"][persons.length];
    check(element("colors"), color);
    if (persons.length === 2) element("opponent").value = PERSON;
    else if (level !== null) {
      element("opponent").value = LEVEL;
      element("level").value = String(level);
      this.#showLevel();
    } else if (element("opponent").value === PERSON) element("opponent").value = "strong";
    const time = element("time");
    time.value = String(clock.limit ?? "");
    // The command line may set a time that the page does not offer.
    if (time.selectedIndex < 0) time.value = "";
    if (persons.length) element("name").value = persons[0].name;
    if (persons.length === 2) element("second").value = persons[1].name;
  }

  /** Whether the panel waits for the server to begin a game. */
  get isWaiting() {
    return element("begin").disabled;
  }

  begun() {
    this.#wait(false);
    element("panel").close();
  }

  /** @param {string} text */
  refuse(text) {
    this.#wait(false);
    element("panel-error").textContent = text;
    element("panel-error").scrollIntoView({ block: "nearest" });
  }

  get #isFromShown() {
    return !element("starts-field").hidden && chosen(element("starts")) === "shown";
  }

  get #isWatched() {
    return chosen(element("colors")) === "watch";
  }

  get #game() {
    const name = chosen(element("games"));
    return /** @type {CatalogueEntry} */ (this.#games.find((game) => game.name === name));
  }

  #chooseGame() {
    const game = this.#game;
    const usual = (USUAL[game.name] ?? []).filter((side) => game.sides[0].includes(side));
    const sizes = usual.length ? usual.map((side) => [side, side]) : [game.size];
    segments(
      element("sizes"),
      "size",
      Object.fromEntries(sizes.slice(0, MOST_BUTTONS).map((size) => [size.join("x"), size.join(" × ")])),
      game.size.join("x"),
      (size) => {
        [element("rows").value, element("cols").value] = size.split("x");
        this.#offerOpponents();
      },
    );
    SIDES.forEach((side, i) => {
      element(side).replaceChildren(...game.sides[i].map((length) => option(length, String(length))));
      element(side).value = String(game.size[i]);
    });
    const limit = game.name === this.#limited ? [limitField()] : [];
    element("rules").replaceChildren(...game.rules.map((rule) => this.#ruleField(rule)), ...limit);
    this.#offerOpponents();
  }

  /** @param {Rule} rule */
  #ruleField({ name, kind, help, value, choices: offered }) {
    const label = known(ruleTexts, name) || help || name;
    let input;
    if (kind === "bool") input = make("input", { type: "checkbox", checked: value });
    else if (offered.length) {
      input = make(
        "select",
        {},
        ...offered.map((one) =>
          make("option", {
            value: one,
            textContent: known(known(choices, name) ?? {}, one) ?? one,
            selected: one === value,
          })
        ),
      );
    } else if (kind === "str") input = make("input", { type: "text", value, maxLength: 40 });
    else {
      // Of a game of your own, whose name has a colon, any numbers may be.
      const ours = kind === "int" ? { step: 1, min: 0 } : { step: 0.5 };
      const own = { step: kind === "int" ? 1 : "any" };
      input = make("input", { type: "number", value, ...(this.#game.name.includes(":") ? own : ours) });
    }
    input.dataset.rule = name;
    input.dataset.kind = kind;
    const text = make("span", { textContent: label });
    return kind === "bool"
      ? make("label", { className: "switch" }, input, text)
      : make("label", { className: "field" }, text, input);
  }

  #showSize() {
    const [rows, cols] = [element("rows").value, element("cols").value];
    for (const input of fields(element("sizes"), "input")) {
      input.checked = input.value === `${rows}x${cols}`;
    }
    this.#offerOpponents();
  }

  #adapt() {
    const opponent = element("opponent").value;
    element("level-field").hidden = opponent !== LEVEL;
    element("agent-field").hidden = opponent !== OTHER;
    element("second-field").hidden = opponent !== PERSON;
    element("watch-field").hidden = !this.#isWatched;
    element("name-field").hidden = this.#isWatched;
    for (const box of [element("games-field"), element("size-field"), element("rules")]) {
      box.hidden = this.#isFromShown;
    }
    // Rules that cannot be seen are not checked.
    for (const input of fields(element("rules"), "[data-rule]")) input.disabled = this.#isFromShown;
  }

  /** The rules that are chosen; an empty number is left out, and the game has its usual one. */
  #rules() {
    /** @type {Record<string, boolean | number | string>} */
    const rules = {};
    for (const input of fields(element("rules"), "[data-rule]")) {
      const { rule = "", kind } = input.dataset;
      if (kind === "bool") rules[rule] = input.checked;
      else if (kind === "str") rules[rule] = input.value;
      else if (input.value) rules[rule] = Number(input.value);
    }
    return rules;
  }

  /** The opponent, as the server reads it. */
  get #opponent() {
    const opponent = element("opponent").value;
    if (opponent === LEVEL) return rung(element("level").value);
    return opponent === OTHER ? element("agent").value : opponent;
  }

  #begin() {
    element("panel-error").textContent = "";
    this.#wait(true);
    const { max_moves: limit = null, ...rules } = this.#rules();
    const isSent = this.#send({
      do: "new",
      game: this.#game.name,
      size: [Number(element("rows").value), Number(element("cols").value)],
      rules,
      max_moves: limit,
      opponent: this.#opponent,
      color: this.#isWatched ? "black" : chosen(element("colors")),
      watch: this.#isWatched ? element("watch").value : "",
      seconds: element("time").value ? Number(element("time").value) : null,
      name: element("name").value,
      opponent_name: element("second").value,
      place: this.#isFromShown ? this.#place : null,
      serial: this.#isFromShown ? this.#serial : null,
    });
    if (!isSent) this.refuse(lostNow);
  }

  /** @param {boolean} isWaiting */
  #wait(isWaiting) {
    element("begin").disabled = isWaiting;
    element("begin").textContent = isWaiting ? texts.beginning : texts.begin;
  }
}
