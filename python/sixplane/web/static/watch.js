// The page of `sixplane watch`: asks what is new, shows the figures, and goes through the games.

import { Board } from "./board.js";
import { element, fillTexts, make } from "./page.js";
import { colors, title as boardTitle } from "./texts.js";
import { showSummary } from "./watch-summary.js";
import * as words from "./watch-texts.js";

//: A game that goes on and is so many moves further is shown as it stands.
const BEHIND = 4;

//: Past the end of every game: the server answers with the last position.
const LAST = 1e6;

//: Milliseconds between two questions, between two moves, and at the end of a game.
const ASK = 1000;
const MOVE = 450;
const HOLD = 2500;

const dark = matchMedia("(prefers-color-scheme: dark)");
const board = new Board(element("board"), { play: () => {} });

//: What the server said last of what it knows.
let known = { version: -1, games: [] };
let live = [];
let listed = "";
let shown = null;
//: What was asked for last, until it is there; then what is shown.
let wanted = null;
let isPlaying = true;
let serial = 0;
let timer = 0;

fillTexts(words.texts);
const paint = () => { document.documentElement.dataset.scheme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", paint);
paint();

async function get(path) {
  return (await fetch(path, { cache: "no-store" })).json();
}

async function ask() {
  try {
    const found = await get(`summary?since=${known.version}`);
    live = found.live;
    if (found.summary) {
      known = found;
      showSummary(known.summary);
      element("title").textContent = `${known.summary.title} · ${known.folder}`;
    }
    listGames();
    const hasEnded = known.summary.part === 1;
    element("alive").textContent = words.quiet(found.quiet, hasEnded);
    element("alive").classList.toggle("fresh", found.quiet < 20 && !hasEnded);
    showTrouble(found.trouble);
  } catch {
    showTrouble(words.lost);
  }
  setTimeout(ask, ASK);
}

function showTrouble(text) {
  element("trouble").textContent = text;
  element("trouble").hidden = !text;
}

/** The games that can be chosen, the newest first. */
function listGames() {
  const games = [...live.toReversed().map((game) => [game[0], words.liveName(game)]),
    ...known.games.toReversed().map((game) => [game[0], words.gameName(game)])];
  const list = element("games");
  // The chosen one stays in the list when others have followed it out of there.
  if (wanted && !games.some(([number]) => number === wanted.number)) {
    games.push([wanted.number, wanted.game
      ? words.gameName([wanted.number, wanted.black, wanted.white, wanted.result, wanted.count])
      : list.selectedOptions[0]?.textContent ?? wanted.number]);
  }
  if (listed !== JSON.stringify(games)) {
    listed = JSON.stringify(games);
    list.replaceChildren(...games.map(([value, textContent]) => make("option", { value, textContent })));
    list.disabled = games.length === 0;
  }
  if (wanted) list.value = wanted.number;
  const first = newest();
  if (first === undefined) element("move").textContent = words.noGames[known.summary.kind];
  else if (!shown) begin(first);
}

/** A game that goes on, or undefined; one that is over waits there for others to end. */
const going = (number) => live.find((game) => game[0] === number && !game[3]);

/** The number of the game to follow: one that goes on, or the one that was finished last. */
const newest = () => (live.findLast((game) => !game[3]) ?? known.games.at(-1) ?? live.at(-1))?.[0];

/** Shows a game that goes on as it stands, and another from its start. */
const begin = (number) => open(number, going(number)?.[4] ?? 0);

/** Shows a game after so many moves. */
async function open(number, at) {
  serial += 1;
  const mine = serial;
  wanted = { number, at };
  clearTimeout(timer);
  try {
    const found = await get(`position?game=${number}&at=${at}`);
    if (mine !== serial) return;
    if (!found.gone) showPosition(found);
    else {
      element("move").textContent = words.gone(number);
      if (shown?.number === number) shown.is_live = false;
    }
  } catch { /* The next question tells that the server is gone. */ }
  if (mine !== serial) return;
  wanted = shown;
  timer = setTimeout(goOn, shown?.is_over ? HOLD : MOVE);
}

function showPosition(found) {
  shown = found;
  element("stage").hidden = false;
  board.show(shown, { isOpen: false, isOver: shown.is_over });
  element("games").value = shown.number;
  element("names").textContent = words.names(shown.black, shown.white);
  const mover = colors[shown.stones[shown.last] === "w" ? 1 : shown.stones[shown.last] === "b" ? 0 : 1 - shown.turn];
  element("move").textContent = words.at(shown, mover);
  element("board").setAttribute("aria-label", boardTitle(shown.game));
  element("first").disabled = element("back").disabled = shown.at === 0;
  element("last").disabled = element("forward").disabled = shown.at === shown.count;
}

/** The next move, or the newest game when this one is over. */
function goOn() {
  const { number, at, count, is_live: wasLive } = shown ?? {};
  const now = going(number);
  const moves = now?.[4] ?? count;
  if (shown && isPlaying && at < moves) open(number, now && moves - at > BEHIND ? moves : at + 1);
  else if (shown && wasLive && now?.[4] !== count) open(number, at);
  else if (shown && isPlaying && element("follow").checked && !now && (newest() ?? number) !== number) begin(newest());
  else timer = setTimeout(goOn, MOVE);
}

/** Goes to a position of the game that was asked for last, though it may not be there yet. */
function step(find) {
  if (!shown) return;
  play(false);
  open(wanted.number, Math.max(0, find(wanted)));
}

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
  if (isPlaying && wanted?.is_over) open(wanted.number, 0);
};
element("games").onchange = (event) => {
  element("follow").checked = false;
  play(true);
  begin(Number(event.target.value));
};
element("follow").onchange = (event) => { if (event.target.checked) play(true); };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
  const id = { ",": "back", ".": "forward", "<": "first", ">": "last", p: "play" }[event.key];
  if (id) element(id).click();
});

play(true);
ask();
