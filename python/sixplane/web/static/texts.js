// All texts of the page; to translate it, change this file alone.

/** @import { Color, GameInfo, Result, State } from "./types.d.ts" */

export const texts = {
  newGame: "New game",
  open: "Open a record (SGF)",
  save: "Save the record (SGF)",
  settings: "Settings",
  help: "Keyboard",
  tools: "Game",
  players: "Players",
  actions: "Actions",
  walk: "Go through the game",
  pass: "Pass",
  swap: "Swap",
  undo: "Undo",
  hint: "Hint",
  better: "Better?",
  betterWhole: "Better? What should I have played?",
  resign: "Resign",
  stop: "Stop",
  stopWhole: "Stop the game: it ends as a draw",
  countWhole: "Stop and count: the board decides as it stands",
  again: "Again",
  againWhole: "Again: the same game with the same players",
  moves: "Moves",
  noMoves: "Nobody has played yet.",
  first: "To the start",
  back: "One move back",
  forward: "One move forward",
  last: "To the last move",
  close: "Close",
  cancel: "Cancel",
  begin: "Start",
  beginning: "Starting …",
  dropHere: "Drop the record to open it",
  game: "Game",
  board: "Board",
  rows: "Rows",
  cols: "Columns",
  opponent: "Opponent",
  level: "Level",
  levelHelp:
    "A level wins about two of three games against the one below. The number is its Elo above random play.",
  agent: "Agent",
  agentHelp: "As on the command line: sixplane play --help lists the agents.",
  youPlay: "You play",
  more: "Rules, time and names",
  time: "Time for a move",
  watched: "Black is played by",
  yourName: "Your name",
  secondName: "Name of the second player",
  theme: "Board",
  scheme: "Page",
  coordinates: "Coordinates",
  numbers: "Numbers of the moves",
  allNumbers: "All numbers of an analysis",
  sound: "Sound",
  insight: "Analysis",
  overlay: "Analysis on the board",
  of: "Whose analysis",
  link: "Copy a link to this position",
  linkHelp: "Opened while this program runs, it begins a game from this position.",
  suggest: "Suggest",
  agreeBlack: "Black agrees",
  agreeWhite: "White agrees",
  comment: "Comment of the record",
  tryOut: "Try out",
  startsFrom: "Starts from",
  curve: "Chances of Black along the game",
};

export const colors = ["Black", "White"];
export const colorChoices = { black: "Black", white: "White", random: "Random" };
export const playAs = { ...colorChoices, watch: "I watch" };
export const themes = { classic: "Classic", paper: "Paper", slate: "Slate" };
export const schemes = { auto: "As the system", light: "Light", dark: "Dark" };
export const marks = { legal: "Points where you may play", forbidden: "Points where you may not play" };

export const overlays = {
  off: "Analysis: off",
  policy: "Analysis: policy",
  visits: "Analysis: visits",
  values: "Analysis: values",
  ownership: "Analysis: owners",
  table: "Analysis: score table",
};
/** The patterns of the score table of Gomoku by their numbers. */
const patterns = [
  "",
  "one",
  "sleeping two",
  "open two",
  "sleeping three",
  "open three",
  "four",
  "open four",
  "five",
];
/**
 * @param {string} name
 * @param {number} score
 * @param {number} pattern
 */
export const ofTable = (name, score, pattern) =>
  `${name} ${score}${patterns[pattern] ? ` (${patterns[pattern]})` : ""}`;
export const sourceNames = { hint: "Hint agent", black: "Black", white: "White" };
export const askingFor = "Thinking …";
export const noInsight = "No analysis of this position.";
export const noCurve = "The chances of Black appear here when an agent has searched.";
export const proven = {
  black: "Black wins, proven",
  white: "White wins, proven",
  draw: "a draw, proven",
};
/** @param {number} chance */
const percent = (chance) => `${Math.round(100 * chance)} %`;
/** @param {number} chance */
export const chanceOfBlack = (chance) => `Black ${percent(chance)}`;
/** @param {number} policy */
export const candidate = (policy) => `candidate, ${percent(policy)}`;
/**
 * @param {string} name
 * @param {number} policy
 */
export const part = (name, policy) => `${name} ${percent(policy)}`;

export const levels = {
  level: "A level, weak to strong",
  beginner: "Beginner: plays at random",
  easy: "Easy: 50 playouts a move",
  medium: "Medium: 1000 playouts a move",
  strong: "Strong: thinks 1 s",
  stronger: "Stronger: thinks 5 s",
  strongest: "Strongest: thinks 20 s",
};
export const opponentKinds = {
  person: "Another person",
  computer: "Computer",
  given: "From the command line",
  levels: "Levels",
  other: "Another agent …",
};
export const times = {
  "": "No limit",
  1: "1 second",
  2: "2 seconds",
  5: "5 seconds",
  10: "10 seconds",
  30: "30 seconds",
  60: "1 minute",
  180: "3 minutes",
  600: "10 minutes",
};

export const rules = {
  komi: "Komi (points for White)",
  ko: "Ko",
  suicide: "Suicide is allowed",
  handicap: "Handicap stones",
  exact_five: "Six in a row do not win",
  max_moves: "Cut off after so many moves",
};
export const choices = {
  ko: { simple: "Simple", positional: "Positional superko", situational: "Situational superko" },
};

/** @type {Record<string, string>} */
const reasons = {
  occupied: "There is a stone already.",
  suicide: "That would be suicide.",
  ko: "Ko: you may not take back at once.",
  superko: "Superko: that position has been on the board before.",
  no_support: "A disc falls to the lowest empty point of its column.",
  no_flip: "A disc must flip at least one of the other color.",
  pass_not_allowed: "You may not pass now.",
  game_over: "The game is over.",
  not_your_turn: "It is not your turn.",
  not_over: "The game is not over.",
  too_late: "The board has changed meanwhile.",
  nothing_to_undo: "There is nothing to take back.",
  too_fast: "That was too fast.",
  none_dead: "Random games find no dead stones.",
  no_stone: "There is no stone.",
  nothing_to_count: "There is nothing to count.",
  too_many: "There are too many branches.",
  ending: "The program ends.",
};

/**
 * Why the server has refused a message.
 *
 * @param {string} reason
 * @param {string} text
 */
export const refusal = (reason, text) => reasons[reason] ?? text;

/** @param {Color} color */
export const person = (color) => colors[color];
/** @param {number} count */
export const captured = (count) => `${count} captured`;
/** @param {number} count */
export const points = (count) => `${count} points`;
export const dead = "dead";
export const markDead = "Click on dead stones.";
export const agreed = "Both agree.";
/** @param {number} score */
export const wouldBe = (score) =>
  `${
    score ? `${colors[score > 0 ? 0 : 1]} by ${Math.abs(score)}` : "A draw"
  }, if both agree on the dead stones.`;
/** @param {number} count */
export const discs = (count) => (count === 1 ? "1 disc" : `${count} discs`);
/** @param {GameInfo} game */
export const title = (game) => {
  const parts = [`${game.title} ${game.rows}×${game.cols}`];
  if (game.rules.komi !== undefined) parts.push(`komi ${game.rules.komi}`);
  if (game.rules.handicap) parts.push(`handicap ${game.rules.handicap}`);
  return parts.join(" · ");
};
/**
 * The event, the date and the result of a record.
 *
 * @param {Record<string, string>} about
 */
export const aboutRecord = ({ event, date, result: recorded }) =>
  [event, date, recorded].filter(Boolean).join(" · ");
/** @param {Color} color */
export const toPlay = (color) => `${colors[color]} to play`;
/**
 * What a player is called; a person without a name by the color.
 *
 * @param {State} state
 * @param {Color} color
 */
export const nameOf = ({ players }, color) => players[color].name || colors[color];
/**
 * Whose turn it is, and whether the move before was a pass. Moves may follow, which were only tried out.
 *
 * @param {State} state
 */
export const turnText = (state) => {
  const { moves, at, turn, is_thinking: isThinking } = state;
  const [color, name] = moves[at - 1] ?? [turn, ""];
  const verb = name === passName ? "passes" : "swaps";
  const passed = name === state.game.passing ? `${colors[color]} ${verb}. ` : "";
  return passed + (isThinking ? `${nameOf(state, turn)} is thinking …` : toPlay(turn));
};
/**
 * @param {number} at
 * @param {number} of
 */
export const lookingAt = (at, of) => `Move ${at} of ${of}`;
export const earlier = "Moves here are only tried out.";
/** @param {Color} color */
export const triedOut = (color) => `Variation: ${toPlay(color)}. The game stays as it is.`;
export const triedOutOver = "Variation: the game would be over.";
/** @param {Color} color */
export const tryingOut = (color) => `Try out moves: ${toPlay(color)}.`;
export const backToGameButton = "Back to the game";
export const instead = "Instead:";
export const mayFollow = "Then:";
/**
 * @param {Color} color
 * @param {string} name
 */
export const moveTitle = (color, name) => `${colors[color]} ${name}`;
export const startTitle = "Start";
export const starts = { empty: "Empty board", shown: "Position shown" };
export const hinting = "Looking for a hint …";
/**
 * @param {string} name
 * @param {number | null} chance
 */
export const hintSays = (name, chance) =>
  [`Hint: ${name}`, chance === null ? "" : chanceOfBlack(chance)].filter(Boolean).join(" · ");
export const hintResign = "The hint is to resign.";
/**
 * @param {string} played
 * @param {string} name
 * @param {number | null} chance
 */
export const hintInstead = (played, name, chance) => (played === name ? `${name} is the hint, too` : [
  `Instead of ${played}: ${name}`,
  chance === null ? "" : chanceOfBlack(chance),
].filter(Boolean).join(" · "));
export const passName = "pass";
/**
 * @param {string} name
 * @param {string} stone
 * @param {string} extra
 */
export const point = (name, stone, extra) => `${name}, ${stone}${extra ? `, ${extra}` : ""}`;
export const stones = { b: "black", w: "white", ".": "empty" };
export const lastPlayed = "last move";
/**
 * @param {string} shape
 * @param {string} text
 */
export const markName = (shape, text) => (shape === "label" ? `label ${text}` : shape);
export const mayPlay = "you may play";
/** @param {string} title */
export const boardName = (title) => `Board of ${title}`;
/** @param {string} time */
export const inAll = (time) => `${time} in all`;
/**
 * The time of a move, rounded down: seconds with tenths below ten, then minutes and seconds.
 *
 * @param {number} seconds
 */
export const used = (seconds) => {
  if (seconds < 10) return `${(Math.floor(10 * seconds) / 10).toFixed(1)} s`;
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
};
/**
 * @param {number} number
 * @param {Color} color
 * @param {string} name
 */
export const moveName = (number, color, name) => `Move ${number}: ${colors[color]} ${name}`;
export const lost = "The server does not answer. Trying again …";
export const lostNow = "The connection is lost.";
export const startedAgain = "The program was started again: open the address that it printed.";
export const opened = "The record is open.";
export const tooLarge = "The file is too large for a record.";

/** @type {Record<string, string>} */
const forfeits = {
  time: "on time",
  illegal: "by illegal moves",
  tampering: "by tampering with the game",
  error: "by an error",
  score: "by a disputed score",
};
/** @param {Result} result */
export const result = ({ winner, ending, margin, by_line: byLine }) => {
  const isStopped = ending === "stopped";
  if (winner === "draw" && ending === "error") return "Ended by an error of the rules";
  if (winner === "draw") return isStopped ? "Stopped: a draw" : "Draw";
  const who = `${isStopped ? "Stopped: " : ""}${colorChoices[winner]} wins`;
  if (ending === "resignation") return `${who} by resignation`;
  if (forfeits[ending]) return `${who} ${forfeits[ending]}`;
  return byLine || !margin ? who : `${who} by ${margin}`;
};

/**
 * What is said of games in a row that a person has won, or lost if the number is below 0.
 *
 * @param {number} count
 */
export const inARow = (count) => {
  const times = Math.abs(count);
  return `You ${count > 0 ? "won" : "lost"} ${times === 2 ? "twice" : `${times} times`} in a row.`;
};
/** @param {string} level */
export const nextLevel = (level) => `Next: ${level}`;

const gameEnds = "The game that is played now ends.";
export const ask = {
  resign: { title: "Resign?", text: "Your opponent wins the game.", yes: "Resign" },
  stop: {
    title: "Stop the game?",
    text: "It ends as a draw. Undo continues the game.",
    yes: "Stop",
  },
  count: {
    title: "Stop and count?",
    text: "The board decides as it stands. Undo continues the game.",
    yes: "Stop",
  },
  link: {
    title: "Open the position of the link?",
    text: gameEnds,
    yes: "Open",
  },
  record: { title: "Open the record?", text: gameEnds, yes: "Open" },
};
export const linkCopied = "The link is copied.";
export const touchAgain = "Tap the point again to play there.";

export const keys = [
  ["Tab", "to the board, buttons and moves"],
  ["←  →", "one move back, forward"],
  ["Home  End", "to the start, to the last move"],
  ["↑  ↓", "the variation before, after"],
  ["Wheel", "over the board: one move back, forward"],
  ["← ↑ → ↓", "on the board, after Tab: choose a point"],
  ["Enter  Space", "on the board, after Tab: play on the point"],
  ["P", "pass"],
  ["U", "undo"],
  ["H", "hint, also in an earlier position"],
  ["W", "what should I have played?"],
  ["A", "play again after the end"],
  ["X", "play the level that is proposed"],
  ["R", "resign"],
  ["C", "stop the game (not Go, which two passes end)"],
  ["N", "new game"],
  ["O  S", "open, save a record"],
  [",  .  <  >", "also go through the moves"],
  ["[  ]", "also change the variation"],
  ["V", "try out moves, back to the game"],
  ["M", "mark points"],
  ["L", "copy a link to the position"],
  ["T", "next analysis: policy, visits, values, owners"],
  ["?", "this list"],
];

/** The texts that only the board of a notebook has. */
export const notebook = {
  /** @param {number} last */
  gamesTo: (last) => `of games 0 to ${last}`,
  earlierGame: "The game before",
  laterGame: "The next game",
  chooseGame: "Number of the game",
  pages: "Games of the batch",
  noAnswer: "No answer. If the kernel has ended, run the cell again.",
  lookOnly: "These games are only looked at.",
  earlier: "Go to the last move to play on.",
};
