// Made by kifu.replay.browser.typescript: do not edit.

/** The proposal that ended the match, with the signatures of all: `told` for a record's entry of kind 3. */
export interface AgreedResponse {
  moment: number;
  /** Bytes, in base64url without `=`. */
  told: string;
  /** Bytes, in base64url without `=`. */
  mark: string;
}

/** How the spaces of a board lie: their names row by row from the top, "" for a gap. */
export interface BoardResponse {
  kind: "grid" | "hex" | "pits" | "stack" | "track";
  rows: string[][];
  /** How far each row begins to the right, in halves of a space; empty if none does. */
  indents: number[];
  /** Whether every other row of a track goes from the right to the left. */
  winding: boolean;
}

/** One kind of command: its tag, its label, and the JSON schema of its fields. */
export interface CommandSchema {
  tag: string;
  label: string;
  fields: Record<string, unknown>;
}

/** What is told of the end: `number` is how many events there were. */
export interface EndedResponse {
  number: number;
  /** Bytes, in base64url without `=`. */
  told: string;
  /** Bytes, in base64url without `=`. */
  salt: string;
  /** Bytes, in base64url without `=`. */
  mark: string;
  sig: string | null;
  proposals: AgreedResponse[];
}

/** What is printed on a card, a round piece or a die, and its tint. */
export interface FaceResponse {
  text: string;
  tint: string;
  shape: "card" | "die" | "piece";
}

/** A labelled value, `of` its maximum if it has one. */
export interface FactResponse {
  label: string;
  value: number | string;
  of: number | null;
}

/** A game that may be opened here. */
export interface GameResponse {
  game: string;
  title: string;
  designer: string;
  rules_version: number;
  /** The numbers of seats it can be played with. */
  seats: number[];
  /** False for a game without chance: there is no deal to be held fairly. */
  deals: boolean;
  options: OptionResponse[];
  commands: CommandSchema[];
  /** By what begins there the heading of a section, `{number}` for its number. */
  sections: Record<string, string>;
  /** Every rule: its number and sentence. */
  rules: Record<string, string>;
  /** The kana of difficult words. */
  readings: Record<string, string>;
  /** Null if the game has no lesson. */
  lesson: LessonSummary | null;
}

/** One event as one seat saw it. */
export interface HistoryEntry {
  /** Bytes, in base64url without `=`. */
  told?: string;
  /** Bytes, in base64url without `=`. */
  salt?: string;
  /** Bytes, in base64url without `=`. */
  mark?: string;
  /** The host's signature; null without a key. */
  sig?: string | null;
  seq: number;
  /** A seat; -1 is the table, which deals. */
  seat: number;
  tag: string;
  fields: Record<string, unknown>;
  /** Whether `fields` has only the public ones. */
  redacted: boolean;
  notes: NoteResponse[];
  /** Milliseconds since the match began. */
  elapsed_ms: number | null;
  /** The bot or stand-in that acted for the seat; null: its player. */
  actor: string | null;
}

/** A legal command of the seat, as it is submitted. */
export interface LegalCommand {
  tag: string;
  fields: Record<string, unknown>;
  /** The things of the scene, buttons and input fields that it names, in its order. */
  parts: ((string | number)[])[];
  /** In words; left out if there are more than 64, unless `texts` asks. */
  text?: string;
}

/** What a game is like, for people who choose one. */
export interface LessonSummary {
  /** Two sentences. */
  about: string;
  /** How long a match takes, least and most. */
  minutes: number[];
  /** 1 (easy to learn) to 3. */
  difficulty: number;
  /** Some of its cards, as a picture. */
  cards: FaceResponse[];
}

/** The keys, or the values, of an option that is a map. */
export interface MapEntry {
  kind: "int" | "text";
  label: string;
}

/** What happened in an event, and by which rule. */
export interface NoteResponse {
  /** A text in pieces: strings, and the numbers of seats where their names belong. */
  text: (string | number)[];
  rule: string | null;
  /** `deal`, `round`, `trick` or `turn`: what begins with it. */
  begins: string | null;
  /** Its number, where the note has one; else it is the next. */
  number: number | null;
  /** True: it may be looked at only once; take it away as soon as somebody acts again. Until the match has ended, the history has it no more then. */
  momentary?: boolean;
}

/** The match as one seat sees it. */
export interface Observation {
  /** Bytes, in base64url without `=`. */
  told?: string;
  /** Bytes, in base64url without `=`. */
  salt?: string;
  /** Bytes, in base64url without `=`. */
  mark?: string;
  /** The host's signature; null without a key. */
  sig?: string | null;
  match: string;
  seat: number | null;
  count: number;
  /** `open`: seats are free. */
  status: "abandoned" | "going" | "open" | "over";
  to_act: number[];
  /** The game's view of the seat; null while seats are free. */
  view: unknown;
  scene: SceneResponse | null;
  /** Labels by message key, in the client's language. */
  labels: Record<string, string>;
  legal: LegalCommand[];
  /** Whether there are commands that `legal` does not list. */
  open_ended: boolean;
  result: ResultResponse | null;
  /** When the turn ends, in milliseconds since the Unix epoch. */
  deadline_at_ms: number | null;
  /** The seats for which the stand-in played last. */
  absent: number[];
  proposals: ProposalResponse[];
  /** Why it takes no commands though its players did not end it, as after new rules; null in a list. */
  stopped: string | null;
  /** The end, under its mark. */
  ended?: EndedResponse;
}

/** One option of a game. */
export interface OptionResponse {
  name: string;
  label: string;
  /** `bool`, `int`, `seat` (its number, from 0), `text`, `choice`, `map` or `typed`. */
  kind: string;
  default: unknown;
  /** Of a `choice`: texts, numbers, true and false. */
  choices?: unknown[];
  /** Of a `typed` option: its default as a text, e.g. `1,2`. */
  typed?: string;
  /** Of a `map`. */
  key?: MapEntry;
  /** Of a `map`. */
  value?: MapEntry;
}

/** The place before a seat, or the middle of the table (`seat` null). */
export interface PlaceResponse {
  seat: number | null;
  zones: ZoneResponse[];
  facts: FactResponse[];
  marks: string[];
}

/** An error, as in RFC 9457. */
export interface Problem {
  /** `urn:kifu:problem:` and the kind of problem. */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The number of a rule, e.g. `TS-3`. */
  rule?: string;
  /** The values that show the violation. */
  facts?: Record<string, unknown>;
  /** How many events the match has now. */
  count?: number;
  /** The events since, as the seat saw them. */
  meanwhile?: HistoryEntry[];
  /** Bytes, in base64url without `=`. */
  mark?: string;
}

/** A proposal, and the seats that have accepted it. */
export interface ProposalResponse {
  /** The number in the path of an answer. */
  number: number;
  kind: "abandon" | "fork" | "take_back";
  /** A seat, 0 … n-1 clockwise. */
  by: number;
  /** `take_back`: the last event kept (-1: none). `fork`: how many events both matches share. */
  target: number;
  accepted_by: number[];
  waiting_for: number[];
  state: "accepted" | "expired" | "pending" | "rejected";
  /** The match that an accepted fork made. */
  fork: string | null;
  /** How many events there were when it was made. */
  count: number;
  /** What the seat signs to consent; null if it signs nothing. */
  message?: string | null;
}

/** The points of each seat, the winners (all of a draw, nobody if all have lost), and each seat's team. */
export interface ResultResponse {
  points: number[];
  winners: number[];
  /** Empty if each seat plays for itself; one number for all together. */
  teams: number[];
}

/** The table as the viewer sees it: the middle, then every seat. */
export interface SceneResponse {
  viewer: number | null;
  table: PlaceResponse;
  places: PlaceResponse[];
}

/** A card, a stack, a bundle or a piece; face down without faces, nothing at all if `count` is 0, too. */
export interface ThingResponse {
  faces: FaceResponse[];
  count: number;
  part: (string | number)[] | null;
  marks: string[];
  /** By which texts call it, from 1; null if it has none. */
  number: number | null;
  /** Who laid it, where its place does not say so: a card of a trick. */
  seat: number | null;
  /** What it is drawn as while no face shows. */
  back: "card" | "die" | "piece";
}

/** A labelled row of things, or a board with a thing for each space. */
export interface ZoneResponse {
  label: string;
  things: ThingResponse[];
  board: BoardResponse | null;
}

/** A command as a seat sends it. */
export interface Command {
  tag: string;
  fields: Record<string, unknown>;
}

/** A text in pieces: words, and the number of a seat where its name stands. */
export type LocalizedText = (string | number)[];

export type Lang = "en" | "ja";

/** What is wrong with a log or a record. */
export interface Finding {
  seq: number | null;
  kind: string;
  rule: string | null;
  message: string;
}

/** What `replay audit --json` prints of a log. */
export interface Audit {
  game: string | null;
  rules: number | null;
  events: number;
  ok: boolean;
  finished: boolean;
  points: number[] | null;
  winners: number[] | null;
  /** One number for each seat of a game of teams. */
  teams?: number[];
  digests: "absent" | "checked" | "unchecked";
  findings: Finding[];
  /** This and what follows: of a log whose header names keys, a veil or a fair deal. */
  signatures?: "absent" | "checked" | "unchecked";
  /** Whether it was dealt fairly. */
  fair?: boolean;
  /** That of the host's key. */
  fingerprint?: string | null;
  played_for?: PlayedFor[];
  /** What was not checked, and why. */
  unchecked?: string[];
}

/** How many commands somebody else gave for a seat with a key. */
export interface PlayedFor {
  seat: number;
  by: string;
  count: number;
}

/** What `replay verify --json` prints of a seat's record. */
export interface Verification {
  match: string | null;
  seat: number | null;
  ok: boolean;
  first: number | null;
  last: number | null;
  code: string | null;
  signed: boolean;
  ended: string | null;
  unchecked: string[];
  /** Whether two signatures of the host's key contradict each other. */
  proof: boolean;
  /** Bytes, in base64url without `=`. */
  host_key: string | null;
  fingerprint: string | null;
  /** The moments at which another player's signature binds the host to what is recorded. */
  bound: number[];
  played_for: PlayedFor[];
  findings: Finding[];
}

/** An event in which two logs differ; null where one has none. */
export interface EventDifference {
  event: number;
  a: ComparedEvent | null;
  b: ComparedEvent | null;
}

/** An event as a comparison shows it, with the numbers of the rules at work. */
export interface ComparedEvent extends Command {
  seat: number;
  rules: string[];
}

/** The last of a comparison: what differs in the headers, in how many events, in which first, and the ends. */
export interface WholeDifference {
  header: Record<string, { a: unknown; b: unknown }>;
  differ: number;
  first: number | null;
  end: { a: string | null; b: string | null };
}

/** A decision that was judged (`docs/analysis.md`). */
export interface JudgedDecision {
  seq: number;
  seat: number;
  played: JudgedCommand;
  best: JudgedCommand;
  pairs: number;
  /** The loss, and between what it lies. */
  chance_loss: number[];
  value_loss: number[];
  swing: boolean;
  thoughts: (Command & { visits: number; mean: number; prior: number })[];
}

export interface JudgedCommand extends Command {
  chance: number;
  value: number;
  points: number;
}

/**
 * An error of kifu, in the `lang` of the call: for a broken rule with its number and the facts, for a log with the number
 * of the event. `kind` is `rule-violation`, `option`, `not-now`, `no-game`, `no-bot`, `malformed` (a call or a request of
 * another form), a kind of a finding in a log (`header`, `torn`, `chain` …), or of evidence (`record`, `key` …).
 */
export class KifuError extends Error {
  kind: string;
  rule?: string | null;
  facts?: Record<string, unknown>;
  seq?: number | null;
}

export interface NewMatch {
  seats: string[];
  options?: Record<string, unknown>;
  /** 64 hex digits; fresh ones by default. */
  seed?: string | null;
  lang?: Lang;
}

/** A match in the engine. `count`, `toAct`, `result` and `status` are as of the last change. */
export class Match {
  readonly game: string;
  readonly seats: string[];
  readonly options: Record<string, unknown>;
  readonly count: number;
  readonly toAct: number[];
  readonly result: ResultResponse | null;
  readonly status: "going" | "over" | "abandoned";
  /** The match as a seat sees it (null: a spectator, -1: the table), now or after `at` events. */
  observe(seat?: number | null, options?: { at?: number | null; lang?: Lang }): Promise<Observation>;
  legal(seat: number, options?: { lang?: Lang }): Promise<LegalCommand[]>;
  view(seat?: number | null, options?: { at?: number | null }): Promise<Observation["view"]>;
  scene(seat?: number | null, options?: { at?: number | null }): Promise<Observation["scene"]>;
  notes(seat?: number | null, options?: { since?: number; lang?: Lang }): Promise<HistoryEntry[]>;
  words(seat?: number | null, options?: { since?: number; lang?: Lang }): Promise<string[]>;
  /** A text with the names of the seats in their places. */
  say(text: LocalizedText): string;
  /** Throws `KifuError` with the number of the rule that forbids it. */
  play(seat: number, command: Command, options?: { lang?: Lang }): Promise<HistoryEntry[]>;
  /** What is due is dealt: in a log that was cut before a deal nobody can act until then. */
  deal(options?: { lang?: Lang }): Promise<HistoryEntry[]>;
  /** The state after event `to` (-1: the start) is restored; what is due then is dealt anew. */
  takeBack(to: number, options?: { lang?: Lang }): Promise<HistoryEntry[]>;
  /** Back to before the seat's last command that stands. */
  undo(seat: number, options?: { lang?: Lang }): Promise<HistoryEntry[]>;
  abandon(): Promise<void>;
  /** What a bot would do, from what the seat knows. */
  choose(seat: number, bot?: string, options?: { seed?: string | null; lang?: Lang }): Promise<Command>;
  save(): Promise<Uint8Array>;
  /** One page to step through, all cards open. */
  page(options?: { lang?: Lang }): Promise<string>;
  free(): Promise<void>;
}

/** What a page needs of a `WebSocket`. */
export interface HostSocket {
  readonly readyState: number;
  onopen: ((event: object) => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The HTTP API of live matches, without a network. */
export class Host {
  /** The matches under its name that this version cannot read: they stay as they are. */
  unreadable: string[];
  fetch(path: string, init?: { method?: string; headers?: Record<string, string> | Headers; body?: string | Uint8Array }): Promise<Response>;
  socket(path: string, headers?: Record<string, string>): HostSocket;
  /** Begin a match with the first events of a log; `keys` are those of the seats that people play. */
  playOn(log: Uint8Array, options: { events: number; seat?: number; bot?: string | null; lang?: Lang }): Promise<{ match: string; keys: (string | null)[] }>;
  close(): Promise<void>;
}

export class Kifu {
  games(options?: { lang?: Lang }): Promise<GameResponse[]>;
  version(): Promise<string>;
  new(game: string, options: NewMatch): Promise<Match>;
  load(log: Uint8Array, options?: { lang?: Lang }): Promise<Match>;
  audit(log: Uint8Array, options?: { lang?: Lang }): Promise<Audit>;
  /** `parent`: the log of the match that the log forks; with `against` null, `record` is the log of that fork. */
  verify(record: Uint8Array, against?: Uint8Array | null, options?: { lang?: Lang; parent?: Uint8Array | null }): Promise<Verification>;
  /** Whether the first of two logs is a fork and the other the match that it forks; `record`: a seat's record of the fork. */
  isForkFirst(one: Uint8Array, other: Uint8Array, options?: { record?: Uint8Array | null; lang?: Lang }): Promise<boolean>;
  trace(log: Uint8Array): Promise<Uint8Array>;
  diff(a: Uint8Array, b: Uint8Array, options?: { lang?: Lang }): Promise<(EventDifference | WholeDifference)[]>;
  diffLines(a: Uint8Array, b: Uint8Array, options?: { lang?: Lang }): Promise<string[]>;
  page(log: Uint8Array, options?: { lang?: Lang }): Promise<string>;
  analyse(log: Uint8Array, options?: { lang?: Lang; judged?: (done: number, of: number, line: JudgedDecision) => unknown }): Promise<string | null>;
  /** `name` says where its matches are kept; without one they are not. `waits` is called if another tab has that host, `unkept` with why they could not be kept, and with "" once they are. */
  host(options?: { name?: string; waits?: () => void; unkept?: (why: string) => void }): Promise<Host>;
  close(): void;
}

export interface Loading {
  /** In a worker of its own, so that a page never stalls. */
  worker?: boolean;
  /** Packages of other games: bytes, or addresses; those that are relative begin at this package. */
  wheels?: (string | URL | Uint8Array)[];
  /** The folder of the engine, with its slash at the end, if it is not that of this package. */
  base?: string | URL;
}

/** Load an engine. The functions below share one, in this thread. */
export function load(options?: Loading): Promise<Kifu>;
declare function newMatch(game: string, options: NewMatch): Promise<Match>;
export { newMatch as new };
export function open(log: Uint8Array, options?: { lang?: Lang }): Promise<Match>;
export function audit(log: Uint8Array, options?: { lang?: Lang }): Promise<Audit>;
export function verify(record: Uint8Array, against?: Uint8Array | null, options?: { lang?: Lang; parent?: Uint8Array | null }): Promise<Verification>;
export function games(options?: { lang?: Lang }): Promise<GameResponse[]>;
export function host(options?: { name?: string; waits?: () => void; unkept?: (why: string) => void }): Promise<Host>;
