// The page of one game: shows what the server sends, and sends what the person does.

/** @import { Color, Message, Result, State } from "./types.d.ts" */

import { Board } from "./board.js";
import { Curve } from "./curve.js";
import { Branches } from "./branches.js";
import { Connection } from "./connection.js";
import { ask, isAsking, prepareDialogs } from "./dialogs.js";
import { InsightPanel } from "./insight.js";
import { Moves } from "./moves.js";
import { COLORS, element, fillTexts, targetOf, toast } from "./page.js";
import { Panel } from "./panel.js";
import { Players } from "./players.js";
import { offerLink, openLink } from "./positions.js";
import { prepareRecords } from "./records.js";
import { Settings } from "./settings.js";
import { playStone } from "./sound.js";
import * as words from "./texts.js";

/** The newest state from the server. @type {State} */
let state;
let sent = "";
/** The position that was shown when the connection was lost, unless the game goes on there. @type {State | null} */
let left = null;
let isTrying = false;
/** The action that was chosen last, and the version of the state that it was chosen in. */
let chosen = { action: -1, version: -1 };
let isSecondClick = false;

fillTexts(words.texts);
element("moves").dataset.empty = words.texts.noMoves;
prepareDialogs();
prepareRecords(() => state);

const settings = new Settings(() => {
  sendSettings();
  if (state) show(state);
});
const board = new Board(element("board"), {
  play: choose,
  tapAgain: () => toast(words.touchAgain),
  browse: (by) => moves.browse(by),
  ids: "",
});
element("board").addEventListener("click", (event) => {
  isSecondClick = event.detail > 1;
}, true);
element("board").addEventListener("click", () => {
  isSecondClick = false;
});
const players = new Players();
const moves = new Moves((at) => tell({ do: "look", at }), (by) => tell({ do: "browse", by }));
const insight = new InsightPanel((changes) => settings.analyze(changes));
const curve = new Curve((at) => moves.go(at), (by) => moves.browse(by));
const branches = new Branches((place) => tell({ do: "go", place }), () => backToGame());
const panel = new Panel((message) => server.send(message));
const server = new Connection({
  open: () => {
    sent = "";
    sendSettings();
  },
  closed: () => {
    if (state && !state.is_live) left = state;
    players.halt();
    if (panel.isWaiting) panel.refuse(words.lostNow);
  },
  hello: (hello) => {
    board.stones = hello.stones;
    players.stones = hello.stones;
    panel.offer(hello);
  },
  state: (now) => {
    // A new connection begins with the game as it goes on.
    if (left?.serial === now.serial) tell({ do: "go", place: left.place });
    left = null;
    show(now);
  },
  progress: ({ part }) => players.progress(part),
  link: ({ position }) => offerLink(position),
  // It may have been opened again since the next level was asked for.
  begun: () => panel.isWaiting && panel.begun(),
  refused: ({ reason, text }) => {
    const message = words.refusal(reason, text);
    if (panel.isWaiting) panel.refuse(message);
    else toast(message);
  },
});

/**
 * Sends what a person does, or says that it cannot be sent.
 *
 * @param {Message} message
 */
function tell(message) {
  if (!server.send(message)) toast(words.lostNow);
}

/** Tells the server how this page shows boards, if it does not know; each kind of game has its marks. */
function sendSettings() {
  const message = settings.message;
  const text = JSON.stringify(message);
  if (text !== sent) server.send(message);
  sent = text;
}

/** @param {State} now */
function show(now) {
  const before = state;
  state = now;
  const isSame = before?.serial === now.serial;
  const hasEnded = isSame && !before.result && now.result !== null;
  if (!isLast() || !isSame || hasEnded) isTrying = false;
  settings.game = now.game;
  sendSettings();
  document.title = `${words.title(now.game)} – sixplane`;
  element("title").textContent = [words.title(now.game), words.aboutRecord(now.about)].filter(Boolean).join(
    " · ",
  );
  showBoard();
  players.show(now);
  moves.show(now);
  branches.show(now);
  insight.show(now, settings.analysis, nameOfAction);
  curve.show(now);
  showStatus();
  showActions();
  if (!before) openLink(now, tell);
  const isMove = before && before.serial === now.serial && now.played > before.played;
  if (isMove && settings.sound) playStone();
  if (hasEnded && now.result && !isLast()) toast(resultText(now.result));
}

/** Which game is played and how far it is: it may go on, or another begin, before a message arrives. */
const here = () => ({ at: state.played, serial: state.serial });

/** Whether the page shows the position to play in. */
const isLast = () => state.is_live;

/** Whether a person may play now. */
const isOpen = () => !state.result && isLast() && state.players[state.turn].is_person;

/** Whether a move is only tried out now. */
const triesOut = () => isTrying || !isLast();

function backToGame() {
  isTrying = false;
  tell({ do: "look", at: null });
}

function showBoard() {
  const candidates = settings.analysis.overlay === "off" ? [] : state.insight?.candidates ?? [];
  board.show(state, {
    isOpen: isOpen() || Boolean(state.counting && !isTrying) || (triesOut() && state.legal.length > 0),
    isOver: Boolean(state.result),
    // The legal points of an opponent that thinks are not marked.
    marks: settings.marks && state.game.marks_legal && (isOpen() || triesOut()) && !candidates.length,
    lines: candidates,
    hint: typeof state.hint === "number" ? state.hint : null,
  });
}

function showStatus() {
  const { at, moves: played, result, turn, branch } = state;
  const hint = hintText();
  const status = element("status");
  let text;
  if (!isLast() && branch !== null && at > branch) {
    text = hint || (state.legal.length ? words.triedOut(turn) : words.triedOutOver);
  } else if (!isLast()) text = `${words.lookingAt(at, played.length)}. ${hint || words.earlier}`;
  else if (hint) text = hint;
  else if (isTrying) text = words.tryingOut(turn);
  else if (result) text = resultText(result);
  else text = words.turnText(state);
  if (status.textContent !== text) {
    const line = document.createElement("span");
    line.textContent = text;
    status.replaceChildren(line);
  }
  status.classList.toggle("ended", Boolean(result) && isLast());
}

/** The hint for the position that is shown, and what was played instead, unless that was only tried out. */
function hintText() {
  const { hint, hint_black: chance, at, moves: played, branch } = state;
  if (hint === null) return "";
  if (hint === "thinking") return words.hinting;
  if (hint === "resign") return words.hintResign;
  const name = nameOfAction(hint);
  const isPlayed = !isLast() && at < (branch ?? played.length);
  return isPlayed ? words.hintInstead(played[at][1], name, chance) : words.hintSays(name, chance);
}

/**
 * The result; while two players mark dead stones, the one with these marks.
 *
 * @param {Result} result
 */
function resultText(result) {
  const { counting } = state;
  if (isCounted()) return words.wouldBe(counting?.score ?? 0);
  const marks = counting && (counting.dead.length ? words.agreed : words.markDead);
  const row = state.streak && words.inARow(state.streak.count);
  return [words.result(result), result.detail, marks, row].filter(Boolean).join(". ");
}

/** Whether players have marked dead stones, and do not agree on them yet. */
function isCounted() {
  const { counting } = state;
  return Boolean(counting?.dead.length && !counting.agreed.every(Boolean));
}

/** @param {number} action */
function nameOfAction(action) {
  const { game, names } = state;
  if (action === game.rows * game.cols) return game.passing;
  return names.cols[action % game.cols] + names.rows[Math.floor(action / game.cols)];
}

function showActions() {
  const { game, legal, result, players: seats, can_undo: canUndo, hint } = state;
  const mayPlay = isOpen() || triesOut();
  const counting = isLast() ? state.counting : null;
  const maySwap = game.passing !== words.passName;
  const isNamed = maySwap && !legal.includes(game.rows * game.cols);
  element("pass").hidden = !game.has_pass || isNamed || Boolean(isLast() && result);
  const label = element("pass").querySelector("span");
  if (label) label.textContent = maySwap ? words.texts.swap : words.texts.pass;
  element("hint").hidden = element("try").hidden = Boolean(counting);
  element("better").hidden = !result || Boolean(counting);
  element("resign").hidden = Boolean(result);
  element("stop").hidden = !state.can_stop;
  element("stop").title = game.counts_points ? words.texts.countWhole : words.texts.stopWhole;
  element("stop").setAttribute("aria-label", element("stop").title);
  element("again").hidden = !result;
  const proposed = isLast() && !isCounted() ? state.streak : null;
  element("next").hidden = !proposed;
  element("next").disabled = false;
  element("next").textContent = proposed && words.nextLevel(proposed.name);
  element("suggest").hidden = !counting;
  for (const color of COLORS) {
    const button = element(`agree-${color}`);
    button.hidden = !counting;
    button.setAttribute("aria-pressed", String(Boolean(counting?.dead.length && counting.agreed[color])));
    button.disabled = !counting?.dead.length || counting.agreed[color] || !seats[color].is_person;
  }
  element("pass").disabled = !(mayPlay && legal.includes(game.rows * game.cols));
  element("undo").disabled = isLast() ? !canUndo : !state.at;
  element("try").setAttribute("aria-pressed", String(triesOut()));
  element("try").disabled = isLast() && !state.legal.length;
  element("hint").disabled = !legal.length || hint === "thinking" || (isLast() && !result && !isOpen());
  element("better").disabled = !state.at;
  element("resign").disabled = Boolean(result) || !seats.some((player) => player.is_person);
}

/** @param {number} action a point, or pass. */
function choose(action) {
  if (state.counting && !triesOut()) {
    tell({ do: "mark", point: action, ...here() });
    return;
  }
  // The second click of a double click means what the first did, which may have no answer yet.
  const { drops, cols } = state.game;
  const isSame = action === chosen.action || drops && action % cols === chosen.action % cols;
  const isDone = chosen.version === state.version || "bw".includes(state.stones[chosen.action]);
  if (isSecondClick && isSame && isDone) return;
  chosen = { action, version: state.version };
  if (triesOut()) tell({ do: "try", action, place: state.place, serial: state.serial });
  else if (!state.result) tell({ do: "play", action, ...here() });
}

/** Begins a game at the level that is proposed, with the colors exchanged. */
function playNextLevel() {
  const { game, players: seats, clock, streak } = state;
  if (!streak) return;
  const color = seats.findIndex((player) => player.is_person);
  // A handicap is for Black, who keeps it.
  const next = game.rules.handicap ? color : 1 - color;
  element("next").disabled = true;
  tell({
    do: "new",
    game: game.name,
    size: [game.rows, game.cols],
    rules: game.rules,
    max_moves: game.max_moves,
    opponent: `ladder:+${streak.level}`,
    color: ["black", "white"][next],
    watch: "",
    seconds: clock.limit,
    name: seats[color].name,
    opponent_name: "",
    place: null,
  });
}

/**
 * Ends the game as it was when the question was asked: it may change, or another begin, before the answer.
 *
 * @param {"resign" | "stop"} how
 * @param {{ title: string, text: string, yes: string }} question
 */
async function askAndEnd(how, question) {
  const { serial, played, players: seats } = state;
  const isShared = seats.every((player) => player.is_person);
  if (!await ask(question)) return;
  // Against an agent a person resigns, whatever it has played meanwhile.
  tell({ do: how, at: how === "resign" && !isShared ? state.played : played, serial });
}

/** Whether the board decides a game that is stopped; it may in any game of somebody's own, whose name has a colon. */
const hasScore = () => state.game.counts_points || state.game.name.includes(":");

const actions = {
  pass: () => choose(state.game.rows * state.game.cols),
  undo: () => (isLast() ? tell({ do: "undo", serial: state.serial }) : moves.browse(-1)),
  try: () => {
    if (isLast()) {
      isTrying = !isTrying;
      show(state);
    } else backToGame();
  },
  hint: () => tell({ do: "hint" }),
  better: () => tell({ do: "better" }),
  again: () => tell({ do: "again" }),
  next: playNextLevel,
  resign: () => askAndEnd("resign", words.ask.resign),
  stop: () => askAndEnd("stop", hasScore() ? words.ask.count : words.ask.stop),
  link: () => tell({ do: "link", place: state.place }),
  suggest: () => tell({ do: "mark", point: null, ...here() }),
  "agree-0": () => tell({ do: "agree", color: "black", ...here() }),
  "agree-1": () => tell({ do: "agree", color: "white", ...here() }),
  new: () => panel.open(state, state.is_live ? "empty" : "shown"),
};
for (const id of /** @type {(keyof typeof actions)[]} */ (Object.keys(actions))) {
  element(id).onclick = () => {
    if (state) actions[id]();
  };
}

/** @type {Record<string, () => unknown>} */
const keys = {
  p: () => element("pass").click(),
  u: () => element("undo").click(),
  h: () => element("hint").click(),
  w: () => actions.better(),
  a: () => element("again").hidden || element("again").click(),
  x: () => element("next").hidden || element("next").click(),
  r: () => element("resign").click(),
  c: () => element("stop").hidden || element("stop").click(),
  n: () => element("new").click(),
  o: () => element("open").click(),
  s: () => element("save").click(),
  l: () => element("link").click(),
  m: () => settings.toggleMarks(),
  t: () => insight.next(),
  v: () => element("try").click(),
  "[": () => branches.turn(-1),
  "]": () => branches.turn(1),
  ",": () => moves.browse(-1),
  ".": () => moves.browse(1),
  "<": () => moves.go(0),
  ">": () => moves.go(Infinity),
  arrowleft: () => moves.browse(-1),
  arrowright: () => moves.browse(1),
  arrowup: () => branches.turn(-1),
  arrowdown: () => branches.turn(1),
  home: () => moves.go(0),
  end: () => moves.go(Infinity),
  "?": () => element("help").click(),
};

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isAsking() || !state) {
    return;
  }
  // In a long comment the arrow keys scroll.
  if (targetOf(event).closest("input, select, textarea, #comment")) return;
  const act = keys[event.key.toLowerCase()];
  if (act) {
    event.preventDefault();
    act();
  }
});

addEventListener("hashchange", () => state && openLink(state, tell));
