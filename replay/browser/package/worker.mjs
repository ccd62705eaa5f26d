// The engine in a worker: each message is a call, and is answered under its number.

import { startEngine } from "./engine.mjs";

const LOCK = "kifu host";
const IDLE_MS = 2000;
let engine = null;
let running = 0;
let lastMs = 0;
let release = () => {};

onmessage = async ({ data: { id, name, args } }) => {
  running += 1;
  try {
    postMessage({ id, value: await answer(name, args) });
  } catch (error) {
    postMessage({ id, error: { ...error, kind: error.kind, detail: error.message } });
  }
  running -= 1;
  lastMs = performance.now();
};

// Wait until nobody has asked for anything for a while: what is kept for the next start delays nothing of this one.
async function idle() {
  while (running || performance.now() - lastMs < IDLE_MS) await new Promise((done) => setTimeout(done, IDLE_MS / 4));
}

async function answer(name, args) {
  if (name === "start") {
    engine = startEngine(args);
    const { keepCompiled } = await engine;
    keepCompiled(idle).catch(() => {});
  } else if (name === "openHost") {
    await owned(`${LOCK} ${args.name}`, () => postMessage({ waiting: true }));
    return (await engine).openHost(args.name, (...said) => postMessage({ said }));
  } else {
    const value = await (await engine).call(name, args);
    if (name === "close_host") release();
    return value;
  }
}

// Wait until no other tab has this host: two would not know of each other's moves. What this worker had is free again.
async function owned(lock, waits) {
  if (!navigator.locks) return;
  release();
  await new Promise((done) => setTimeout(done));
  await new Promise((mine) => {
    const hold = () => new Promise((done) => { release = done; mine(); });
    navigator.locks.request(lock, { ifAvailable: true }, (has) => (has ? hold() : "busy"))
      .then((busy) => busy && (waits(), navigator.locks.request(lock, hold)));
  });
}
