// The page of `sixplane watch`: asks what is new, shows the figures, and goes through the games.

import { Board } from "./board.js";
import { element, make } from "./page.js";
import { colors, title as boardTitle } from "./texts.js";
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

let news = { version: -1, games: [], count: 0 };
let live = [];
let listed = "";
let shown = null;
//: What was asked for last, until it is there; then what is shown.
let wanted = null;
let isPlaying = true;
let serial = 0;
let timer = 0;

for (const one of document.querySelectorAll("[data-text]")) one.textContent = words.texts[one.dataset.text];
for (const one of document.querySelectorAll("[data-label]")) {
  one.setAttribute("aria-label", words.texts[one.dataset.label]);
  if (one.matches("button")) one.title = words.texts[one.dataset.label];
}
const paint = () => { document.documentElement.dataset.scheme = dark.matches ? "dark" : "light"; };
dark.addEventListener("change", paint);
paint();

/** Elements of HTML that the server has made; scripts in them would not run. */
function parsed(text) {
  return [...new DOMParser().parseFromString(text, "text/html").body.children];
}

async function get(path) {
  return (await fetch(path, { cache: "no-store" })).json();
}

async function ask() {
  try {
    const found = await get(`news?since=${news.version}`);
    live = found.live;
    if (found.games) showNews(found);
    listGames();
    element("alive").textContent = words.quiet(found.quiet, news.has_ended);
    element("alive").classList.toggle("fresh", found.quiet < 20 && !news.has_ended);
    showTrouble(news.trouble);
  } catch {
    showTrouble(words.lost);
  }
  setTimeout(ask, ASK);
}

function showTrouble(text) {
  element("trouble").textContent = text ?? "";
  element("trouble").hidden = !text;
}

function showNews(found) {
  news = found;
  document.title = `${news.title} – sixplane`;
  element("title").textContent = `${news.title} · ${news.folder}`;
  element("progress").hidden = news.part === null;
  if (news.part !== null) {
    element("part").value = news.part;
    element("part-text").textContent = words.of(news.part, news.of);
  }
  element("facts").replaceChildren(...news.facts.map(([name, value]) => make("div", {},
    make("dt", { textContent: name }), make("dd", { textContent: value }))));
  element("alarms").replaceChildren(...news.alarms.map((text) => make("li", { textContent: text })));
  element("charts").replaceChildren(...news.charts.flatMap(parsed));
  element("tables").replaceChildren(...news.tables.map(tableOf));
}

function tableOf({ head, rows }) {
  const line = (cells, kind) => make("tr", {}, ...cells.map((text) => make(kind, { textContent: text })));
  return make("div", { className: "card", tabIndex: 0 }, make("table", {},
    make("thead", {}, line(head, "th")), make("tbody", {}, ...rows.map((row) => line(row, "td")))));
}

/** The games that can be chosen, the newest first. */
function listGames() {
  const games = [...live.toReversed().map((game) => [game[0], words.liveName(game)]),
    ...news.games.toReversed().map((game) => [game[0], words.gameName(game)])];
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
  if (first === undefined) element("move").textContent = words.noGames[news.kind];
  else if (!shown) begin(first);
}

/** A game that goes on, or undefined; one that is over waits there for others to end. */
const going = (number) => live.find((game) => game[0] === number && !game[3]);

/** The number of the game to follow: one that goes on, or the one that was finished last. */
const newest = () => (live.findLast((game) => !game[3]) ?? news.games.at(-1) ?? live.at(-1))?.[0];

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
  const known = now?.[4] ?? count;
  if (shown && isPlaying && at < known) open(number, now && known - at > BEHIND ? known : at + 1);
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
