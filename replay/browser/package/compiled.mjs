// What a first start compiles, kept in this browser: the next one neither unpacks nor compiles anything.

import { openStorage } from "./storage.mjs";

const LIBRARY = "/lib/compiled"; // the standard library as files; before the archive it comes in on Python's path
const COMPILE = `
async def _compile_library(folder, idle):
    import os, py_compile, sys, zipfile
    [archive] = [each for each in sys.path if each.endswith(".zip")]
    loaded = {getattr(each.__spec__, "origin", None) for each in list(sys.modules.values()) if hasattr(each, "__spec__")}
    with zipfile.ZipFile(archive) as whole:
        for name in whole.namelist():
            path = f"{folder}/{name}"
            whole.extract(name, folder)
            if os.path.isfile(path):
                os.utime(path, (0, 0))
            if f"{archive}/{name}" in loaded:
                py_compile.compile(path, doraise=True)
                await idle()
_compile_library
`;

/** What engines of this address have kept; those at other addresses of the origin have their own. */
export const openKept = (base) => openStorage(base.href, "kifu-compiled");

/** What is kept for these bytes of the engine and this version of Pyodide; null where this browser keeps nothing. */
export async function openCompiled(archive, version, base) {
  try {
    if (!globalThis.indexedDB || !globalThis.crypto?.subtle) return null;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", archive));
    const storage = await openKept(base);
    const kept = await storage.all();
    return new Compiled(storage, `${version} ${digest}`, kept);
  } catch {
    return null; // a private window
  }
}

class Compiled {
  #storage;
  #key;
  #others;
  constructor(storage, key, kept) {
    [this.#storage, this.#key, this.#others] = [storage, key, kept.map(([each]) => each).filter((each) => each !== key)];
    this.files = kept.find(([each]) => each === key)?.[1] ?? null;
  }

  /** The options of `loadPyodide` with which it finds the files in their places. */
  get options() {
    if (this.files === null) return {};
    return { env: { PYTHONPATH: LIBRARY, HOME: "/home/pyodide" }, fsInit: async (FS) => this.#write(FS) };
  }

  #write(FS) {
    const folders = new Set();
    for (const [path, content] of this.files) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (!folders.has(folder)) FS.mkdirTree(folder);
      folders.add(folder);
      FS.writeFile(path, content, { canOwn: true });
      FS.utime(path, 0, 0); // what is compiled names the time of its source
    }
  }

  /** Start without what is kept, which is damaged; where it cannot be deleted it is written over. */
  async forget() {
    this.files = null;
    try {
      await this.#storage.put([[this.#key, null]]);
    } catch {
      // it is written over by what this start keeps
    }
  }

  /** Keep what lies in the folder of packages, and the standard library, compiled bit by bit whenever `idle()` is done. */
  async keep(python, packages, idle) {
    await idle();
    await python.runPython(COMPILE)(LIBRARY, idle);
    const files = [...filesIn(python.FS, packages), ...filesIn(python.FS, LIBRARY)];
    python.runPython(`import shutil; shutil.rmtree("${LIBRARY}")`); // this start has the archive
    await this.#storage.put([...this.#others.map((each) => [each, null]), [this.#key, files]]);
  }
}

function* filesIn(FS, folder) {
  for (const name of FS.readdir(folder)) {
    const path = `${folder}/${name}`;
    if (name === "." || name === "..") continue;
    if (FS.isDir(FS.stat(path).mode)) yield* filesIn(FS, path);
    else yield [path, FS.readFile(path)];
  }
}
