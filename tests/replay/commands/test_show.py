"""`replay show`: the story of a match, and nothing that its reader may not see."""

import json
import re

import pytest
from attrs import evolve
from kifu import games
from kifu.core.game import TABLE, Note, RedactedCommand, SectionKind
from kifu.core.match import Match
from kifu.core.text.texts import Texts
from kifu.core.wire import plain
from kifu.replay.render.transcript import Transcript
from kifu.replay.tournament.random_matches import NAMES
from rich.cells import cell_len

from ..conftest import SEED, played


def test_the_head_says_what_was_played_by_whom_and_who_won(replay, log, match: Match) -> None:
    head = replay("show", log).out.splitlines()[:7]
    assert head[0].startswith("Take & Share")
    for seat, name in enumerate(match.header.seats):
        assert re.search(rf"^  {seat}  {name} +{match.result.points[seat]} point", head[1 + seat])
        assert ("wins" in head[1 + seat]) == (seat in match.result.winners)
    assert head[5] == "  options first=0 long=false deals=1"
    assert head[6] == "  match test, recorded by kifu test under rules 2"


def test_every_step_is_shown_with_its_rules(replay, log, match: Match) -> None:
    out = " ".join(replay("show", log, "--plain").out.split())
    words = Texts("en")
    for step in match.steps:
        for note in step.notes:
            data = words.note(note, match.game, match.header.seats)
            assert all(word in out for word in data.split()), data
    taken = [note for step in match.steps for note in step.notes if note.key.startswith("taken")]
    lines = replay("show", log).out.splitlines()
    shown = [line for line in lines if "wins the trick" in line]
    assert [line.split()[-1] for line in shown] == [note.rule.number for note in taken]


def test_headings_stand_where_something_begins(replay, log, match: Match) -> None:
    out = replay("show", log).out
    tricks = sum(note.begins is SectionKind.TRICK for step in match.steps for note in step.notes)
    assert re.findall(r"^Trick (\d+) ─", out, re.M) == [str(number + 1) for number in range(tricks)]
    assert re.findall(r"^Deal (\d+) ─", out, re.M) == ["1"]
    assert "Trick 2 ─" in replay("show", log, "--from", 6, "--to", 8).out, "also where only a part is shown"


def test_headings_count_again_after_a_takeback_and_go_on_from_what_is_restored(replay, tmp_path) -> None:
    match = played("Aki", "Ren", "Mio", "Sou", most=11, goes_on=True)
    for to in (2, 8):
        match.take_back(to)
        for _ in range(5):
            (seat,) = match.to_act
            match.play(seat, match.legal(seat)[0])
    match.save(tmp_path / "restored.log")
    out = replay("show", tmp_path / "restored.log").out
    assert re.findall(r"^Trick (\d+) ─", out, re.M) == ["1", "2", "2", "3"]
    assert "Taken back: the table is as it was after event 2." in out


@pytest.mark.ci
def test_the_table_is_drawn_at_the_deal_and_at_the_end(replay, log) -> None:
    assert replay("show", log).out.count("share cards ") >= 1
    assert replay("show", log).out.count("  trick ") == 2


def test_a_note_without_values_is_shown_once(replay, log) -> None:
    assert replay("show", log).out.count("face down on their own pile") == 1
    assert "face down on their own pile" in replay("show", log, "--step", 10).out


def test_one_step_comes_with_its_command_and_the_table_after_it(replay, log, match: Match) -> None:
    out = replay("show", log, "--step", 1).out
    card = match.game.face(match.events[1].command.card).text
    assert "Step 1 of 70" in out
    assert f"Aki: play a card: {card}" in out
    assert re.search(rf"trick 1 of 14 .* trick {card}", out)


def test_lines_fit_and_wide_characters_line_up(replay, log) -> None:
    for lang in ("en", "ja"):
        lines = replay("show", log, "--lang", lang).out.splitlines()
        assert max(map(cell_len, lines)) <= 80
        assert not [line for line in lines if line != line.rstrip()]
        numbered = [line for line in lines if re.search(r" TS-R?\d+$", line)]
        assert {cell_len(line) for line in numbered} == {80}


@pytest.mark.ci
def test_the_language_is_that_of_the_locale(replay, log, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Deal 1" in replay("show", log).out
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert "第1ゲーム" in replay("show", log).out
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert "Deal 1" in replay("show", log).out
    assert "第1ゲーム" in replay("show", log, "--lang", "ja").out


def test_a_bad_log_is_shown_up_to_its_first_error_and_then_what_is_wrong(replay, illegal) -> None:
    called = replay("show", illegal, exits=1)
    assert "   5  " in called.out
    assert "   6  " not in called.out
    assert re.search(r"✗ event 6: against the rule TS-2: \w+ played .*, which is not in the hand", called.out)


def test_a_finding_is_shown_to_a_seat_without_the_facts(replay, illegal, match: Match) -> None:
    called = replay("show", illegal, "--as", "spectator", exits=1)
    assert "event 6: against the rule TS-2" in called.out
    assert "not in the hand" not in called.out
    for line in replay("show", illegal, "--as", "spectator", "--json").out.splitlines():
        assert "not in the hand" not in line


@pytest.mark.ci
@pytest.mark.parametrize("name", games.names())
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_seat_is_shown_what_it_saw_and_nothing_else(replay, tmp_path, name: str, viewer: int | None) -> None:
    match = played(*NAMES[: games.find(name).seats[-1]], game=name)
    match.save(tmp_path / "game.log")
    seat = "spectator" if viewer is None else viewer
    for line in replay("show", tmp_path / "game.log", "--as", seat, "--json").out.splitlines():
        data = json.loads(line)
        step = match.steps[data["seq"]]
        observed = step.command_for(viewer)
        assert data["redacted"] == isinstance(observed, RedactedCommand)
        if data["redacted"]:
            assert data["fields"] == plain(dict(observed.fields))
        assert [note["key"] for note in data["notes"]] == [note.key for note in step.notes_for(viewer)]
        assert data["view"] == plain(match.at(step.seq).view(viewer))
        assert data["scene"] == plain(match.at(step.seq).scene(viewer))


def test_a_private_note_is_shown_to_its_seat_alone(match: Match) -> None:
    def secretive(step, viewer):
        if viewer == TABLE:
            yield Note.of("secret", None, of=step.seat)

    shown: Match = Match(match.game.altered(explain=secretive), match.header)
    shown.deal()
    shown.play(0, shown.legal(0)[0])

    def transcript(viewer: int | None) -> str:
        transcript = Transcript(shown, viewer, Texts("en", "kifu.replay"))
        return "\n".join(map(str, (*transcript.steps(range(2)), *transcript.one(shown.steps[1]))))

    assert transcript(TABLE).count("secret") == 3
    assert "secret" not in transcript(0)
    assert "the table: deal (unseen)" in transcript(0)


@pytest.mark.parametrize("viewer", ["0", "spectator"])
def test_no_card_that_a_viewer_may_not_see_stands_in_its_text(replay, log, match: Match, viewer: str) -> None:
    first = replay("show", log, "--as", viewer, "--to", 0).out
    state = match.at(0).state
    hidden = [card for seat, hand in enumerate(state.hands) if str(seat) != viewer for card in hand]
    assert not [card for card in hidden if re.search(rf"{match.game.face(card).text}(?!\d)", first)]
    everything = replay("show", log, "--to", 0).out
    assert all(match.game.face(card).text in everything for card in hidden)


@pytest.mark.parametrize("options", [(), ("--json",), ("--as", "1"), ("--as", "1", "--json"), ("--step", "0")])
def test_the_seed_is_never_shown(replay, log, options: tuple[str, ...]) -> None:
    assert SEED.hex() not in replay("show", log, *options).out


@pytest.mark.ci
def test_json_is_one_object_a_step(replay, log, match: Match) -> None:
    data = replay("show", log, "--json").lines
    assert [each["seq"] for each in data] == list(range(len(match.events)))
    assert data[1]["tag"] == "play"
    assert data[1]["fields"] == {"card": match.events[1].command.card}
    assert data[1]["view"] == plain(match.at(1).everything())
    assert set(data[1]["notes"][0]) == {"key", "rule", "begins", "values", "text"}


def test_no_text_of_a_stranger_reaches_the_terminal_as_it_is(replay, tmp_path) -> None:
    match = played("\x1b[31mAki\x07", "R\u202een", "Mi\u200bo\n", "S" * 500, most=10)
    match.header = evolve(match.header, match="\x1b[31m\u202e", engine="\x07" + "x" * 10_000)
    log = tmp_path / "hostile\x1b[2J.log"
    match.save(log)
    shown = [["show", log, *options] for options in ((), ["--lang", "ja"], ["--step", "1"], ["--as", "0"], ["--json"])]
    for call in (*shown, ["audit", tmp_path], ["audit", tmp_path, "--json"]):
        called = replay(*call, exits=0)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", called.out + called.err)
        assert "S" * 60 not in called.out


def test_a_match_that_goes_on_says_who_is_asked(replay, tmp_path) -> None:
    match = played("Aki", "Ren", "Mio", most=3, goes_on=True)
    match.save(tmp_path / "on.log")
    called = replay("show", tmp_path / "on.log", exits=0)
    assert "The match goes on: Mio is asked to act." in called.out
    match.abandon()
    match.save(tmp_path / "off.log")
    assert "abandoned" in replay("show", tmp_path / "off.log").out


def test_a_seat_is_not_shown_the_id_which_may_begin_the_seed(replay, tmp_path) -> None:
    assert replay("simulate", "take_and_share", "-o", tmp_path, "--seed", "00" * 32).code == 0
    (log,) = tmp_path.glob("*.log")
    for viewer in ("0", "spectator"):
        for form in ("--plain", "--json"):
            called = replay("show", log, "--as", viewer, form)
            assert (called.code, log.stem in called.out) == (0, False)
