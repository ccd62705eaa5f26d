// The engine in a worker: each message is a call, and is answered under its number.

import { startEngine } from "./engine.js";

const LOCK = "kifu host";
let engine = null;
let release = () => {};

onmessage = async ({ data: { id, name, args } }) => {
  try {
    postMessage({ id, value: await answer(name, args) });
  } catch (error) {
    postMessage({ id, error: { ...error, kind: error.kind, detail: error.message } });
  }
};

async function answer(name, args) {
  if (name === "start") {
    engine = startEngine({ ...args, progress: (...progress) => postMessage({ progress }) });
    await engine;
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
