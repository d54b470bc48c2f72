// The curves and tables of a run, a match or self-play, with their names.

/** @import { Chart, KnownScore, Mark, Numbers, Scale, Score, Section, Spec, Summary, Table } from "./watch-types.d.ts" */

//: The number of colors for curves.
const COLORS = 6;

/** @type {Spec[]} */
const LEARNING = [
  {
    title: "Policy loss, and the entropy of its targets",
    curves: { "policy loss": "policy_loss", "entropy of the targets": "policy_entropy" },
    dashed: "policy_entropy",
    note: "How far the policy is from the results of the search; it cannot fall below the dashed line.",
  },
  { title: "Value loss", curves: { "value loss": "value_loss" } },
  { title: "Ownership and score losses", curves: { ownership: "ownership_loss", score: "score_loss" } },
  { title: "Loss, the weighted sum", curves: { loss: "loss" } },
];

/** @type {Spec[]} */
const PLAY = [
  {
    title: "Results of self-play",
    curves: {
      "Black wins": "black_wins",
      draws: "draws",
      "positions of certain value": "certain_share",
      "decided games lost by the surer side": "wrongly_decided",
    },
    unit: "%",
    bounds: [0, 1],
  },
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

/** @type {Spec[]} */
const TIME = [
  {
    title: "Where the time goes; the rest is waiting",
    curves: {
      play: "play_alone",
      "play, in the network": "play_inside",
      "play, elsewhere": "play_outside",
      learn: "train_share",
      judge: "judge_share",
      drive: "driver_share",
    },
    unit: "%",
    bounds: [0, 1],
    stacked: true,
    note: "Of the time of all processors; the driver hands out games, takes them in and saves.",
  },
  { title: "Speed of self-play", curves: { "positions a second": "positions_per_second" } },
  {
    title: "Time of the driver that its workers take",
    curves: { share: "driver_load" },
    unit: "%",
    note: "The driver learns and hands out games; near 100 % more workers do not help.",
  },
  {
    title: "Staleness: versions published while games are played",
    curves: { mean: "staleness", most: "most_staleness" },
    dashed: "most_staleness",
    note: "How many versions newer the network is when a game ends; games of old versions teach less.",
  },
];

//: Figures of each board of a run that mixes some: the title of their chart, and the column.
/** @type {Spec[]} */
const LOSSES = [
  {
    title: "Policy loss on each board",
    curves: { "": "policy_loss" },
    note: "On a bigger board there is more to choose from, and so more to lose.",
  },
  { title: "Value loss on each board", curves: { "": "value_loss" } },
];

/** @type {Spec[]} */
const GAMES = [
  { title: "Black wins on each board", curves: { "": "black_wins" }, unit: "%", bounds: [0, 1] },
  { title: "Length of a game on each board", curves: { "": "game_length" } },
  { title: "Positions on each board", curves: { "": "positions" } },
];

/** @type {Spec[]} */
const ELO = [
  {
    title: "Elo, ladder",
    curves: { Elo: "ladder_elo" },
    ends: ["ladder_low", "ladder_high"],
    unit: "ladder",
    note: "Rated by games with 32 simulations a move; the curves of all runs on this board can be compared.",
  },
  {
    title: "Elo over the first version judged",
    curves: { Elo: "elo" },
    ends: ["elo_low", "elo_high"],
    unit: "Elo",
    note: "From games against earlier versions, so two runs cannot be compared by it.",
  },
];

/** @type {Spec[]} */
const RESULTS = [
  {
    title: "Results of all games so far",
    curves: { "Black wins": "black_wins", draws: "draws" },
    unit: "%",
    bounds: [0, 1],
  },
  { title: "Mean length of all games so far", curves: { moves: "moves" } },
];

/**
 * All sections of a page; some may be empty.
 *
 * @param {Summary} summary
 * @returns {Section[]}
 */
export function sectionsOf(
  { kind, columns = {}, scores = {}, players = [], stages = [], tables = [], settings = [] },
) {
  if (kind === "match") {
    return [{ title: "Standings", charts: scoresOf("Score of the first player", scores, "games"), tables }];
  }
  if (kind === "selfplay") {
    return [{ title: "Results", charts: chartsOf(RESULTS, columns, columns.games ?? [], "games") }];
  }
  const minutes = columns.minutes ?? [];
  const known = { ...columns, ...partsOfPlay(columns) };
  /** @param {Spec[]} specs */
  const charts = (specs) => inStages(chartsOf(specs, known, minutes, "min", players));
  /** @param {Chart[]} charts */
  const inStages = (charts) => charts.map((chart) => ({ ...chart, stages }));
  const against = scoresOf("Score against opponents", scores, "min", minutes.at(-1));
  return [
    {
      title: "Strength",
      charts: [...inStages(against), ...charts(ELO)],
      tables: [opponentsOf(scores)],
    },
    { title: "Learning", charts: charts([...LEARNING, ...onBoards(LOSSES, columns)]) },
    { title: "Self-play", charts: charts([...PLAY, ...onBoards(GAMES, columns)]) },
    { title: "Time", charts: charts(TIME) },
    { title: "Settings", isFolded: true, tables: [{ title: "", rows: settings }] },
  ];
}

/**
 * A chart of the value over the moves of a game; nothing if no value is known.
 *
 * @param {Numbers} values
 * @param {number[]} moves the number of moves before each position.
 */
export function valueOf(values, moves) {
  /** @type {Spec} */
  const spec = { title: "Value", curves: { "Black's expected outcome": "values" }, bounds: [-1, 1] };
  return chartsOf([spec], { values }, moves.slice(0, values.length), "moves");
}

/**
 * The same charts with a curve for each board, of the largest ones as far as there are colors.
 *
 * @param {Spec[]} specs
 * @param {Record<string, Numbers | undefined>} columns
 * @returns {Spec[]}
 */
function onBoards(specs, columns) {
  const start = "positions on ";
  const boards = Object.keys(columns).filter((name) => name.startsWith(start))
    .map((name) => name.slice(start.length)).slice(-COLORS);
  return specs.map((spec) => ({
    ...spec,
    curves: Object.fromEntries(boards.map((board) => [board, `${spec.curves[""]} on ${board}`])),
  }));
}

/**
 * The columns of self-play in the network and elsewhere, if the parts are known.
 *
 * Where only the whole is known, the parts are as in the last row before that has them, or else in the first one.
 *
 * @param {Record<string, Numbers | undefined>} columns
 * @returns {Record<string, Numbers | undefined>}
 */
function partsOfPlay({ play_share: play, network_share: inside }) {
  if (!play || !inside) return { play_alone: play };
  let near = inside.find((part) => part !== null) ?? 0;
  const known = inside.map((part) => (near = part ?? near));
  /** @param {(inside: number) => number} share */
  const parts = (share) => play.map((whole, i) => (whole === null ? null : whole * share(known[i])));
  return { play_inside: parts((part) => part), play_outside: parts((part) => 1 - part) };
}

/**
 * A chart for each spec with known values.
 *
 * @param {Spec[]} specs
 * @param {Record<string, Numbers | undefined>} columns
 * @param {Numbers} times
 * @param {string} axis
 * @param {Mark[]} [players] the known players beside an axis of Elo.
 * @returns {Chart[]}
 */
function chartsOf(specs, columns, times, axis, players = []) {
  const until = times.findLast((time) => time !== null) ?? 0;
  return specs.flatMap(
    ({ title, curves, ends = [], dashed, unit = "", bounds = null, stacked = false, note = "" }) => {
      const given = Object.entries(curves).flatMap(([label, name]) => {
        const column = columns[name];
        return column ? [{ label, name, column }] : [];
      });
      /** @param {number} i */
      const areKnown = (i) => given.every(({ column }) => column[i] !== null);
      const drawn = given.map(({ label, name, column }) => {
        const index = [...times.keys()].filter((i) =>
          times[i] !== null && column[i] !== null && (!stacked || areKnown(i))
        );
        /** @param {Numbers} from */
        const pick = (from) => index.map((i) => /** @type {number} */ (from[i]));
        const [low = [], high = []] = ends.map((end) =>
          pick(column.map((value, i) => columns[end]?.[i] ?? value))
        );
        return { label, dashed: name === dashed, times: pick(times), values: pick(column), low, high };
      }).filter((curve) => curve.times.length);
      const marks = unit === "ladder" ? players : [];
      return drawn.length ? [{ title, note, unit, axis, until, bounds, stacked, curves: drawn, marks }] : [];
    },
  );
}

/**
 * Whether a score and its time are known.
 *
 * @param {Score} score
 * @returns {score is KnownScore}
 */
const isKnown = (score) => score[0] !== null && score[1] !== null;

/**
 * A chart of scores with their intervals, of the opponents that came last, as far as there are colors.
 *
 * @param {string} title
 * @param {Record<string, Score[]>} scores
 * @param {string} axis
 * @param {number | null} [until]
 * @returns {Chart[]}
 */
function scoresOf(title, scores, axis, until) {
  const known = Object.entries(scores).map(([label, points]) => ({ label, points: points.filter(isKnown) }))
    .filter(({ points }) => points.length);
  /** @param {{ points: KnownScore[] }} curve */
  const endOf = ({ points }) => points[points.length - 1][0];
  const newest = known.toSorted((one, other) => endOf(one) - endOf(other)).slice(-COLORS);
  const drawn = known.filter((each) => newest.includes(each));
  const curves = drawn.map(({ label, points }) => ({
    label,
    dashed: false,
    times: points.map(([time]) => time),
    values: points.map(([, score]) => score),
    low: points.map(([, score, low]) => low ?? score),
    high: points.map(([, score, , high]) => high ?? score),
  }));
  const last = until ?? Math.max(...drawn.map(endOf));
  return curves.length
    ? [{ title, note: "", unit: "%", axis, until: last, bounds: [0, 1], stacked: false, curves, marks: [] }]
    : [];
}

/**
 * The last score against each opponent.
 *
 * @param {Record<string, Score[]>} scores
 * @returns {Table}
 */
function opponentsOf(scores) {
  /** @param {number | null} part */
  const share = (part) => (part === null ? "?" : (100 * part).toFixed(1));
  /** @type {Table["rows"]} */
  const rows = Object.entries(scores).map(([name, points]) => {
    const [minutes, score, low, high] = points[points.length - 1];
    /** @type {Scale | string} */
    const scale = score === null ? "" : [low ?? score, score, high ?? score];
    const when = minutes === null ? "" : `at ${minutes.toFixed(1)} min`;
    return [name, `${share(score)} %`, `${share(low)} to ${share(high)} %`, scale, when];
  });
  return { title: "", rows };
}
