// The engine in this thread: CPython as WebAssembly (Pyodide) with kifu in it. Everything goes through `call`.

import { openStorage } from "./storage.js";

const STEPS = 4;
const utf8 = new TextDecoder();
// Each file by an address that a bundler can read; with a `base`, those of that folder.
const FILES = {
  archive: new URL("./engine.data", import.meta.url),
  words: new URL("./words.data", import.meta.url),
  wasm: new URL("./runtime/pyodide.asm.wasm", import.meta.url),
  stdlib: new URL("./runtime/python_stdlib.zip", import.meta.url),
};
const HERE = import.meta.url; // apart: webpack looks for the file of every `new URL` that has it
const filesAt = (base) => (base ? filesIn(new URL(base, HERE)) : FILES);
const filesIn = (base) => ({ archive: new URL("engine.data", base), words: new URL("words.data", base), wasm: new URL("runtime/pyodide.asm.wasm", base), stdlib: new URL("runtime/python_stdlib.zip", base) });
const GLUE = `
from pyodide.ffi import to_js
from kifu.replay.browser.engine import Engine

_engine = Engine()

async def call(name, arguments, blobs):
    return to_js(await _engine.call(name, arguments, [plain(each) for each in blobs]))

def plain(each):
    if isinstance(each, int):
        return int(each) # a JsBigInt
    return each if isinstance(each, float) else each.to_bytes()

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
  const add = async () => writeAll(python.FS, python.runPython("import site; site.getsitepackages()[0]"), await filesOf(filesAt(given?.base).words));
  return new Engine(python.globals.get("call"), python.globals.get("open_host"), add);
}

// Games that need no list of words: its half megabyte comes before the first call that is not about a match that is there, or
// a new one of these.
const WITHOUT_WORDS = new Set(["cake", "gosne", "palace", "take_and_share"]);

// The Python of the engine, with kifu in it: what `loadPyodide` returns. `first` is what it runs first. `progress` is told
// what is done: kifu is there, then Python, then both are put together, then they have started.
export async function startPython({ wheels = [], base: folderOfEngine, progress = () => {} } = {}, first = () => {}) {
  const base = new URL(folderOfEngine ?? "./", HERE), files = filesAt(folderOfEngine);
  const parts = Promise.all([filesOf(files.archive), ...wheels.map((wheel) => (typeof wheel === "object" && !(wheel instanceof URL) ? plainBytes(wheel) : bytesOf(new URL(wheel, base))))]);
  parts.catch(() => {}); // these are awaited later, perhaps after they have failed
  const { loadPyodide } = await import("./runtime/pyodide.js");
  const loading = loadPyodide({
    ...{ indexURL: folderOf(files.wasm), stdLibURL: pathOf(files.stdlib), createPyodideModule, checkAPIVersion: false },
    lockFileContents: import("./runtime/lock.js").then((module) => module.default),
    fsInit: async (FS, { sitePackages }) => writeAll(FS, sitePackages, (await parts.catch(() => [[]]))[0]),
  });
  loading.catch(() => {});
  const [, ...packages] = await parts; // while the browser compiles WebAssembly
  progress(1, STEPS);
  const python = await loading;
  progress(2, STEPS);
  for (const wheel of packages) python.unpackArchive(wheel, "wheel");
  progress(3, STEPS);
  first(python);
  progress(4, STEPS);
  return python;
}

// As Pyodide itself does, but rejects where WebAssembly cannot be loaded (`r(null, …)` in `runtime.py`).
async function createPyodideModule(settings) {
  const { default: create } = await import("./runtime/pyodide.asm.js");
  const { instantiateWasm } = settings;
  return new Promise((done, failed) => {
    settings.instantiateWasm = (imports, take) => instantiateWasm(imports, (instance, module) => (instance ? take(instance, module) : failed(module)));
    create(settings).then(done, failed);
  });
}

function writeAll(FS, folder, files) {
  for (const [name, content] of files) {
    const path = `${folder}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, content, { canOwn: true });
  }
}

class Engine {
  #call;
  #openHost;
  #add;
  #words = null;
  constructor(call, openHost, add) {
    this.#call = call;
    this.#openHost = openHost;
    this.#add = add;
  }
  #withWords() {
    return (this.#words ??= this.#add().catch((error) => { this.#words = null; throw error; }));
  }

  // Make a call; bytes and BigInts among its arguments stay what they are. Throws `KifuError`.
  async call(name, args = {}) {
    const blobs = [];
    const apart = (value) => ({ $blob: blobs.push(value) - 1 }); // what JSON does not hold exactly
    const text = JSON.stringify(args, function replace(key, value) {
      const given = this[key]; // a Buffer of node has become another value by now
      if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return apart(plainBytes(given));
      if (typeof given === "bigint") return apart(given);
      if (typeof given !== "number" || Number.isSafeInteger(given)) return value;
      return apart(Number.isInteger(given) ? BigInt(given) : given);
    });
    if (args.number === undefined && name !== "version" && !WITHOUT_WORDS.has(args.game)) await this.#withWords();
    return valueOf(await this.#call(name, text, blobs));
  }

  // Open the host over what is kept under a name ("": nothing is kept); returns the matches of it that cannot be read.
  // `tell` gets what its streams send, and under number 0 why nothing was kept, "" once all is.
  async openHost(name, tell) {
    const storage = await openStorage(name).catch((error) => ({ all: async () => [], put: () => Promise.reject(error) }));
    await this.#withWords();
    const kept = await storage.all(), whole = new Map(kept);
    let isKept = true;
    const keep = async (values) => {
      for (const [match, value] of values) value ? whole.set(match, value) : whole.delete(match);
      const why = await storage.put(values, [...whole]).then(() => "", ({ name: kind, message }) => message || kind);
      if (why || !isKept) tell(0, why);
      isKept = !why;
      return isKept;
    };
    return valueOf(await this.#openHost(kept, keep, tell));
  }
}

// Bytes as Python takes them: of a Buffer of node the Uint8Array in it.
const plainBytes = (given) => (given instanceof ArrayBuffer ? new Uint8Array(given) : new Uint8Array(given.buffer, given.byteOffset, given.byteLength));

function valueOf(said) {
  if (typeof said !== "string") return said;
  const isExact = said.startsWith('{"value":"') || !/\d{16}/.test(said);
  const { error, value } = isExact ? JSON.parse(said) : JSON.parse(said.replace(TOKEN, exact), (_, each) => (each?.$int ? BigInt(each.$int) : each));
  if (error) throw new KifuError(error);
  return value;
}

// A text or a number of JSON, of which a whole number beyond 2^53 becomes a BigInt.
const TOKEN = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
const exact = (token) => (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `{"$int":"${token}"}` : token);

async function bytesOf(url) {
  if (url.protocol === "file:") return new Uint8Array(await (await import(/* webpackIgnore: true */ /* @vite-ignore */ ["node:fs/promises"].join())).readFile(url));
  const response = await fetch(url).catch((cause) => { throw new Error(`${url}: ${cause.message}`, { cause }); });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// The names and contents of the files in a .tar.gz.
async function filesOf(url) {
  const unpacked = new Blob([await bytesOf(url)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const tar = new Uint8Array(await new Response(unpacked).arrayBuffer().catch((cause) => { throw new Error(`${url}: no .tar.gz`, { cause }); }));
  const text = (at, length) => utf8.decode(tar.subarray(at, at + length)).split("\0")[0];
  const files = [];
  for (let at = 0; tar[at]; ) {
    const size = parseInt(text(at + 124, 12), 8), folder = text(at + 345, 155), name = text(at, 100), begin = at + 512;
    files.push([folder ? `${folder}/${name}` : name, tar.subarray(begin, begin + size)]);
    at = begin + 512 * Math.ceil(size / 512);
  }
  return files;
}

// The folder to which Pyodide adds `pyodide.asm.wasm`. A bundler may have named that file otherwise: then what is added is
// the fragment of its address, which no server sees.
function folderOf(wasm) {
  return wasm.protocol === "file:" ? pathOf(new URL("./", wasm)) : `${wasm.href}#/`;
}

function pathOf(url) {
  return url.protocol === "file:" ? decodeURIComponent(url.pathname) : url.href;
}
