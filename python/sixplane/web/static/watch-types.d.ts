// What `sixplane watch` sends to its page and a saved report holds, and the elements of watch.html by their ids.

import type { Position } from "./types.d.ts";

/** Numbers of which some are not known. */
export type Numbers = (number | null)[];

/** A time, the score until then, and the ends of its interval. */
export type Score = [time: number | null, score: number | null, low: number | null, high: number | null];

/** A score that is known. */
export type KnownScore = [time: number, score: number, low: number | null, high: number | null];

/** The ends of an interval from 0 to 1 with the score between them, to be drawn. */
export type Scale = [low: number, score: number, high: number];

/** A table; the first cell of a row names it. */
export interface Table {
  title: string;
  rows: [string, ...(string | Scale)[]][];
}

/** What `sixplane.runs.reader.Summary` says. */
export interface Summary {
  kind: "train" | "match" | "selfplay";
  title: string;
  facts: [string, string][];
  alarms: string[];
  columns?: Record<string, Numbers>;
  scores?: Record<string, Score[]>;
  tables?: Table[];
  settings?: [string, string][];
  part?: number | null;
  whole?: string;
  as_of?: string;
}

export type Unit = "" | "%" | "Elo";

/** A curve, which has a point at least; `low` and `high` are empty where there are no intervals. */
export interface Curve {
  label: string;
  dashed: boolean;
  times: number[];
  values: number[];
  low: number[];
  high: number[];
}

/** A chart, which has a curve at least. */
export interface Chart {
  title: string;
  note: string;
  unit: Unit;
  axis: string;
  until: number;
  bounds: [number, number] | null;
  stacked: boolean;
  curves: Curve[];
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

/** A game of the list: what `sixplane.runs.reader.Entry` says but for its file. */
export type Entry = [number: number, black: string, white: string, result: string, moves: number];

/** What the page knows of the folder. */
export interface Known {
  version: number;
  folder: string;
  summary: Summary;
  games: Entry[];
}

/** What the server says when it is asked for the summary: what is known, if the page has an older version. */
export type News =
  & { version: number; quiet: number; trouble: string; live: Entry[] }
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
  is_over: boolean;
  move: string | null;
}

/** What the server says when it is asked for a position: a game may have left the folder. */
export type Found = Shown | { number: number; gone: true };

/** What was asked for and is not there yet. */
export type Wanted = { number: number; at: number } & { [Key in "count" | "game" | "is_over"]?: undefined };

/** What `sixplane.runs.sample.SampleView` says. */
export interface Sample {
  text: string;
  pictures: [title: string, svg: string][];
  lines: string[];
  values: Numbers;
  seconds: number;
  hold: number;
}

/** What a saved report shows. */
export interface Saved {
  summary: Summary;
  sample: Sample | null;
  refresh: number;
}

/** The elements of watch.html by their ids, and the one that a saved report has more. */
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
