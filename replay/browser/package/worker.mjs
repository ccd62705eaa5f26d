// The engine in a worker: each message is a call, and is answered under its number.

import { startEngine } from "./engine.mjs";

const LOCK = "kifu host";
const KEEPING_MS = 500;
let engine = null;

onmessage = async ({ data: { id, name, args } }) => {
  try {
    postMessage({ id, value: await answer(name, args) });
  } catch (error) {
    postMessage({ id, error: { ...error, kind: error.kind, detail: error.message } });
  }
};

async function answer(name, args) {
  if (name === "start") {
    engine = startEngine(args);
    const { keepCompiled } = await engine;
    setTimeout(() => keepCompiled().catch(() => {}), KEEPING_MS);
  } else if (name === "openHost") {
    await owned(`${LOCK} ${args.name}`, () => postMessage({ waiting: true }));
    return (await engine).openHost(args.name, (...said) => postMessage({ said }));
  } else return (await engine).call(name, args);
}

// Wait until no other tab has this host: two would not know of each other's moves.
function owned(lock, waits) {
  if (!navigator.locks) return undefined;
  return new Promise((mine) => {
    const hold = (has) => (has ? new Promise(() => mine()) : waits());
    navigator.locks.request(lock, { ifAvailable: true }, hold).then(() => navigator.locks.request(lock, hold));
  });
}
