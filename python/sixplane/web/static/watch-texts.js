// The texts of the page of `sixplane watch` and of saved pages; to translate them, change this file and texts.js.

/** @import { Entry, Shown } from "./watch-types.d.ts" */

export const texts = {
  game: "The game that is shown",
  walk: "Go through the game",
  first: "To the start",
  back: "One move back",
  forward: "One move forward",
  last: "To the last move",
  follow: "Follow the newest game",
  games: "Game",
  figures: "How it goes",
  progress: "Part of the time that is over",
};

export const pause = "Pause";
export const play = "Play";
export const noGames = {
  train: "No game has been written down yet. Runs of older versions keep none.",
  match: "No game is finished yet.",
  selfplay: "No game is finished yet.",
};
export const lost = "sixplane watch does not answer. Trying again …";
/** @param {number} number */
export const gone = (number) => `Game ${number} has left the folder.`;
export const sample = "A game of self-play";
/** @param {string} time */
export const asOf = (time) => `as of ${time}`;
/**
 * @param {number} seconds
 * @param {boolean} hasEnded
 */
export const quiet = (seconds, hasEnded) => {
  if (hasEnded) return "ended";
  if (seconds < 20) return "being written";
  if (seconds < 120) return `nothing new for ${Math.round(seconds)} s`;
  if (seconds < 7200) return `nothing new for ${Math.round(seconds / 60)} min`;
  return `nothing new for ${Math.round(seconds / 3600)} h`;
};
/**
 * @param {number} part
 * @param {string} whole
 */
export const of = (part, whole) => `${Math.floor(100 * part)} % of ${whole}`;
/**
 * @param {string} black
 * @param {string} white
 */
export const names = (black, white) =>
  black || white ? `${black || "Black"} (Black) – ${white || "White"} (White)` : "";
/** @param {[number: number | string, black: string, white: string, result?: string, moves?: number]} entry */
export const gameName = ([number, black, white, result, moves]) => {
  const parts = [`${number}`];
  if (black && white && black !== white) parts.push(`${black} – ${white}`);
  else if (black) parts.push(black);
  if (result) parts.push(result);
  if (moves) parts.push(`${moves} moves`);
  return parts.join(" · ");
};
/**
 * @param {Entry} entry
 * @param {boolean} hasEnded
 */
export const liveName = ([number, black, white, result, moves], hasEnded) =>
  result
    ? gameName([number, black, white, result, moves])
    : gameName([`${number} · ${hasEnded ? "not finished" : "being played"}`, black, white]);
/**
 * @param {Shown} shown
 * @param {string} color
 */
export const at = ({ at: move, count, move: name, result, is_live: isLive, is_left: isLeft }, color) => {
  const played = move === 0 ? "Start" : `Move ${move}${isLive ? "" : ` of ${count}`}: ${color} ${name}`;
  if (isLive) return move === count ? `${played}. Being played …` : `${played}. ${count} were played so far.`;
  if (isLeft) return move === count ? `${played}. Not finished.` : played;
  return move === count && result ? `${played}. Result: ${result}` : played;
};
