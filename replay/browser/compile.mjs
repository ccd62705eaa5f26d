// node compile.mjs RUNTIME ENGINE STDLIB: compiles, in two zip archives, all of kifu and the other modules with which an engine
// starts, and leaves out their sources; the Pyodide in a folder does it, which will run them.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const COMPILE = `
import ast, marshal, sys, zipfile
from importlib.metadata import entry_points
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from kifu.replay.browser.engine import Engine
from kifu.replay.browser.matches import Matches

READ = {"anyio/__init__.py", "anyio/abc/__init__.py"} # they read their own sources; a log names those of other people's games
GUESTS = {each.value.partition(":")[0].partition(".")[0] for each in entry_points(group="kifu.games")} - {"kifu"}
WHOLE = {"kifu", "anyio", "starlette"} # what is imported when it is needed
Engine()
Matches({}).games()
origins = [each.__spec__.origin or "" for each in list(sys.modules.values()) if getattr(each, "__spec__", None)]
loaded = {each.rpartition("/site-packages/")[2].rpartition(".zip/")[2] for each in origins}

def compile_all(source, target):
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w") as made:
        for name in given.namelist():
            content, top = given.read(name), name.partition("/")[0].removesuffix(".py")
            compiles, is_read = name.endswith(".py") and (name in loaded or top in WHOLE), name in READ or top in GUESTS
            if compiles:
                made.writestr(cache_from_source(name) if is_read else name + "c", compiled(name, content))
            if is_read or not compiles:
                made.writestr(name, content)

def compiled(name, content):
    tree = ast.parse(content)
    if not name.startswith("kifu/"):
        for each in ast.walk(tree):
            if isinstance(each, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(each, False) is not None:
                each.body[:1] = [] if each.body[1:] else [ast.Pass(lineno=each.body[0].lineno, col_offset=0)]
    code = compile(tree, name, "exec", dont_inherit=True)
    return MAGIC_NUMBER + b"\\1\\0\\0\\0" + source_hash(content) + marshal.dumps(code) # never checked against a source

compile_all
`;
const [runtime, engine, stdlib] = process.argv.slice(2);
const part = (name) => import(pathToFileURL(`${runtime}/${name}`));
const { loadPyodide } = await part("pyodide.js");
const { default: createPyodideModule } = await part("pyodide.asm.js");
const { default: lockFileContents } = await part("lock.js");
const env = { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1", HOME: "/home/pyodide" }; // the same bytes for the same sources, and few
const python = await loadPyodide({ indexURL: runtime, createPyodideModule, lockFileContents, checkAPIVersion: false, env });
python.unpackArchive(new Uint8Array(readFileSync(engine)), "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
const compileAll = python.runPython(COMPILE);
for (const archive of [engine, stdlib]) {
  python.FS.writeFile("/tmp/given.zip", readFileSync(archive));
  compileAll("/tmp/given.zip", "/tmp/made.zip");
  writeFileSync(archive, python.FS.readFile("/tmp/made.zip"));
}
process.exit(0);
