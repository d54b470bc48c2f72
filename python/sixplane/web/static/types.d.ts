// The messages of the server to the page, and the elements of index.html by their ids, for the type check.

/** 0 is Black, 1 is White. */
export type Color = 0 | 1;
export type ColorName = "black" | "white";
/** The agent that an insight is of. */
export type Source = "hint" | ColorName;
export type Overlay = "off" | "policy" | "visits" | "values" | "ownership" | "table";

/** A message to the server: `do` names its class in `sixplane.web.messages`. */
export type Message = { do: string; [field: string]: unknown };

export interface GameInfo {
  name: string;
  title: string;
  rows: number;
  cols: number;
  has_pass: boolean;
  /** What the pass means: in Hex it is the swap. */
  passing: string;
  marks_legal: boolean;
  /** Whether discs fall, so that any point of a column means the legal one. */
  drops: boolean;
  /** Whether points count, so that points have owners. */
  counts_points: boolean;
  /** Whether empty points may be forbidden. */
  forbids_points: boolean;
  rules: Record<string, boolean | number | string>;
  /** The number of actions after which it is cut off. */
  max_moves: number | null;
}

export interface Player {
  name: string;
  is_person: boolean;
}

export interface Result {
  winner: ColorName | "draw";
  ending: string;
  margin: number;
  detail: string;
  by_line: boolean;
}

export interface Candidate {
  action: number;
  policy: number;
  visits?: number | null;
  line: number[];
}

export interface Insight {
  black: number | null;
  /** Who wins for certain with best play of both; null: that is open. */
  proven: "black" | "white" | "draw" | null;
  candidates: Candidate[];
}

/** A point, a shape or `label`, and the text of a label. */
export type RecordMark = [number, string, string];

/** The color and the name of a move. */
export type Move = [Color, string];

/** A position beside the one that is shown: its number, and the move that leads there. */
export type Branch = [number, Color, string];

/** A position, as `sixplane.web.view.position` describes it. */
export interface Position {
  /** The number of the game; only the page of one game has it. */
  serial?: number;
  game: GameInfo;
  board: string;
  /** The sizes of the picture: `top` is the middle of the first row, `row` the way to the next, `slant` how far that lies to the right. */
  layout: {
    width: number;
    height: number;
    margin: number;
    cell: number;
    top: number;
    row: number;
    slant: number;
  };
  stones: string;
  names: { cols: string[]; rows: string[] };
  last: number | null;
  turn: Color;
  legal: number[];
  hint?: number | "thinking" | "resign" | null;
  counting?: Counting | null;
  record_marks?: RecordMark[];
}

export interface Counting {
  dead: number[];
  agreed: [boolean, boolean];
  score: number;
}

/** The state of a session, as `sixplane.web.view.state` describes it. */
export interface State extends Position {
  type: "state";
  version: number;
  serial: number;
  at: number;
  moves: Move[];
  seconds: (number | null)[];
  place: number;
  branch: number | null;
  record_marks: RecordMark[];
  about: Record<string, string>;
  comment: string;
  next: Branch[];
  beside: Branch[];
  forks: number[];
  is_live: boolean;
  played: number;
  tally: [string, number, number] | null;
  counting: Counting | null;
  players: [Player, Player];
  clock: { spent: [number, number]; left: number | null; limit: number | null; running: Color | null };
  is_thinking: boolean;
  hint: number | "thinking" | "resign" | null;
  hint_black: number | null;
  result: Result | null;
  /** The number of the level that plays against a person. */
  level: number | null;
  /** The games in a row that a person has won (below 0: lost), and the level that comes next. */
  streak: { count: number; level: number; name: string } | null;
  /** Whether a game goes on in which somebody has played since it began. */
  is_played: boolean;
  can_undo: boolean;
  can_stop: boolean;
  sources: Source[];
  insight: Insight | null;
  table: [number, number, number][] | null;
  is_asking: boolean;
  curves: Partial<Record<Source, [number, number][]>>;
}

/** The state of a board in a notebook: also whether legal points are marked, and which game of a batch it is. */
export interface WidgetState extends State {
  marks: boolean;
  page: { index: number; count: number } | null;
}

export interface Rule {
  name: string;
  kind: "bool" | "int" | "float" | "str";
  help: string;
  value: boolean | number | string;
  choices: string[];
}

export interface CatalogueEntry {
  name: string;
  title: string;
  size: [number, number];
  sides: number[][];
  /** The names of the levels of each board that has some, such as `9x9`; the weakest first. */
  levels: Record<string, string[]>;
  has_pass: boolean;
  marks_legal: boolean;
  rules: Rule[];
}

/** The first message of the server. */
export interface Hello {
  type: "hello";
  version: string;
  games: CatalogueEntry[];
  levels: string[];
  given: string[];
  stones: string[];
}

/** A function for each type of message of the server, and for the connection. */
export interface Handlers {
  open: () => void;
  closed: () => void;
  hello: (message: Hello) => void;
  state: (message: State) => void;
  progress: (message: { part: number }) => void;
  link: (message: { position: string }) => void;
  begun: () => void;
  refused: (message: { reason: string; text: string }) => void;
}

declare global {
  /** The style sheets, which the package puts before the module of a widget. */
  const SHEETS: string;
}

/** The model of a widget, which anywidget provides. */
export interface Model {
  get(name: "state"): WidgetState;
  get(name: "stones"): string[];
  get(name: "width"): number;
  on(
    event: string,
    handler: (message: { type: string; part?: number; reason?: string; text?: string }) => void,
  ): void;
  off(event: string, handler: unknown): void;
  send(message: Message): void;
}

/** The elements of index.html by their ids. */
export interface Elements {
  title: HTMLElement;
  new: HTMLButtonElement;
  open: HTMLButtonElement;
  save: HTMLAnchorElement;
  link: HTMLButtonElement;
  settings: HTMLButtonElement;
  help: HTMLButtonElement;
  file: HTMLInputElement;
  "player-0": HTMLElement;
  "player-1": HTMLElement;
  board: HTMLElement;
  status: HTMLElement;
  next: HTMLButtonElement;
  pass: HTMLButtonElement;
  undo: HTMLButtonElement;
  hint: HTMLButtonElement;
  better: HTMLButtonElement;
  suggest: HTMLButtonElement;
  "agree-0": HTMLButtonElement;
  "agree-1": HTMLButtonElement;
  try: HTMLButtonElement;
  resign: HTMLButtonElement;
  stop: HTMLButtonElement;
  again: HTMLButtonElement;
  overlay: HTMLSelectElement;
  of: HTMLSelectElement;
  "insight-text": HTMLElement;
  curve: HTMLElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  branches: HTMLElement;
  comment: HTMLElement;
  moves: HTMLElement;
  lost: HTMLElement;
  toast: HTMLElement;
  drop: HTMLElement;
  panel: HTMLDialogElement;
  "new-game": HTMLFormElement;
  "panel-title": HTMLElement;
  "starts-field": HTMLElement;
  starts: HTMLElement;
  "games-field": HTMLElement;
  games: HTMLElement;
  "size-field": HTMLElement;
  sizes: HTMLElement;
  rows: HTMLSelectElement;
  cols: HTMLSelectElement;
  opponent: HTMLSelectElement;
  "level-field": HTMLElement;
  level: HTMLInputElement;
  "level-name": HTMLOutputElement;
  "agent-field": HTMLElement;
  agent: HTMLInputElement;
  "agent-help": HTMLElement;
  colors: HTMLElement;
  "watch-field": HTMLElement;
  watch: HTMLSelectElement;
  more: HTMLDetailsElement;
  rules: HTMLElement;
  time: HTMLSelectElement;
  "name-field": HTMLElement;
  name: HTMLInputElement;
  "second-field": HTMLElement;
  second: HTMLInputElement;
  "panel-error": HTMLElement;
  begin: HTMLButtonElement;
  "settings-sheet": HTMLDialogElement;
  "settings-title": HTMLElement;
  themes: HTMLElement;
  schemes: HTMLElement;
  "show-coordinates": HTMLInputElement;
  "show-numbers": HTMLInputElement;
  "show-all": HTMLInputElement;
  "show-marks": HTMLInputElement;
  "marks-text": HTMLElement;
  sound: HTMLInputElement;
  "help-sheet": HTMLDialogElement;
  "help-title": HTMLElement;
  keys: HTMLElement;
  "link-sheet": HTMLDialogElement;
  "link-title": HTMLElement;
  "link-text": HTMLInputElement;
  ask: HTMLDialogElement;
  "ask-title": HTMLElement;
  "ask-text": HTMLElement;
  "ask-yes": HTMLButtonElement;
}
