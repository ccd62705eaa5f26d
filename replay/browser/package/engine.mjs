// The engine in this thread: CPython as WebAssembly (Pyodide) with kifu in it. Everything goes through `call`.

import { openCompiled } from "./compiled.mjs";
import { openStorage } from "./storage.mjs";

const ARCHIVE = "/tmp/engine.tar.xz";
const UNPACK = `
import importlib, os, tarfile
with tarfile.open("${ARCHIVE}") as archive:
    archive.extractall(site.getsitepackages()[0], filter="data")
os.remove("${ARCHIVE}")
importlib.invalidate_caches()
`;
const PACKAGES = `
import site, sys
sys.dont_write_bytecode = False # so that it can be kept
site.getsitepackages()[0]
`;
const GLUE = `
from pyodide.ffi import to_js
from kifu.replay.browser.engine import Engine

_engine = Engine()

async def call(name, arguments, blobs):
    return to_js(await _engine.call(name, arguments, [each.to_bytes() for each in blobs]))

async def open_host(kept, keep, tell):
    async def keep_all(values):
        return await keep(to_js([[match, value] for match, value in values.items()]))
    values = {match: value.to_bytes() for match, value in kept}
    return await _engine.call("open_host", "{}", [], kept=values, keep=keep_all, tell=tell)
`;

// An error of kifu: `kind`, and for a broken rule its number `rule` and the `facts`; of a log also `seq`.
export class KifuError extends Error {
  constructor({ detail, ...facts }) {
    super(detail);
    this.name = "KifuError";
    Object.assign(this, facts);
  }
}

// Load the runtime and kifu from the folder of this file, and packages of other games from wheels (URLs or bytes).
export async function startEngine(given) {
  const python = await startPython(given, (started) => started.runPython(GLUE)).catch((error) => { // a traceback: its last line says what is wrong
    const said = error.name === "PythonError" && error.message.trim().split("\n").findLast((line) => /^\w[\w.]*Error/.test(line));
    throw said ? new Error(said, { cause: error }) : error;
  });
  return new Engine(python.globals.get("call"), python.globals.get("open_host"), python.keepCompiled);
}

// The Python of the engine, with kifu in it: what `loadPyodide` returns. `first` is what it runs first.
export async function startPython({ wheels = [], base: folderOfEngine = "./" } = {}, first = () => {}) {
  const base = new URL(folderOfEngine, import.meta.url);
  const [{ loadPyodide, version }, archive, ...packages] = await Promise.all([import(new URL("runtime/pyodide.mjs", base).href), bytesOf(new URL("engine.tar.xz", base)),
    ...wheels.map((wheel) => (typeof wheel === "object" && !(wheel instanceof URL) ? plainBytes(wheel) : bytesOf(new URL(wheel, base))))]);
  const compiled = await openCompiled(archive, version, base);
  const start = async () => {
    const python = await loadPyodide({ indexURL: pathOf(new URL("runtime/", base)), checkAPIVersion: false, ...compiled?.options });
    const folder = python.runPython(PACKAGES);
    if (!compiled?.files) unpack(python, archive);
    python.keepCompiled = async (idle) => { if (compiled?.files === null && !wheels.length) await compiled.keep(python, folder, idle); };
    for (const wheel of packages) python.unpackArchive(wheel, "wheel", { extractDir: folder });
    first(python);
    return python;
  };
  return start().catch(async (error) => { // what was kept may be damaged
    if (!compiled?.files) throw error;
    await compiled.forget();
    return start();
  });
}

function unpack(python, archive) {
  python.FS.writeFile(ARCHIVE, archive);
  python.runPython(UNPACK);
}

class Engine {
  #call;
  #openHost;
  constructor(call, openHost, keepCompiled) {
    this.#call = call;
    this.#openHost = openHost;
    this.keepCompiled = keepCompiled; // for the next start: called when nobody waits
  }

  // Make a call; bytes among its arguments stay bytes. Throws `KifuError`.
  async call(name, args = {}) {
    const blobs = [];
    const text = JSON.stringify(args, function replace(key, value) {
      const given = this[key]; // a Buffer of node has become another value by now
      if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return { $blob: blobs.push(plainBytes(given)) - 1 };
      return typeof given === "bigint" || Object.is(given, NaN) || Math.abs(given) === Infinity ? String(given) : value; // JSON has none: refused by name
    });
    return valueOf(await this.#call(name, text, blobs));
  }

  // Open the host over what is kept under a name ("": nothing is kept); returns the matches of it that cannot be read.
  // `tell` gets what its WebSockets send, and under number 0 why nothing was kept, "" once all is.
  async openHost(name, tell) {
    const storage = await openStorage(name).catch((error) => ({ all: async () => [], put: () => Promise.reject(error) }));
    let isKept = true;
    const keep = async (values) => {
      const why = await storage.put(values).then(() => "", ({ name: kind, message }) => message || kind);
      if (why || !isKept) tell(0, why);
      isKept = !why;
      return isKept;
    };
    return valueOf(await this.#openHost(await storage.all(), keep, tell));
  }
}

// Bytes as Python takes them: of a Buffer of node the Uint8Array in it.
const plainBytes = (given) => (given instanceof ArrayBuffer ? new Uint8Array(given) : new Uint8Array(given.buffer, given.byteOffset, given.byteLength));

function valueOf(said) {
  if (typeof said !== "string") return said;
  const { error, value } = JSON.parse(said);
  if (error) throw new KifuError(error);
  return value;
}

async function bytesOf(url) {
  if (url.protocol === "file:") return new Uint8Array(await (await import("node:fs/promises")).readFile(url));
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function pathOf(url) {
  return url.protocol === "file:" ? decodeURIComponent(url.pathname) : url.href;
}
