"""The export says what the scenes and notes say, in both languages, in the shape that is documented."""

import json
import re
import subprocess
import sys
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve
from kifu import games
from kifu.core.errors import MatchError
from kifu.core.game import TABLE, Face, Fact, Place, RuleViolation, Seat, Thing, Zone
from kifu.core.log import Finding
from kifu.core.match import Match, seen_from
from kifu.core.match.header import new_header
from kifu.core.page import LANGS, everyone, export, page
from kifu.core.page.document import SCRIPTS
from kifu.core.page.remarks import Remark
from kifu.core.text.sanitize import sanitize
from kifu.core.text.texts import Texts
from kifu.core.wire import plain

from .conftest import GAMES, HOSTILE, embedded, played

SCHEMA = Path(__file__).parents[3] / "docs" / "export-schema.json"


@pytest.mark.parametrize("viewers", ["", "0", b"", b"\0", 0, {}, [3], [-2], ["0"], [[0]], [True], {0}], ids=repr)
def test_an_export_refuses_viewers_that_the_match_does_not_have(viewers):
    match = played("take_and_share", most=3, seats=3)
    with pytest.raises(MatchError, match="viewers"):
        export(match, viewers)


def scenes(exported: dict, viewer: int) -> list[list]:
    """The scenes of a viewer as plain data again, made as the guide says."""
    lies: dict[int, int] = {}
    made = []
    for changes in exported["viewers"][viewer]["changes"]:
        lies.update(zip(changes[::2], changes[1::2], strict=True))
        made.append([_place(exported, lies[slot]) for slot in sorted(lies)])
    return made


def _place(exported: dict, at: int) -> Place:
    labels = [each[0] for each in exported["labels"]]
    seat, zones, facts, marks = exported["places"][at]
    lying = [
        Zone(
            labels[key],
            tuple(_thing(exported, thing) for thing in things),
            board if board is None else exported["boards"][board],
        )
        for key, things, board in map(exported["zones"].__getitem__, zones)
    ]
    shown = [Fact(labels[key], value, most) for key, value, most in map(exported["facts"].__getitem__, facts)]
    return Place(seat, tuple(lying), tuple(shown), tuple(labels[mark] for mark in marks))


def _thing(exported: dict, at: int) -> Thing:
    faces, count, marks, number, seat, back = exported["things"][at]
    shown = tuple(Face(*exported["faces"][face]) for face in faces)
    return Thing(shown, count, None, tuple(exported["labels"][mark][0] for mark in marks), number, seat, back)


def drawn(scene) -> list[Place]:
    """A scene as it should have been exported: no command is given, so no thing has a name for it."""

    def zone(each: Zone) -> Zone:
        return evolve(each, things=tuple(evolve(thing, part=None) for thing in each.things))

    def fact(each: Fact) -> Fact:
        return evolve(each, value=each.value if isinstance(each.value, int) else sanitize(each.value))

    return [
        evolve(place, zones=tuple(map(zone, place.zones)), facts=tuple(map(fact, place.facts)))
        for place in (scene.table, *scene.places)
    ]


@pytest.fixture(params=GAMES)
def ended(request):
    """A match that has ended, for of one that goes on looks are shown but once; and its export for everyone."""
    match = played(request.param, most=60)
    if match.to_act:
        match.abandon()
    return match, export(match, everyone(match))


@pytest.mark.ci
def test_every_scene_is_exported_as_each_viewer_sees_it(ended):
    match, exported = ended
    for at, viewer in enumerate(everyone(match)):
        assert scenes(exported, at) == [
            drawn(match.game.scene(seen_from(match.at(seq), viewer))) for seq in range(-1, len(match.events))
        ]


@pytest.mark.ci
def test_every_note_is_exported_for_each_viewer_with_its_rule(ended):
    match, exported = ended
    names = match.header.seats
    for at, viewer in enumerate(everyone(match)):
        for step, places in zip(match.steps, exported["viewers"][at]["notes"], strict=True):
            notes = step.notes_for(viewer)
            rows = [exported["notes"][place] for place in places]
            if not notes:
                assert len(rows) == 1
                continue
            assert [rule for rule, *_ in rows] == [note.rule.number if note.rule else None for note in notes]
            for lang, spoken in zip(LANGS, zip(*(texts for _, *texts in rows), strict=True), strict=True):
                joined = ["".join(names[at] if isinstance(at, int) else at for at in each) for each in spoken]
                assert joined == [Texts(lang).note(note, match.game, names) for note in notes]


def test_a_step_without_notes_is_exported_by_its_redacted_command():
    match = played("take_and_share", most=3)
    match.game = match.game.altered(explain=lambda step, viewer: iter(()))
    exported = export(match, [None])
    assert exported["notes"][0] == [None, ["the table: deal (unseen)"], ["テーブル：配る（内容は見えない）"]]
    assert exported["notes"][1][1][0] == 0, "the seat that leads, as a seat and not as a name"


@pytest.mark.parametrize("name", GAMES)
def test_what_is_known_of_the_table_itself_is_exported(name):
    match = played(name)
    exported = export(match, [None])
    assert exported["points"] == list(match.result.points)
    assert exported["winners"] == list(match.result.winners)
    assert exported["ended"] == "over"
    assert exported["acted"] == [event.seat for event in match.events]
    assert exported["asked"] == [sorted(match.at(seq).to_act) for seq in range(-1, len(match.events))]
    assert set(exported["rules"]) == {rule.number for rule in match.game.book}
    assert [names[0] for names in exported["seats"]] == list(match.header.seats)


def test_what_begins_is_numbered():
    begins = export(played("take_and_share"), [0])["viewers"][0]["begins"]
    assert begins["0"] == ["deal", 1, 0]
    assert [number for mark, number, _ in begins.values() if mark == "trick"] == list(range(1, 15))


def test_a_takeback_is_exported_like_any_step():
    match = played("take_and_share", most=11)
    match.take_back(5)
    exported = export(match, [0])
    assert exported["notes"][exported["viewers"][0]["notes"][-1][0]][1] == [
        "Taken back: the table is as it was after event 5."
    ]
    assert scenes(exported, 0)[-1] == scenes(exported, 0)[6]


def test_a_match_without_a_step_is_exported():
    game = games.find("cake")
    match: Match = Match(game, new_header(game, ("a", "b", "c"), {}, None, match="m", started=None, engine="e"))
    assert scenes(export(match, [0]), 0) == [drawn(match.scene(0))]


def test_a_finding_is_exported_for_a_seat_without_the_facts():
    match = played("take_and_share", most=6)
    violation = RuleViolation(match.game.rule("TS-2"), 1, card=104)
    findings = [Finding("rule", "a message", 6, "TS-2", violation)]
    text = export(match, [TABLE, 1], findings)["findings"][0]["text"][0]
    assert text[1:] == [1, " played ♥4, which is not in the hand: only a card from the hand may be played"]
    (seat,) = export(match, [1], findings)["findings"]
    assert "♥4" not in json.dumps(seat, ensure_ascii=False)
    assert (seat["seq"], seat["kind"], seat["rule"]) == (6, "rule", "TS-2")


@pytest.mark.ci
@pytest.mark.parametrize("name", GAMES)
def test_an_export_has_the_documented_shape(name):
    jsonschema = pytest.importorskip("jsonschema", reason="needs kifu[test]")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    match = played(name, most=40)
    findings = [Finding("torn", "the file ends too early", None)]
    for viewers in ((0,), everyone(match)):
        check.validate(json.loads(json.dumps(export(match, viewers, findings))))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_strangers_text_stays_text(text):
    match = played("take_and_share", text, "Ren", "Mio", most=8)
    whole = page(match)
    assert whole.count("<script") == 3
    assert whole.count("</script>") == 3
    assert "<img" not in whole
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff]", whole)
    data = embedded(whole)
    for lang, (name, *_) in zip(LANGS, zip(*data["seats"], strict=True), strict=True):
        assert name == Texts(lang).seat(0, match.header.seats)
        assert len(name) <= 60
    assert data == json.loads(json.dumps(export(match, everyone(match)))), "the page holds the very same data"


MAKE = """
import kifu
from kifu.core.page import page
match = kifu.new("cake", ["a", "b", "c"], seed=bytes(32), match="m", started=0)
print(page(match))
"""


@pytest.mark.ci
def test_a_page_is_the_same_whatever_the_order_of_hashing():
    runs = [
        subprocess.run([sys.executable, "-c", MAKE], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True)
        for seed in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout


@pytest.mark.ci
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("take_and_share", {"long": True}, marks=pytest.mark.long),
        pytest.param("gosne", {"hands": 4}, marks=pytest.mark.long),
        ("palace", {}),
        ("cake", {}),
    ],
)
def test_the_page_of_a_long_match_is_small(name, options):
    match = played(name, **options)
    assert len(page(match).encode()) < 300_000


def test_a_page_loads_nothing_from_any_network():
    whole = page(played("take_and_share", most=5))
    policy = re.search(r'Content-Security-Policy" content="(.*?)"', whole)[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", re.sub(r"<script.*?</script>", "", whole, flags=re.DOTALL))
    assert set(re.findall(r"https?://[^\"')\s]+", whole)) == {"http://www.w3.org/2000/svg"}


def test_values_are_plain_data():
    match = played("gosne", most=5, chestnuts={1: 3})
    exported = export(match, [0])
    options = {"dealer": 0, "whistleblower": False, "alone": "three", "hands": 1, "chestnuts": [[1, 3]]}
    assert exported["options"] == plain(options)
    assert json.loads(json.dumps(exported)) == exported


def test_a_sheet_of_turns_has_a_row_only_where_something_changes():
    rows = export(played("palace"), [None])["score_rows"]
    assert rows[0]["labels"] == ("Turn 1–6", "1〜6手目")
    assert all(row["values"] != after["values"] and None not in after["values"] for row, after in pairwise(rows))


SOURCE = "\n".join(files("kifu.core.page").joinpath(name).read_text("utf-8") for name in SCRIPTS)


def test_every_word_that_the_scripts_say_is_in_the_page():
    words = embedded(page(played("take_and_share", most=3)), "words")
    used = set(re.findall(r'\b(?:say|choice|button)\("([a-z-]+)"', SOURCE))
    used |= set(re.findall(r'"(key-[a-z]+)"', SOURCE))
    used |= {"yes", "no", "abandoned", "unfinished"}
    assert used == set(words)
    assert all(len(each) == len(LANGS) and all(each) for each in words.values())
    assert [key for key, (english, japanese) in words.items() if english == japanese] == []


def test_the_scripts_never_read_a_text_as_markup():
    reading = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc"
    assert re.findall(reading, SOURCE) == []


MATCH = played("take_and_share", "Aki", "Ren", "Mio", most=9)


def remark(seq: int, *, swing: bool = False, turning_point: bool = False) -> Remark:
    seat = MATCH.events[seq].seat
    text = [["of ", seat, f" at {seq}"], [seat, f"の{seq}"]]
    return Remark(seq, seat, swing, turning_point, text)


REMARKS = [remark(1), remark(2, swing=True), remark(3, swing=True, turning_point=True)]


def test_the_table_reads_all_remarks_and_a_seat_its_own():
    data = export(MATCH, everyone(MATCH), remarks=REMARKS)["analysis"]
    assert [each["step"] for each in data] == [1, 2, 3]
    assert data[2] == {
        "step": 3, "seat": REMARKS[2].seat, "swing": True, "turning_point": True, "text": REMARKS[2].text
    }  # fmt: skip
    for seat in range(3):
        read = export(MATCH, [Seat(seat)], remarks=REMARKS)["analysis"]
        assert [each["seat"] for each in read] == [each.seat for each in REMARKS if each.seat == seat]
    assert export(MATCH, [None], remarks=REMARKS)["analysis"] == []


def test_without_an_analysis_an_export_is_as_before():
    assert "analysis" not in export(MATCH, [TABLE])


def test_the_schema_has_remarks():
    jsonschema = pytest.importorskip("jsonschema", reason="needs kifu[test]")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(embedded(page(MATCH, remarks=REMARKS)))
