"""Texts where an extra is missing: English without `kifu[replay]`, all languages without those of a terminal."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

TERMINAL = ("click", "rich", "textual")
FLUENT = ("fluent", "fluent.runtime", "fluent.syntax", "babel")

MATCH = """
import kifu
from kifu.core.text.texts import Texts
match = kifu.new("take_and_share", ["Aki", "Ren", "Mio", "Sou"], seed=bytes(32))
texts, names = Texts("ja"), match.header.seats
seat = min(match.to_act)
command = match.legal(seat)[0]
before = match.at(0)
step = match.play(seat, command)
"""


def run(code: str, *without: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python that cannot import some libraries."""
    blocked = f"import sys; sys.modules.update(dict.fromkeys({without!r}))\n"
    return subprocess.run([sys.executable, "-c", blocked + code], capture_output=True, text=True, timeout=120)


def test_without_the_extra_texts_are_english_and_no_bare_keys() -> None:
    code = MATCH
    code += """
print(texts.label("zone-shares", match.game))
print(texts.command(command, match.game, names))
for note in step.notes_for(seat):
    print(texts.note(note, match.game, names))
try:
    match.play(seat, command)
except kifu.RuleViolation as violation:
    print(texts.violation(violation, match.game, names))
try:
    kifu.new("chess", ["Aki"])
except kifu.KifuError as error:
    print(texts.message(error.summary))
"""
    done = run(code, *FLUENT, *TERMINAL)
    assert done.stderr == ""
    label, doing, *others = done.stdout.splitlines()
    assert label == "shares"
    assert doing.startswith("play: ")
    assert others[-1].startswith("game 'chess': not installed; there are: cake, ")
    assert not any("note-" in line or "command-" in line for line in others)
    assert any("Aki" in line or "Ren" in line or "Mio" in line or "Sou" in line for line in others)


@pytest.mark.parametrize(
    ("code", "extra"),
    [
        ("import kifu; from kifu.core.page import page; page(kifu.new('cake', seats=['Aki', 'Ren', 'Mio']))", "replay"),
        ("import kifu.core.web", "web"),
        ("from kifu.replay import main; main()", "replay"),
    ],
)
def test_what_needs_the_catalogues_names_its_extra(code: str, extra: str) -> None:
    done = run(code, *FLUENT)
    assert done.returncode != 0
    assert f"pip install 'kifu[{extra}]'" in done.stderr.splitlines()[-1]


def test_the_web_and_the_page_need_no_library_of_a_terminal() -> None:
    pytest.importorskip("starlette")
    code = """
from kifu.core.host import Host
from kifu.core.page import page
from kifu.core.stores import open_store
from kifu.core.web import app
import kifu
app(Host(open_store("memory:")))
print(len(page(kifu.new("cake", ["Aki", "Ren", "Mio"]))) > 1000)
"""
    done = run(code, *TERMINAL)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_command_line_is_what_a_terminal_needs() -> None:
    done = run("from kifu.replay import main; main()", "click")
    assert done.stderr == "replay: the command line needs an extra: pip install 'kifu[replay]'\n"


def code_of(guide: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", guide, re.DOTALL))


def test_the_whole_guide_to_embedding_runs_with_fluent_and_babel_alone(tmp_path: Path) -> None:
    """Words, pages, logs and findings: none of it needs the libraries of a terminal, or of the web."""
    guide = (Path(__file__).parents[3] / "docs" / "embed.md").read_text(encoding="utf-8")
    words, _, others = guide.partition("## A match to look at")
    code = f"import os; os.chdir({str(tmp_path)!r})\n{code_of(words)}\n"
    code += "print(labels[0], *notes, buttons[0], refused, sep='\\n')\n"
    code += f"{code_of(others)}\nprint('<!doctype html>' in html, reading.ok)"
    done = run(code, *TERMINAL, "starlette", "uvicorn", "msgspec", "pytest", "hypothesis")
    assert done.stderr == ""
    *lines, last = done.stdout.splitlines()
    assert len(lines) >= 4
    assert all(re.search("[ぁ-んァ-ン一-龠]", line) for line in (lines[0], lines[1], lines[-1])), lines
    assert last == "True True"


def test_the_bots_are_there_after_import_kifu_and_cost_nothing_before() -> None:
    code = "import kifu, sys; print('kifu.games.bots' in sys.modules, 'greedy' in kifu.games.bots.names())"
    assert run(code).stdout == "False True\n"
