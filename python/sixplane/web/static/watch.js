// The page of `sixplane watch`: asks the server for news, shows the figures, and plays the games.

/** @import { Entry, Found, Known, News, Shown, Requested } from "./watch-types.d.ts" */

import { Board } from "./board.js";
import { fillTexts, followSystem, FORBIDDEN, make, targetOf, watchElement as element } from "./page.js";
import { colors, startedAgain, title as boardTitle } from "./texts.js";
import { showSummary } from "./watch-summary.js";
import * as words from "./watch-texts.js";

//: The number of moves from which on a game that goes on is shown as it stands.
const BEHIND = 4;

//: Past the end of every game: the server answers with the last position.
const LAST = 1e6;

//: The milliseconds between two requests, between two moves, and at the end of a game.
const ASK = 1000;
const MOVE = 450;
const HOLD = 2500;

const board = new Board(element("board"), { play: () => {} });

/** The newest summary from the server. @type {Known | null} */
let known = null;
/** The games that go on. @type {Entry[]} */
let live = [];
/** Whether the run has ended: then nobody plays these games on. */
let hasEnded = false;
/** Whether another server, which has another token, answers at the address of this page. */
let isReplaced = false;
let listed = "";
/** @type {Shown | null} */
let shown = null;
/** The position that was requested last; once it has arrived, the one that is shown. @type {Shown | Requested | null} */
let requested = null;
let isPlaying = true;
let serial = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

followSystem();
fillTexts(words.texts);

/** @param {string} path */
async function get(path) {
  const answer = await fetch(path, { cache: "no-store" });
  isReplaced = answer.status === FORBIDDEN;
  return answer.json();
}

async function ask() {
  try {
    /** @type {News} */
    const found = await get(`summary?since=${known?.version ?? -1}`);
    [live, hasEnded] = [found.live, found.has_ended];
    if (found.summary) {
      known = found;
      showSummary(known.summary);
      element("title").textContent = `${known.summary.title} · ${known.folder}`;
    }
    listGames();
    element("alive").textContent = words.quiet(found.quiet, hasEnded);
    element("alive").classList.toggle("fresh", found.quiet < 20 && !hasEnded);
    showTrouble(found.trouble);
  } catch {
    showTrouble(isReplaced ? startedAgain : words.lost);
    if (isReplaced) return;
  }
  setTimeout(ask, ASK);
}

/** @param {string} text */
function showTrouble(text) {
  element("trouble").textContent = text;
  element("trouble").hidden = !text;
}

/** Lists the games that can be chosen, the newest first. */
function listGames() {
  const finished = known?.games ?? [];
  const games = [
    ...live.map((game) => ({ value: game[0], textContent: words.liveName(game, hasEnded) })).toReversed(),
    ...finished.map((game) => ({ value: game[0], textContent: words.gameName(game) })).toReversed(),
  ];
  const list = element("games");
  // The chosen game stays in the list, even when newer games have replaced it there.
  const kept = requested;
  if (kept && !games.some(({ value }) => value === kept.number)) {
    games.push({
      value: kept.number,
      textContent: kept.game
        ? words.gameName([kept.number, kept.black, kept.white, kept.result, kept.count])
        : list.selectedOptions[0]?.textContent ?? String(kept.number),
    });
  }
  if (listed !== JSON.stringify(games)) {
    listed = JSON.stringify(games);
    list.replaceChildren(...games.map((game) => make("option", game)));
    list.disabled = games.length === 0;
  }
  if (kept) list.value = String(kept.number);
  const first = newest();
  if (first === undefined) element("move").textContent = known && words.noGames[known.summary.kind];
  else if (!shown) begin(first);
}

/**
 * The game with this number if it goes on; a finished one stays among the live games until others end.
 *
 * @param {number} number
 */
const going = (number) => hasEnded ? undefined : live.find((game) => game[0] === number && !game[3]);

/** The number of the game to follow: one that goes on, or the one that was finished last. */
const newest = () => (live.findLast((game) => going(game[0])) ?? known?.games.at(-1) ?? live.at(-1))?.[0];

/**
 * Shows a game that goes on as it stands, and another from its start.
 *
 * @param {number} number
 */
const begin = (number) => open(number, going(number)?.[4] ?? 0);

/**
 * Shows a game after so many moves.
 *
 * @param {number} number
 * @param {number} at
 */
async function open(number, at) {
  serial += 1;
  const mine = serial;
  requested = { number, at };
  clearTimeout(timer);
  try {
    /** @type {Found} */
    const found = await get(`position?game=${number}&at=${at}`);
    if (mine !== serial) return;
    if (!found.gone) showPosition(found);
    else {
      element("move").textContent = words.gone(number);
      if (shown?.number === number) [shown.is_live, shown.count] = [false, shown.at];
    }
  } catch { /* The next request for news shows that the server is gone. */ }
  if (mine !== serial) return;
  requested = shown;
  timer = setTimeout(goOn, shown?.is_over ? HOLD : MOVE);
}

/** @param {Shown} found */
function showPosition(found) {
  shown = found;
  element("stage").hidden = false;
  board.show(found, { isOpen: false, isOver: found.is_over });
  element("games").value = String(found.number);
  element("names").textContent = words.names(found.black, found.white);
  const stone = found.last === null ? "" : found.stones[found.last];
  const mover = colors[stone === "w" ? 1 : stone === "b" ? 0 : 1 - found.turn];
  element("move").textContent = words.at(found, mover);
  element("board").setAttribute("aria-label", boardTitle(found.game));
  element("first").disabled = element("back").disabled = found.at === 0;
  element("last").disabled = element("forward").disabled = found.at === found.count;
}

/** The next move, or the newest game when this one is over. */
function goOn() {
  if (!shown) {
    timer = setTimeout(goOn, MOVE);
    return;
  }
  const { number, at, count, is_live: wasLive } = shown;
  const now = going(number);
  const moves = now?.[4] ?? count;
  const followed = newest() ?? number;
  if (isPlaying && at < moves) open(number, now && moves - at > BEHIND ? moves : at + 1);
  else if (wasLive && now?.[4] !== count) open(number, at);
  else if (isPlaying && element("follow").checked && !now && followed !== number) begin(followed);
  else timer = setTimeout(goOn, MOVE);
}

/**
 * Goes to a position of the game that was requested last, even if that has not arrived.
 *
 * @param {(requested: Shown | Requested) => number} find
 */
function step(find) {
  if (!shown || !requested) return;
  play(false);
  open(requested.number, Math.max(0, find(requested)));
}

/** @param {boolean} now */
function play(now) {
  isPlaying = now;
  element("play").textContent = now ? words.pause : words.play;
}

element("first").onclick = () => step(() => 0);
element("back").onclick = () => step(({ at }) => at - 1);
element("forward").onclick = () => step(({ at }) => at + 1);
element("last").onclick = () => step(({ count }) => count ?? LAST);
element("play").onclick = () => {
  play(!isPlaying);
  if (isPlaying && requested?.is_over) open(requested.number, 0);
};
element("games").onchange = (event) => {
  element("follow").checked = false;
  play(true);
  begin(Number(targetOf(event).value));
};
element("follow").onchange = (event) => {
  if (targetOf(event).checked) play(true);
};

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || targetOf(event).closest("input, select")) return;
  /** @type {Record<string, "back" | "forward" | "first" | "last" | "play">} */
  const keys = { ",": "back", ".": "forward", "<": "first", ">": "last", p: "play" };
  const id = keys[event.key];
  if (id) element(id).click();
});

play(true);
ask();
