"""The npm package as another program uses it: TypeScript reads its types, Vite finds its files, and the page plays."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci
Run = Callable[..., subprocess.CompletedProcess[str]]

USES = ("vite@7", "typescript@5", "publint@0.3", "@arethetypeswrong/cli@0.18")
BIN = "node_modules/.bin"  # `npx` takes longer than what it calls
INSTALL = ("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline")
CONFIG = 'export default { base: "./", optimizeDeps: { exclude: ["kifu"] }, worker: { format: "es" } };\n'
WEBPACK = 'export default { experiments: { outputModule: true }, output: { module: true, filename: "main.js" } };\n'
PAGE = '<!doctype html><title>t</title><script type="module" src="./main.ts"></script>'
MAIN = """
import { load } from "kifu";
const base = new URLSearchParams(location.search).get("base") ?? undefined;
const kifu = await load({ worker: true, base });
const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"], options: { elder_votes: false } });
const [seat] = match.toAct;
const [first] = await match.legal(seat, { limit: 1 });
await match.play(seat, first);
const why = await match.check(seat, { tag: "vote", fields: { content: true } });
document.title = [...(await match.words(0)), why?.rule].join(" / ");
"""
BUILDS = {
    "vite": ("build", "--outDir", "vite"),
    "webpack": ("./main.ts", "--mode=development", "--output-path", "webpack"),
    "esbuild": ("main.ts", "--bundle", "--format=esm", "--outdir=esbuild"),
}
WRONG = """
import * as kifu from "kifu";
await kifu.new("cak", { seats: [] });
await kifu.new("cake", { seats: [], options: { frist: 1 } });
const match = await kifu.new("cake", { seats: ["Aki"] });
await match.play(0, { tag: "open", fields: { pile: "1" } });
match.toAct.push(3);
(await match.view(0)).hands;
(await match.check(0, { tag: "open", fields: { pile: 1 } })).rule;
new kifu.Match();
"""
FILES = {"vite.config.js": CONFIG, "webpack.config.js": WEBPACK, "index.html": PAGE, "main.ts": MAIN, "wrong.ts": WRONG}


@pytest.fixture(scope="module")
def app(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a program of npm in the folder of an application that has the package."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    folder = tmp_path_factory.mktemp("app")

    def run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=check)

    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    packed = run("npm", "pack", "--silent", str(package)).stdout.strip()
    (folder / packed).rename(folder / "kifu.tgz")
    run(*INSTALL, "./kifu.tgz", *USES)
    return run


def test_what_is_right_has_its_types_and_each_wrong_name_is_red(app: Run) -> None:
    target = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--lib", "es2023,dom")
    done = app(f"{BIN}/tsc", "--noEmit", "--strict", *target, "main.ts", "wrong.ts", check=False)
    lines = {line.partition(",")[0] for line in done.stdout.splitlines() if "error TS" in line}
    assert lines == {f"wrong.ts({number}" for number in (3, 4, 6, 7, 8, 9, 10)}


def test_the_package_is_fit_to_be_published(app: Run) -> None:
    done = app(f"{BIN}/publint", "--strict", "--pack", "false", "node_modules/kifu", check=False)
    assert done.returncode == 0, done.stdout
    done = app(f"{BIN}/attw", "kifu.tgz", "--profile", "esm-only", check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "builder", [pytest.param(each, marks=[pytest.mark.long] * (each != "vite")) for each in BUILDS]
)
def test_an_application_plays_whatever_has_built_it(builder, app, package, served, browser) -> None:
    folder = Path(app("pwd").stdout.strip()) / builder
    if builder == "webpack":
        app(*INSTALL, "webpack@5", "webpack-cli@6")
    app(f"{BIN}/{builder}", *BUILDS[builder])
    if builder != "vite":
        (folder / "index.html").write_text(PAGE.replace("main.ts", "main.js"))
        (folder / "kifu").symlink_to(package)
    page = browser.new_page()
    page.goto(served(folder)[0] + ("?base=kifu/" if builder == "esbuild" else ""))
    page.wait_for_function("document.title !== 't'")
    told = page.title()
    page.close()
    assert "6 piles of 6 cards" in told
    assert told.endswith(" / ORDER")
