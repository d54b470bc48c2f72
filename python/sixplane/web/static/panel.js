// The panel of a new game.

import { chosen, element, make, segments } from "./page.js";
import { choices, levels, opponentKinds, rules as ruleTexts, seats, starts, texts, times } from "./texts.js";

//: Boards that are offered by a button, where the game has them.
const USUAL = { go: [9, 13, 19], gomoku: [13, 15, 19], reversi: [6, 8, 10] };
const MOST_BUTTONS = 4;
const OTHER = "*other";
const PERSON = "person";

export class Panel {
  #games = [];
  #place = null;
  #send;

  /** send: takes the message of a new game. */
  constructor(send) {
    this.#send = send;
    element("new-game").addEventListener("submit", (event) => { event.preventDefault(); this.#begin(); });
    element("opponent").onchange = () => this.#adapt();
    for (const side of ["rows", "cols"]) element(side).onchange = () => this.#showSize();
  }

  /** What the server offers. */
  offer({ games, levels: names, given, name }) {
    this.#games = games;
    const titles = Object.fromEntries(games.map((game) => [game.name, game.title]));
    segments(element("games"), "game", titles, games[0].name, () => this.#chooseGame());
    segments(element("starts"), "start", starts, "empty", () => this.#adapt());
    segments(element("colors"), "color", seats, "black", () => this.#adapt());
    const option = (value, text) => make("option", { value, textContent: text });
    const group = (label, ...entries) => make("optgroup", { label }, ...entries);
    const agents = () => [
      ...(given.length ? [group(opponentKinds.given, ...given.map((title) => option(title, title)))] : []),
      group(opponentKinds.computer, ...names.map((level) => option(level, levels[level] ?? level)))];
    for (const [id, others] of [["opponent", [option(PERSON, opponentKinds.person), option(OTHER, opponentKinds.other)]], ["watch", []]]) {
      const before = element(id).value;
      element(id).replaceChildren(...agents(), ...others);
      element(id).value = before || given[0] || "strong";
    }
    element("time").replaceChildren(...Object.entries(times)
      .sort(([a], [b]) => Number(a) - Number(b)).map(([value, text]) => option(value, text)));
    element("name").value ||= name;
    this.#chooseGame();
  }

  /** from: `here` to go on from the position shown, or `empty`. */
  open(state, from = "empty") {
    const panel = element("panel");
    if (panel.open) return;
    this.#fill(state);
    this.#wait(false);
    element("panel-error").textContent = "";
    // A position where nobody may play is none to go on from.
    this.#place = state.place;
    element("starts-field").hidden = !state.at || !state.legal.length;
    element("starts").querySelector(`[value="${from}"]`).checked = true;
    this.#adapt();
    panel.showModal();
  }

  /** Chooses what is played now. */
  #fill({ game, players, clock }) {
    const radio = element("games").querySelector(`[value="${CSS.escape(game.name)}"]`);
    if (!radio) return;
    radio.checked = true;
    this.#chooseGame();
    for (const side of ["rows", "cols"]) element(side).value = game[side];
    this.#showSize();
    for (const input of element("rules").querySelectorAll("[data-rule]")) {
      const value = game.rules[input.dataset.rule];
      if (input.type === "checkbox") input.checked = value;
      else input.value = value;
    }
    const persons = players.filter((player) => player.is_person);
    const color = ["watch", players[0].is_person ? "black" : "white", "black"][persons.length];
    element("colors").querySelector(`[value="${color}"]`).checked = true;
    if (persons.length === 2) element("opponent").value = PERSON;
    else if (element("opponent").value === PERSON) element("opponent").value = "strong";
    const time = element("time");
    time.value = clock.limit ?? "";
    // The command line may have set a time that the page does not offer.
    if (time.selectedIndex < 0) time.value = "";
    if (persons.length) element("name").value = persons[0].name;
    if (persons.length === 2) element("second").value = persons[1].name;
  }

  /** Whether the panel waits for a game. */
  get isWaiting() { return element("begin").disabled; }

  begun() {
    this.#wait(false);
    element("panel").close();
  }

  refuse(text) {
    this.#wait(false);
    element("panel-error").textContent = text;
    element("panel-error").scrollIntoView({ block: "nearest" });
  }

  get #isHere() { return !element("starts-field").hidden && chosen(element("starts")) === "here"; }

  get #isWatched() { return chosen(element("colors")) === "watch"; }

  get #game() {
    return this.#games.find((game) => game.name === chosen(element("games")));
  }

  #chooseGame() {
    const game = this.#game;
    const usual = (USUAL[game.name] ?? []).filter((side) => game.sides.includes(side));
    const sides = (usual.length ? usual : [game.side]).slice(0, MOST_BUTTONS);
    segments(element("sizes"), "size", Object.fromEntries(sides.map((side) => [`${side}`, `${side} × ${side}`])),
      `${game.side}`, (side) => { element("rows").value = element("cols").value = side; });
    for (const id of ["rows", "cols"]) {
      element(id).replaceChildren(...game.sides.map((side) => make("option", { value: side, textContent: side })));
      element(id).value = game.side;
    }
    element("rules").replaceChildren(...game.rules.map((rule) => this.#ruleField(rule)));
    this.#adapt();
  }

  #ruleField({ name, kind, help, value, choices: offered }) {
    const label = ruleTexts[name] ?? help;
    let input;
    if (kind === "bool") input = make("input", { type: "checkbox", checked: value });
    else if (offered.length) {
      input = make("select", {}, ...offered.map((one) => make("option", {
        value: one, textContent: choices[name]?.[one] ?? one, selected: one === value,
      })));
    } else if (kind === "str") input = make("input", { type: "text", value, maxLength: 40 });
    else input = make("input", { type: "number", value, step: kind === "int" ? 1 : 0.5, ...(kind === "int" ? { min: 0 } : {}) });
    input.dataset.rule = name;
    input.dataset.kind = kind;
    const text = make("span", { textContent: label });
    return kind === "bool" ? make("label", { className: "switch" }, input, text) : make("label", { className: "field" }, text, input);
  }

  #showSize() {
    const [rows, cols] = [element("rows").value, element("cols").value];
    for (const input of element("sizes").querySelectorAll("input")) input.checked = rows === cols && input.value === rows;
  }

  #adapt() {
    const opponent = element("opponent").value;
    element("agent-field").hidden = opponent !== OTHER;
    element("second-field").hidden = opponent !== PERSON;
    element("watch-field").hidden = !this.#isWatched;
    element("name-field").hidden = this.#isWatched;
    for (const id of ["games-field", "size-field", "rules"]) element(id).hidden = this.#isHere;
  }

  #rules() {
    const rules = {};
    for (const input of element("rules").querySelectorAll("[data-rule]")) {
      const { rule, kind } = input.dataset;
      if (kind === "bool") rules[rule] = input.checked;
      else if (kind === "str") rules[rule] = input.value;
      else rules[rule] = Number(input.value);
    }
    return rules;
  }

  #begin() {
    const opponent = element("opponent").value;
    element("panel-error").textContent = "";
    this.#wait(true);
    this.#send({
      do: "new",
      game: this.#game.name,
      size: [Number(element("rows").value), Number(element("cols").value)],
      rules: this.#rules(),
      opponent: opponent === OTHER ? element("agent").value : opponent,
      color: this.#isWatched ? "black" : chosen(element("colors")),
      watch: this.#isWatched ? element("watch").value : "",
      seconds: element("time").value ? Number(element("time").value) : null,
      name: element("name").value,
      opponent_name: element("second").value,
      place: this.#isHere ? this.#place : null,
    });
  }

  #wait(isWaiting) {
    element("begin").disabled = isWaiting;
    element("begin").textContent = isWaiting ? texts.beginning : texts.begin;
  }
}
