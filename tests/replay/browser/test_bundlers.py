"""The npm package as another program uses it: TypeScript reads its types, Vite finds its files, and the page plays."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

USES = ("vite@7", "typescript@5", "publint@0.3")
CONFIG = 'export default { base: "./", optimizeDeps: { exclude: ["kifu"] }, worker: { format: "es" } };\n'
PAGE = '<!doctype html><title>t</title><p id="told"></p><script type="module" src="./main.ts"></script>'
MAIN = """
import { load } from "kifu";
const kifu = await load({ worker: true });
const match = await kifu.new("cake", { seats: ["Aki", "Ren", "Mio"], options: { elder_votes: false } });
const [seat] = match.toAct;
const [first] = await match.legal(seat, { limit: 1 });
await match.play(seat, first);
const why = await match.check(seat, { tag: "vote", fields: { content: true } });
document.querySelector("#told")!.textContent = [...(await match.words(0)), why?.rule].join(" / ");
"""
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


@pytest.fixture(scope="module")
def app(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program of npm in the folder of an application that has the package."""
    if shutil.which("npm") is None:
        pytest.skip("needs npm")
    folder = tmp_path_factory.mktemp("app")

    def run(*command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=check)

    for name, text in {"vite.config.js": CONFIG, "index.html": PAGE, "main.ts": MAIN, "wrong.ts": WRONG}.items():
        (folder / name).write_text(text, "utf-8")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    packed = run("npm", "pack", "--silent", str(package)).stdout.strip()
    run("npm", "install", "--silent", "--no-audit", "--no-fund", f"./{packed}", *USES)
    return run


def compiled(app: Callable[..., subprocess.CompletedProcess[str]], name: str) -> list[str]:
    """The errors of TypeScript."""
    target = ("--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--lib", "es2023,dom")
    done = app("npx", "tsc", "--noEmit", "--strict", *target, name, check=False)
    return [line for line in done.stdout.splitlines() if "error TS" in line]


def test_what_is_right_has_its_types_and_each_wrong_name_is_red(
    app: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    assert compiled(app, "main.ts") == []
    lines = {line.partition(",")[0] for line in compiled(app, "wrong.ts")}
    assert lines == {f"wrong.ts({number}" for number in (3, 4, 6, 7, 8, 9, 10)}


def test_the_package_is_fit_to_be_published(app: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    done = app("npx", "publint", "--strict", "node_modules/kifu", check=False)
    assert done.returncode == 0, done.stdout


def test_an_application_built_with_vite_plays(
    app: Callable[..., subprocess.CompletedProcess[str]], served: Callable[..., tuple], browser
) -> None:
    folder = Path(app("pwd").stdout.strip())
    app("npx", "vite", "build", "--outDir", "dist")
    page = browser.new_page()
    page.goto(served(folder / "dist")[0])
    page.wait_for_function("document.querySelector('#told').textContent")
    told = page.inner_text("#told")
    page.close()
    assert "6 piles of 6 cards" in told
    assert told.endswith(" / ORDER")
