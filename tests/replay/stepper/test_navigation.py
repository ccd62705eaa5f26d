"""The ways through a match: by step, by what begins, to a number, to words, to what is wrong."""

import pytest
from kifu.core.game import SectionKind
from kifu.core.log import Finding
from kifu.core.match import Match

from .conftest import Person, stepping

pytestmark = pytest.mark.long


def begins(match: Match, kind: SectionKind) -> list[int]:
    return [each.seq for each in match.steps if kind in {note.begins for note in each.notes}]


@stepping()
async def test_steps_forward_and_back_and_not_beyond_the_ends(one: Person) -> None:
    assert one.at == -1
    assert "Before the first step" in one.pane("notes")
    await one.press("left")
    assert one.at == -1
    await one.press("right", "right", "down")
    assert one.at == 2
    await one.press("left", "up")
    assert one.at == 0
    await one.press("end", "right")
    assert one.at == len(one.match.events) - 1
    await one.press("home")
    assert one.at == -1


@stepping()
async def test_what_is_shown_is_the_step_its_table_and_who_is_to_act(one: Person) -> None:
    await one.press("right", "right", "right")
    step = one.match.steps[2]
    actor = one.match.header.seats[step.seat]
    card = one.match.game.face(step.command.card).text
    assert f"2 {actor}: play a card: {card}" in one.pane("notes")
    for note in step.notes:
        assert note.rule.number in one.pane("notes")
    (asked,) = one.match.at(2).to_act
    assert f"▶ {one.match.header.seats[asked]} is to act" in one.pane("notes")
    assert f"▶  {one.match.header.seats[asked]} " in one.pane("table")
    assert f"trick ▐{one.match.game.face(one.match.events[1].command.card).text}▌▐{card}▌" in one.pane("table")
    assert "Deal 1 · Trick 1" in one.pane("title")
    await one.press("end")
    for seat, points in enumerate(one.match.result.points):
        wins = " ★ wins" if seat in one.match.result.winners else ""
        assert f"{one.match.header.seats[seat]} {points} points{wins}" in " ".join(one.pane("notes").split())


@stepping(long=True)
async def test_by_section_there_and_back(one: Person) -> None:
    sections = sorted({*begins(one.match, SectionKind.TRICK), *begins(one.match, SectionKind.DEAL)})
    await one.press("pagedown")
    assert one.at == sections[0]
    await one.press("pagedown", "pagedown")
    assert one.at == sections[2]
    await one.press("pageup")
    assert one.at == sections[1]
    await one.press("home", "pageup")
    assert one.at == -1
    assert "Nothing begins in this direction." in one.notices


@stepping("cake")
async def test_by_round(one: Person) -> None:
    rounds = begins(one.match, SectionKind.ROUND)
    await one.press("end", "pageup")
    assert one.at == rounds[-1]


@stepping()
async def test_to_a_number(one: Person) -> None:
    await one.press("colon")
    await one.type("31")
    assert one.at == 31
    for wrong in ("71", "1e1", "٣", "9" * 40):
        await one.press("colon")
        await one.type(wrong)
        assert one.at == 31
        assert f"{wrong}: there is no such step; give 0 to 70." in one.notices
    await one.press("colon", "5", "escape")
    assert one.at == 31


@stepping()
async def test_to_words_and_on_to_the_next(one: Person) -> None:
    shares = [each.seq for each in one.match.steps if type(each.command).__name__ == "Share"]
    await one.press("slash", "s", "S", "n")
    assert one.app.screen.query_one("Input").value == "sSn", "what is typed is no key of the stepper"
    await one.type("Shares OUT")
    await one.until(lambda: one.at == shares[0])
    await one.press("n")
    await one.until(lambda: one.at == shares[1])
    await one.press("N")
    await one.until(lambda: one.at == shares[0])
    await one.press("N")
    await one.until(lambda: "shares out: not found in this direction." in one.notices)
    assert one.at == shares[0]


WRONG = (
    Finding("digest", "the state after this event is not the recorded one", 7),
    Finding("rule", "TS-2: …", 20, "TS-2"),
)


@stepping(most=20, wrong=WRONG)
async def test_to_what_is_wrong(one: Person) -> None:
    await one.press("x")
    assert one.at == 7
    assert "✗ event 7: another state" in one.pane("notes")
    await one.press("x")
    assert one.at == 20
    assert "✗ event 20: against the" in one.pane("notes")
    assert one.pane("steps").count("✗") == 2
    await one.press("x")
    assert one.at == 20
    assert "Nothing is wrong in this direction." in one.notices
    await one.press("X", "right")
    assert one.at == 8
    await one.press("end")
    assert one.at == 20


@stepping(most=6)
async def test_a_notice_covers_nothing_but_the_keys_and_gives_them_their_line_back(one: Person) -> None:
    before = one.screen
    await one.press("x", "X")
    assert one.screen[:-1] == before[:-1]
    assert "Nothing is wrong in this direction" in one.screen[-1]
    one.app._drop_notice()
    await one.pilot.pause()
    assert one.screen == before
    one.app.show_notice("many words " * 14)
    await one.pilot.pause()
    assert [line for line in one.screen if "many words" in line] == one.screen[-2:]


@stepping()
async def test_a_mouse_is_enough(one: Person) -> None:
    await one.pilot.click("#steps", offset=(8, 3))
    assert one.at == 1
    line = next(y for y, line in enumerate(one.screen) if " Ren " in line)
    await one.pilot.click(offset=(one.screen[line].index("Ren"), line))
    await one.pilot.pause()
    assert one.app.navigation.viewer == 1
    await one.pilot.click("#keys", offset=(one.pane("keys").index("rules"), 0))
    await one.pilot.pause()
    assert "Rules" in one.screen_text


@stepping()
async def test_the_full_sentence_of_a_rule_is_there_on_demand(one: Person) -> None:
    await one.press("right", "right", "enter")
    rule = one.match.steps[1].notes[0].rule
    seen = " ".join(one.screen_text.replace("│", " ").split())
    assert rule.number in seen
    assert rule.sentence[:30] in seen
    await one.press("escape", "home", "enter")
    assert "No rule is named at this step." in one.screen_text


@stepping(size=(100, 40))
async def test_the_help_names_every_key(one: Person) -> None:
    await one.press("question_mark")
    for shown in ("a step back, forward", "the rules of this step", "quit"):
        assert shown in one.screen_text
