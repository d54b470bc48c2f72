// What `sixplane watch` sends to its page, what a saved report contains, and the elements of watch.html.

import type { Position } from "./types.d.ts";

/** Numbers, some of which may not be known. */
export type Numbers = (number | null)[];

/** A time, the score until then, and the ends of its interval. */
export type Score = [time: number | null, score: number | null, low: number | null, high: number | null];

/** A score that is known. */
export type KnownScore = [time: number, score: number, low: number | null, high: number | null];

/** The ends of an interval from 0 to 1 with the score between them, to be drawn. */
export type Scale = [low: number, score: number, high: number];

/** A player that people know, and its Elo on the ladder. */
export type Mark = [name: string, elo: number];

/** A stage of a run: when it began, and its board. */
export type Stage = [minutes: number, board: string];

/** A table; the first cell of a row names it. */
export interface Table {
  title: string;
  rows: [string, ...(string | Scale)[]][];
}

/** A summary, as `sixplane.runs.reader.Summary` describes it. */
export interface Summary {
  kind: "train" | "match" | "selfplay";
  title: string;
  facts: [string, string][];
  alarms: string[];
  columns?: Record<string, Numbers>;
  scores?: Record<string, Score[]>;
  players?: Mark[];
  stages?: Stage[];
  tables?: Table[];
  settings?: [string, string][];
  part?: number | null;
  whole?: string;
  as_of?: string;
}

/** `Elo` is a difference, and `ladder` an Elo over random play. */
export type Unit = "" | "%" | "Elo" | "ladder";

/** A curve, which has at least one point; `low` and `high` are empty where there are no intervals. */
export interface Curve {
  label: string;
  dashed: boolean;
  times: number[];
  values: number[];
  low: number[];
  high: number[];
}

/** A chart, which has at least one curve. */
export interface Chart {
  title: string;
  note: string;
  unit: Unit;
  axis: string;
  until: number;
  bounds: [number, number] | null;
  stacked: boolean;
  curves: Curve[];
  marks: Mark[];
  stages?: Stage[];
}

/** Which columns a chart shows: its curves and the ends of their intervals. */
export interface Spec {
  title: string;
  curves: Record<string, string>;
  ends?: [low: string, high: string];
  dashed?: string;
  unit?: Unit;
  bounds?: [number, number];
  stacked?: boolean;
  note?: string;
}

export interface Section {
  title: string;
  isFolded?: boolean;
  charts?: Chart[];
  tables?: Table[];
}

/** A game of the list: a `sixplane.runs.reader.Entry` without its file, with its result in words. */
export type Entry = [number: number, black: string, white: string, result: string, moves: number];

/** What the page knows of the folder. */
export interface Known {
  version: number;
  folder: string;
  summary: Summary;
  games: Entry[];
}

/** The answer of the server about the summary, which is left out if the page has this version. */
export type News =
  & { version: number; quiet: number; trouble: string; live: Entry[]; has_ended: boolean }
  & (
    | Known
    | { summary?: undefined }
  );

/** A position of a game. */
export interface Shown extends Position {
  number: number;
  gone?: undefined;
  at: number;
  count: number;
  black: string;
  white: string;
  result: string;
  is_live: boolean;
  /** Whether the run has ended and left this game before its end. */
  is_left: boolean;
  is_over: boolean;
  move: string | null;
}

/** The answer of the server about a position; the game may have left the folder. */
export type Found = Shown | { number: number; gone: true };

/** A position that was requested and has not arrived. */
export type Requested =
  & { number: number; at: number }
  & { [Key in "count" | "game" | "is_over"]?: undefined };

/** A sample, as `sixplane.runs.sample.SampleView` describes it. */
export interface Sample {
  text: string;
  pictures: [title: string, svg: string][];
  lines: string[];
  values: Numbers;
  moves: number[];
  seconds: number;
  hold: number;
}

/** What a saved report shows. */
export interface Saved {
  summary: Summary;
  sample: Sample | null;
  refresh: number;
}

/** The elements of watch.html by their ids, and the one that only a saved report has. */
export interface Elements {
  title: HTMLElement;
  alive: HTMLElement;
  trouble: HTMLElement;
  stage: HTMLElement;
  board: HTMLElement;
  names: HTMLElement;
  move: HTMLElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  play: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  follow: HTMLInputElement;
  games: HTMLSelectElement;
  progress: HTMLElement;
  part: HTMLProgressElement;
  "part-text": HTMLElement;
  facts: HTMLElement;
  alarms: HTMLElement;
  sections: HTMLElement;
  saved: HTMLScriptElement;
}
