"""What players of texts read and write is counted, and the page of results has all of it, with links to matches."""

import json
import re
import sys

import kifu
import pytest
from kifu.replay.app import run

pytest.importorskip("fluent.runtime", reason="needs kifu[replay]")

PLAYER = """
import json, sys
turn = 0
for line in sys.stdin:
    if "observe" in json.loads(line):
        turn += 1
        print(json.dumps({"answer": "?" if turn == 2 else "#1"}), flush=True)
"""


@pytest.fixture
def player(tmp_path):
    path = tmp_path / "player.py"
    path.write_text(PLAYER)
    return f"text:{sys.executable} {path}"


def simulated(folder, capsys, bots, *args, games=3):
    call = ["simulate", "cake", "--seats", "3", "--games", str(games), "--seed", "01" * 32, "-o", str(folder), "--json"]
    assert run([*call, "--jobs", "1", "--bots", bots, *args]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()][-1]["summary"]


@pytest.mark.ci
def test_refusals_and_characters_are_counted_and_kept(tmp_path, capsys, player):
    first = simulated(tmp_path / "logs", capsys, f"{player},random")
    counts = first["texts"][player]
    names = [name for log in (tmp_path / "logs").glob("*.log") for name in kifu.load(log).header.seats]
    assert counts["refused"] == sum(player in name for name in names)  # each of its programs is refused once
    assert counts["read"] > 1000
    assert counts["written"] > 10
    assert list(first["texts"]) == [player]
    assert simulated(tmp_path / "logs", capsys, f"{player},random") == first  # resumed: nothing is played


@pytest.mark.ci
def test_bots_that_read_nothing_leave_no_file(tmp_path, capsys):
    summary = simulated(tmp_path / "logs", capsys, "greedy,random")
    assert "texts" not in summary
    assert not list((tmp_path / "logs").glob("*.texts.json"))


@pytest.mark.ci
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_page_has_every_bot_and_links_to_every_match(tmp_path, capsys, lang):
    logs = tmp_path / "logs"
    summary = simulated(logs, capsys, "greedy,random", "--page", "--lang", lang)
    page = (logs / "index.html").read_text("utf-8")
    assert f'<html lang="{lang}">' in page
    for name, record in summary["bots"].items():
        assert f"<td>{name}</td>" in page
        low, high = record["interval"]
        assert f"{100 * record['won']:.1f} % ({100 * low:.1f} – {100 * high:.1f})" in page
    links = re.findall(r'href="(\w+\.html)"', page)
    assert sorted(links) == sorted(f"{log.stem}.html" for log in logs.glob("*.log"))
    assert all("kifu export" in (logs / link).read_text("utf-8") for link in links)
    assert "<script" not in page


@pytest.mark.ci
def test_a_name_in_the_page_is_text_and_no_markup(tmp_path, capsys, player):
    logs = tmp_path / "logs"
    evil = f"{player} <script>"  # an argument of the program
    simulated(logs, capsys, f"{evil},random", "--page", games=1)
    page = (logs / "index.html").read_text("utf-8")
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_page_needs_bots(tmp_path, capsys):
    assert run(["simulate", "cake", "-o", str(tmp_path / "logs"), "--page"]) == 2
    assert "need --bots" in capsys.readouterr().err
