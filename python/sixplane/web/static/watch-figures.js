// Which figures a page has, and what they are called: the curves and tables of a run, a match or self-play.

/**
 * @typedef {(number | null)[]} Numbers
 * @typedef {{ title: string, rows: (string | number[])[][] }} Table
 * @typedef {import("./watch-charts.js").Chart} Chart
 * @typedef {{ title: string, isFolded?: boolean, charts?: Chart[], tables?: Table[] }} Section
 * @typedef {{ kind: "train" | "match" | "selfplay", title: string, facts: [string, string][], alarms: string[],
 *   columns?: Record<string, Numbers>, scores?: Record<string, Numbers[]>, tables?: Table[],
 *   settings?: [string, string][], part?: number | null, whole?: string, as_of?: string }} Summary
 */

//: The page has so many colors for curves.
const COLORS = 6;

const LEARNING = [
  {
    title: "Policy loss, and the entropy of its targets",
    curves: { "policy loss": "policy_loss", "entropy of the targets": "policy_entropy" },
    dashed: "policy_entropy",
    note: "How little the network foresees of its search; it cannot fall below the dashed line.",
  },
  { title: "Value loss", curves: { "value loss": "value_loss" } },
  { title: "Ownership and score losses", curves: { ownership: "ownership_loss", score: "score_loss" } },
  { title: "Loss, the weighted sum", curves: { loss: "loss" } },
];

const PLAY = [
  { title: "Results of self-play", curves: { "Black wins": "black_wins", draws: "draws" }, unit: "%", bounds: [0, 1] },
  {
    title: "Different openings",
    curves: { "share of the games": "distinct_openings" },
    unit: "%",
    bounds: [0, 1],
    note: "How many games begin like no other; near 0 % the same game is played again and again.",
  },
  { title: "Length of a game", curves: { actions: "game_length" } },
  { title: "Positions", curves: { all: "positions", "replay window": "window" } },
];

const TIME = [
  {
    title: "Where the time goes; the rest is waiting",
    curves: {
      play: "play_alone", "play, in the network": "play_inside", "play, elsewhere": "play_outside",
      learn: "train_share", judge: "judge_share", drive: "driver_share",
    },
    unit: "%",
    bounds: [0, 1],
    stacked: true,
    note: "Of the time of all processors; to drive is to hand out games, to take them in and to save.",
  },
  { title: "Speed of self-play", curves: { "positions a second": "positions_per_second" } },
  {
    title: "Time of the driver that its workers take",
    curves: { share: "driver_load" },
    unit: "%",
    note: "The driver learns and hands out games; near 100 % more workers are of no use.",
  },
  {
    title: "Staleness: versions published while games are played",
    curves: { mean: "staleness", most: "most_staleness" },
    dashed: "most_staleness",
    note: "How far the network has moved on when a game ends; games of old versions teach less.",
  },
];

const ELO = [{ title: "Elo over the first version judged", curves: { Elo: "elo" }, ends: ["elo_low", "elo_high"], unit: "Elo" }];

const RESULTS = [
  { title: "Results of all games so far", curves: { "Black wins": "black_wins", draws: "draws" }, unit: "%", bounds: [0, 1] },
  { title: "Mean length of all games so far", curves: { moves: "moves" } },
];

/**
 * The sections of a page, those included of which nothing is known.
 * @param {Summary} summary
 * @returns {Section[]}
 */
export function sectionsOf({ kind, columns = {}, scores = {}, tables = [], settings = [] }) {
  if (kind === "match") {
    return [{ title: "Standings", charts: scoresOf("Score of the first player", scores, "games"), tables }];
  }
  if (kind === "selfplay") return [{ title: "Results", charts: chartsOf(RESULTS, columns, columns.games, "games") }];
  const minutes = columns.minutes ?? [];
  const known = { ...columns, ...partsOfPlay(columns) };
  const charts = (specs) => chartsOf(specs, known, minutes, "min");
  return [
    { title: "Strength", charts: [...scoresOf("Score against opponents", scores, "min", minutes.at(-1)), ...charts(ELO)], tables: [opponentsOf(scores)] },
    { title: "Learning", charts: charts(LEARNING) },
    { title: "Self-play", charts: charts(PLAY) },
    { title: "Time", charts: charts(TIME) },
    { title: "Settings", isFolded: true, tables: [{ title: "", rows: settings }] },
  ];
}

/** The value over the moves of a game, or nothing where none is known. */
export function valueOf(values) {
  const spec = { title: "Value", curves: { "Black's expected outcome": "values" }, bounds: [-1, 1] };
  return chartsOf([spec], { values }, values.map((_, i) => i), "moves");
}

/** Self-play inside the network and outside, if that is known. */
function partsOfPlay({ play_share: play, network_share: inside }) {
  if (!play || !inside) return { play_alone: play };
  const parts = (share) => play.map((whole, i) => (whole === null || inside[i] === null ? null : whole * share(inside[i])));
  return { play_inside: parts((part) => part), play_outside: parts((part) => 1 - part) };
}

/** A chart for each of which something is known. */
function chartsOf(specs, columns, times, axis) {
  const until = times.findLast((time) => time !== null) ?? 0;
  return specs.flatMap(({ title, curves, ends, dashed, unit = "", bounds = null, stacked = false, note = "" }) => {
    const given = Object.entries(curves).filter(([, name]) => columns[name]);
    const areKnown = (i) => given.every(([, name]) => columns[name][i] !== null);
    const drawn = given.map(([label, name]) => {
      const index = [...times.keys()].filter((i) => times[i] !== null && columns[name][i] !== null && (!stacked || areKnown(i)));
      const pick = (column) => index.map((i) => column[i]);
      const [low, high] = (ends ?? []).map((end) => index.map((i) => columns[end]?.[i] ?? columns[name][i]));
      return { label, dashed: name === dashed, times: pick(times), values: pick(columns[name]), low: low ?? [], high: high ?? [] };
    }).filter((curve) => curve.times.length);
    return drawn.length ? [{ title, note, unit, axis, until, bounds, stacked, curves: drawn }] : [];
  });
}

/** Scores with their intervals: there are not colors for all, but for those that came last. */
function scoresOf(title, scores, axis, until) {
  const known = Object.entries(scores).map(([label, points]) => [label, points.filter(([time, score]) => time !== null && score !== null)])
    .filter(([, points]) => points.length);
  const newest = known.toSorted(([, one], [, other]) => one.at(-1)[0] - other.at(-1)[0]).slice(-COLORS);
  const curves = known.filter((each) => newest.includes(each)).map(([label, points]) => ({
    label, dashed: false, times: points.map(([time]) => time), values: points.map(([, score]) => score),
    low: points.map(([, score, low]) => low ?? score), high: points.map(([, score, , high]) => high ?? score),
  }));
  const last = until ?? Math.max(...curves.map(({ times }) => times.at(-1)));
  return curves.length ? [{ title, note: "", unit: "%", axis, until: last, bounds: [0, 1], stacked: false, curves }] : [];
}

/** The last score against each opponent. */
function opponentsOf(scores) {
  const share = (part) => (part === null ? "?" : (100 * part).toFixed(1));
  const rows = Object.entries(scores).map(([name, points]) => {
    const [minutes, score, low, high] = points.at(-1);
    const scale = score === null ? "" : [low ?? score, score, high ?? score];
    const when = minutes === null ? "" : `at ${minutes.toFixed(1)} min`;
    return [name, `${share(score)} %`, `${share(low)} to ${share(high)} %`, scale, when];
  });
  return { title: "", rows };
}
