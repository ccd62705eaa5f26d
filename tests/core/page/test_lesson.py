"""Each game has a lesson in both languages, with the same pictures and the same example from a golden log."""

import runpy
from pathlib import Path

import pytest
from attrs import evolve
from kifu import KifuError, games
from kifu.core.page.lesson import Cards, Example, Items, Paragraph, Table, Title, lesson, lesson_data
from kifu.core.text.negotiation import languages_of

ROOT = Path(__file__).parents[3]
GAMES = games.names()
GOLDEN = {
    "cake": "worked_example",
    "gosne": "chestnuts_on_the_cards",
    "mabr": "worked_example",
    "palace": "four_seats",
    "take_and_share": "four_seats",
}


@pytest.mark.parametrize("name", GAMES)
def test_a_lesson_has_a_goal_cards_a_table_an_example_and_a_score(name: str) -> None:
    for lang in languages_of((games.find(name).texts,)):
        found = lesson(games.find(name), lang)
        assert found is not None
        kinds = {type(block) for block in found.blocks}
        assert kinds == {Title, Paragraph, Items, Cards, Table, Example}
        assert sum(isinstance(block, Title) for block in found.blocks) >= 7
        assert 0 < found.minutes[0] <= found.minutes[1]
        assert found.difficulty in (1, 2, 3)
        assert found.about
        assert found.cards


@pytest.mark.parametrize("name", GAMES)
def test_the_languages_show_the_same_and_say_it_in_as_many_pieces(name: str) -> None:
    english, japanese = (lesson(games.find(name), lang) for lang in ("en", "ja"))
    assert english is not None and japanese is not None  # noqa: PT018
    blank = {"about": "", "blocks": ()}
    assert evolve(english, **blank) == evolve(japanese, **blank)
    shown = [[block for block in each.blocks if isinstance(block, Cards | Table)] for each in (english, japanese)]
    assert shown[0] == shown[1]
    told = [
        [[(note.seq, note.rule) for note in block.notes] for block in each.blocks if isinstance(block, Example)]
        for each in (english, japanese)
    ]
    assert told[0] == told[1]
    headings = [sum(isinstance(block, Title) for block in each.blocks) for each in (english, japanese)]
    assert headings[0] == headings[1]


@pytest.mark.parametrize("name", GAMES)
def test_the_example_is_a_golden_log(name: str) -> None:
    golden = ROOT / "fixtures" / name / f"{GOLDEN[name]}.log"
    assert (ROOT / "games" / name / "learn.log").read_bytes() == golden.read_bytes()


def test_a_language_without_a_lesson_has_the_english_one_and_a_game_may_have_none() -> None:
    cake = games.find("cake")
    assert lesson(cake, "fr") == lesson(cake, "en") != lesson(cake, "ja")
    assert lesson(cake, "../en") == lesson(cake)
    assert lesson(evolve(cake, texts="nothing.here")) is None


@pytest.mark.parametrize("line", ["!table 9999", "!dance 1", "!steps 1", "!cards 99"])
def test_what_a_lesson_cannot_show_is_an_error(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "odd_lesson"
    (package / "texts").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "learn.log").write_bytes((ROOT / "games/cake/learn.log").read_bytes())
    (package / "texts/learn.en.md").write_text(f"minutes: 1\ndifficulty: 1\ncards: 1\nabout: Odd.\n\n{line}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KifuError, match="the lesson of cake in en"):
        lesson(evolve(games.find("cake"), texts="odd_lesson"))


def test_the_data_of_a_block_has_its_kind() -> None:
    found = lesson(games.find("cake"))
    assert found is not None
    data = lesson_data(found)
    assert data["blocks"][0] == {"kind": "title", "text": "What you try to do"}
    assert data["cards"][0] == {"text": "1", "tint": "red", "shape": "card", "caption": ""}


@pytest.mark.parametrize("name", games.names())
def test_the_pages_of_the_rules_get_the_lesson_on_the_site(name: str) -> None:
    with_made = runpy.run_path(str(ROOT / "docs/rules/make.py"))["with_made"]
    for page, word in ((name, "## Hints"), (f"ja/{name}", "## ルール")):
        written = (ROOT / f"docs/rules/{page}.md").read_text("utf-8")
        assert word not in written
        assert word in with_made(written, page)
