// kifu for JavaScript: the same engine, the same rules, the same bytes as the Python library.
//
//   import * as kifu from "kifu";
//   const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"] });
//   await match.play(0, (await match.legal(0))[0]);

import { KifuError, startEngine } from "./engine.js";

export { KifuError };

// Load the engine, in this thread or in a worker of its own; `wheels` are packages of other games, as URLs or bytes.
// `progress` is told, meanwhile, how many of its steps are done.
export async function load({ worker = false, wheels = [], base, progress = () => {} } = {}) {
  const start = { wheels: wheels.map((wheel) => (wheel instanceof URL ? wheel.href : wheel)), ...(base ? { base: new URL(base, globalThis.location?.href).href } : {}) };
  if (!worker) return new Kifu(await startEngine({ ...start, progress }));
  if (!globalThis.Worker) throw new Error("there is no Worker here: leave `worker` out, and the engine runs in this thread");
  const own = base ? new Worker(new URL("worker.js", start.base), { type: "module" }) : new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const engine = new WorkerEngine(own, progress);
  try {
    await engine.call("start", start);
  } catch (error) {
    engine.close();
    throw error;
  }
  return new Kifu(engine);
}

// An engine that lives in a worker.
class WorkerEngine {
  #worker;
  #calls = new Map();
  #number = 0;
  #failure = null;
  constructor(worker, progress) {
    this.#worker = worker;
    this.progress = progress;
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = ({ message }) => this.#fail(new Error(message || "the script of the engine's worker cannot be loaded"));
    this.tell = () => {};
    this.waits = () => {};
  }
  #hear({ id, value, error, said, waiting, progress }) {
    if (progress) return this.progress(...progress);
    if (said) return this.tell(...said);
    if (waiting) return this.waits();
    const { done, failed } = this.#calls.get(id);
    this.#calls.delete(id);
    return error ? failed(error.kind ? new KifuError(error) : new Error(error.detail)) : done(value);
  }
  #fail(error) {
    this.#failure = error;
    for (const { failed } of this.#calls.values()) failed(error);
    this.#calls.clear();
  }
  call(name, args = {}) {
    this.#number += 1;
    const id = this.#number;
    return new Promise((done, failed) => {
      if (this.#failure) return failed(this.#failure);
      this.#calls.set(id, { done, failed });
      return this.#worker.postMessage({ id, name, args });
    });
  }
  openHost(name, tell, waits) {
    this.tell = tell;
    this.waits = waits;
    return this.call("openHost", { name });
  }
  close() {
    this.#worker.terminate();
    this.#fail(new Error("the engine was closed"));
  }
}

class Kifu {
  #engine;
  constructor(engine) {
    this.#engine = engine;
  }
  games({ lang = "en" } = {}) {
    return this.#engine.call("games", { lang });
  }
  version() {
    return this.#engine.call("version");
  }
  async new(game, { seats, options = {}, seed = null, lang = "en" } = {}) {
    return new Match(this.#engine, await this.#engine.call("new", { game, seats, options, seed, lang }));
  }
  // `log` is the bytes of a log, or its JSON form.
  async open(log, { lang = "en" } = {}) {
    return new Match(this.#engine, await this.#engine.call("load", { log: typeof log === "string" ? utf8.encode(log) : log, lang }));
  }
  audit(log, { lang = "en" } = {}) {
    return this.#engine.call("audit", { log, lang });
  }
  verify(record, against = null, { lang = "en", parent = null } = {}) {
    return this.#engine.call("verify", { record, lang, ...(against ? { against } : {}), ...(parent ? { parent } : {}) });
  }
  verdictWords(judged, { host = null, lang = "en" } = {}) {
    return this.#engine.call("verdict_words", { judged, host, lang });
  }
  isForkFirst(one, other, { record = null, lang = "en" } = {}) {
    return this.#engine.call("is_fork_first", { one, other, lang, ...(record ? { record } : {}) });
  }
  diff(a, b, { lang = "en" } = {}) {
    return this.#engine.call("diff", { a, b, lang });
  }
  // What other values of options would change in these logs: what `replay impact --json` prints, `logs` the objects of each.
  impact(logs, { options, lang = "en" } = {}) {
    return this.#engine.call("impact", { logs, options, lang });
  }
  // The shortest log that still shows a rule at work, or a change by other values of options; without names.
  shrink(log, { rule = null, options = {}, tries = 4000, seconds = 20, lang = "en" } = {}) {
    return this.#engine.call("shrink", { log, rule, options, tries, seconds, lang });
  }
  trace(log) {
    return this.#engine.call("trace", { log });
  }
  page(log, { lang } = {}) {
    return this.#engine.call("step_through", { log, ...(lang ? { lang } : {}) });
  }
  // Judge each decision of a match that has ended: `judged(done, of, line)` after each; returns the page with remarks.
  async analyse(log, { lang, judged = () => {} } = {}) {
    const { number, decisions } = await this.#engine.call("begin_analysis", { log, ...(lang ? { lang } : {}) });
    try {
      for (let done = 1; ; done += 1) {
        const line = await this.#engine.call("judge_next", { number });
        if (line === null) return await this.#engine.call("analysed_page", { number, ...(lang ? { lang } : {}) });
        if (judged(done, decisions, line) === false) return null;
      }
    } finally {
      await this.#engine.call("end_analysis", { number });
    }
  }
  // Let bots play a match to its end, one for each seat; returns its log, or null once `played(match)` returns false.
  async simulate(game, { seats, options = {}, seed = null, bots = ["normal"], played = () => true } = {}) {
    const match = await this.new(game, { seats, options, seed });
    try {
      while (match.status === "going") {
        const [seat] = match.toAct;
        await match.play(seat, await match.choose(seat, bots[seat % bots.length]));
        if (played(match) === false) return null;
      }
      return await match.save();
    } finally {
      await match.free();
    }
  }
  // Open the host: live matches and bots behind the HTTP API. `name` says where they are kept; "" keeps nothing.
  async host({ name = "", waits = () => {}, unkept = (why) => why && console.error(`kifu: not kept: ${why}`) } = {}) {
    const host = new Host(this.#engine, unkept);
    host.unreadable = await this.#engine.openHost(name, (...said) => host.hear(...said), waits);
    return host;
  }
  close() {
    this.#engine.close?.();
  }
}

// A match: `game`, `seats`, `options`, and as of the last call `count`, `toAct`, `result`, `status`.
class Match {
  #engine;
  #number;
  #heard = new Set();
  constructor(engine, facts) {
    this.#engine = engine;
    this.#take(facts);
  }
  #take({ number, to_act: toAct, ...facts }) {
    this.#number = number;
    Object.assign(this, facts, { toAct });
  }
  #call(name, args = {}) {
    return this.#engine.call(name, { number: this.#number, ...args });
  }
  async #change(name, args) {
    const said = await this.#call(name, args);
    this.#take(await this.#call("facts"));
    for (const heard of this.#heard) heard(this);
    return said;
  }
  observe(seat = null, { at = null, limit, lang = "en" } = {}) {
    return this.#call("observe", { seat, at, limit, lang });
  }
  // Some legal commands of a seat: 50 from one on, or `limit`, of which 200 are given at once.
  legal(seat, { from = 0, limit, texts = true, lang = "en" } = {}) {
    return this.#call("legal", { seat, start: from, limit, texts, lang });
  }
  // Why the seat may not send this command: the `KifuError` with which `play` would refuse it, or null.
  check(seat, command, { lang = "en" } = {}) {
    const { tag, fields } = command;
    return this.#call("check", { seat, command: { tag, fields }, lang }).catch((error) => {
      if (error.kind === "rule-violation") return error;
      throw error;
    });
  }
  // The match after its first `count` events, to look at.
  at(count) {
    const here = (seat, options) => this.observe(seat, { ...options, at: count });
    const part = (name) => async (seat = null) => (await here(seat, { limit: 0 }))[name];
    return { count, observe: here, view: part("view"), scene: part("scene") };
  }
  // The events from one on, as the log has them, all cards open.
  events({ since = 0 } = {}) {
    return this.#call("events", { since });
  }
  // Have `heard(match)` called after each change; returns what ends that.
  onChange(heard) {
    this.#heard.add(heard);
    return () => this.#heard.delete(heard);
  }
  async view(seat = null, { at = null } = {}) {
    return (await this.observe(seat, { at, limit: 0 })).view;
  }
  async scene(seat = null, { at = null } = {}) {
    return (await this.observe(seat, { at, limit: 0 })).scene;
  }
  notes(seat = null, { since = 0, lang = "en" } = {}) {
    return this.#call("history", { seat, since, lang });
  }
  async words(seat = null, { since = 0, lang = "en" } = {}) {
    const entries = await this.notes(seat, { since, lang });
    return entries.flatMap(({ notes }) => notes.map(({ text }) => this.say(text)));
  }
  // A text in pieces, with the names of the seats in their places.
  say(text) {
    return text.map((piece) => (typeof piece === "number" ? this.seats[piece] : piece)).join("");
  }
  play(seat, command, { lang = "en" } = {}) {
    const { tag, fields } = command ?? {};
    return this.#change("play", { seat, command: command && { tag, fields }, lang });
  }
  // What is due: in a log that was cut before a deal nobody can act until then.
  deal({ lang = "en" } = {}) {
    return this.#change("deal", { lang });
  }
  takeBack(to, { lang = "en" } = {}) {
    return this.#change("take_back", { to, lang });
  }
  // Back to before the seat's last command that stands.
  undo(seat, { lang = "en" } = {}) {
    return this.#change("undo", { seat, lang });
  }
  abandon() {
    return this.#change("abandon", {});
  }
  choose(seat, bot = "normal", { seed = null, lang = "en" } = {}) {
    return this.#call("choose", { seat, bot, seed, lang });
  }
  save() {
    return this.#call("save");
  }
  // The JSON form of the log, which `open` reads too.
  json() {
    return this.#call("json");
  }
  async page({ lang } = {}) {
    return this.#engine.call("step_through", { log: await this.save(), ...(lang ? { lang } : {}) });
  }
  free() {
    return this.#call("forget");
  }
}

const utf8 = new TextEncoder();
const STREAM = /^\/api\/matches\/[^/]+\/events(\?|$)/;

// The host's HTTP API, without a network.
class Host {
  #engine;
  #streams = new Map();
  #number = 0;
  #unkept;
  unreadable = []; // the kept matches that this version cannot read: they stay as they are
  constructor(engine, unkept) {
    this.#engine = engine;
    this.#unkept = unkept;
  }
  // As `fetch`, for a path like `/api/games`; returns a `Response`. That to `/api/matches/ID/events` is a stream.
  async fetch(path, { method = "GET", headers = {}, body = "", signal = null } = {}) {
    headers = headers instanceof Headers ? Object.fromEntries(headers) : headers;
    if (method === "GET" && STREAM.test(path)) return this.#watch(path, headers, signal);
    const [status, got, latin] = await this.#engine.call("request", { method, target: path, headers, body: typeof body === "string" ? utf8.encode(body) : body });
    const bytes = Uint8Array.from(latin, (letter) => letter.charCodeAt(0));
    return new Response(bytes.length ? bytes : null, { status, headers: got });
  }
  async #watch(path, headers, signal) {
    this.#number += 1;
    const number = this.#number;
    const leave = () => this.#streams.delete(number) && this.#engine.call("leave", { number }).catch(() => {});
    let stream;
    const body = new ReadableStream({ start: (controller) => { stream = controller; }, cancel: leave });
    this.#streams.set(number, stream);
    signal?.addEventListener("abort", () => leave() && stream.error(signal.reason));
    const [status, got] = await this.#engine.call("watch", { number, target: path, headers }).catch((error) => {
      this.#streams.delete(number);
      throw error;
    });
    return new Response(status === 204 ? null : body, { status, headers: got });
  }
  hear(number, data) {
    if (number === 0) return this.#unkept(data);
    const stream = this.#streams.get(number);
    if (data !== null && data !== undefined) return stream?.enqueue(utf8.encode(data));
    return this.#streams.delete(number) && stream.close();
  }
  // Begin a match with the first `events` of a log; with a `bot` it plays all other seats.
  playOn(log, { events, seat = 0, bot = null, lang = "en" } = {}) {
    return this.#engine.call("play_on", { log, events, seat, bot, lang });
  }
  // Store a match that is over, to be looked at; returns its name here.
  takeIn(log, { lang = "en" } = {}) {
    return this.#engine.call("take_in", { log, lang });
  }
  close() {
    return this.#engine.call("close_host");
  }
}

let shared = null;
// The method of an engine that all of these share, loaded at the first call.
const ofShared = (name) => async (...given) => (await (shared ??= load()))[name](...given);

const newMatch = ofShared("new");
export { newMatch as new };
export const open = ofShared("open");
export const audit = ofShared("audit");
export const verify = ofShared("verify");
export const verdictWords = ofShared("verdictWords");
export const games = ofShared("games");
export const simulate = ofShared("simulate");
export const analyse = ofShared("analyse");
export const impact = ofShared("impact");
export const shrink = ofShared("shrink");
export const host = ofShared("host");
