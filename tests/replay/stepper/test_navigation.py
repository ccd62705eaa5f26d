"""The ways through a match: by step, by what begins, to a number, to words, to what is wrong, to a changed value."""

import asyncio

import pytest
from kifu.core.game import SectionKind
from kifu.core.log import Finding
from kifu.core.match import Match
from kifu.replay.stepper.frame import SPEEDS

from .conftest import Person, played, reading_of, step

pytestmark = pytest.mark.long


def begins(match: Match, kind: SectionKind) -> list[int]:
    return [each.seq for each in match.steps if kind in {note.begins for note in each.notes}]


def test_steps_forward_and_back_and_not_beyond_the_ends():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        assert one.at == -1
        assert "Before the first step" in one.pane("notes")
        await one.press("left")
        assert one.at == -1
        await one.press("right", "right", "down")
        assert one.at == 2
        await one.press("left", "up")
        assert one.at == 0
        await one.press("end", "right")
        assert one.at == len(match.events) - 1
        await one.press("home")
        assert one.at == -1

    step(match, person)


def test_what_is_shown_is_the_step_its_table_and_who_is_to_act():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("right", "right", "right")
        step = match.steps[2]
        actor = match.header.seats[step.seat]
        card = match.game.face(step.command.card).text
        assert f"2 {actor}: play a card: {card}" in one.pane("notes")
        for note in step.notes:
            assert note.rule.number in one.pane("notes")
        (asked,) = match.at(2).to_act
        assert f"▶ {match.header.seats[asked]} is to act" in one.pane("notes")
        assert f"▶  {match.header.seats[asked]} " in one.pane("table")
        assert f"trick ▐{match.game.face(match.events[1].command.card).text}▌▐{card}▌" in one.pane("table")
        assert "Deal 1 · Trick 1" in one.pane("title")
        await one.press("end")
        for seat, points in enumerate(match.result.points):
            wins = " ★ wins" if seat in match.result.winners else ""
            assert f"{match.header.seats[seat]} {points} points{wins}" in " ".join(one.pane("notes").split())

    step(match, person)


def test_by_trick_and_deal_there_and_back():
    match = played("take_and_share", long=True)
    tricks, deals = begins(match, SectionKind.TRICK), begins(match, SectionKind.DEAL)
    assert len(deals) > 1

    async def person(one: Person) -> None:
        await one.press("k", "k", "k")
        assert one.at == tricks[2]
        await one.press("K")
        assert one.at == tricks[1]
        await one.press("d")
        assert one.at == deals[1]
        await one.press("D")
        assert one.at == deals[0]
        await one.press("D")
        assert one.at == deals[0]
        assert "No deal begins in this direction." in one.notices
        sections = sorted({*tricks, *deals})
        await one.press("pagedown")
        assert one.at == sections[1]
        await one.press("pageup")
        assert one.at == sections[0]

    step(match, person)


def test_by_turn_and_round():
    match = played("palace")
    turns = begins(match, SectionKind.TURN)

    async def person(one: Person) -> None:
        await one.press("t", "t", "T")
        assert one.at == turns[0]
        await one.press("r")
        assert one.at == turns[0]
        assert "No round begins in this match" in one.notices

    step(match, person)
    cake = played("cake")
    rounds = begins(cake, SectionKind.ROUND)

    async def another(one: Person) -> None:
        await one.press("r", "r", "r", "R")
        assert one.at == rounds[1]

    step(cake, another)


def test_to_a_number():
    match = played("take_and_share")

    async def person(one: Person) -> None:
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

    step(match, person)


def test_to_words_and_on_to_the_next():
    match = played("take_and_share")
    shares = [each.seq for each in match.steps if type(each.command).__name__ == "Share"]

    async def person(one: Person) -> None:
        await one.press("slash")
        await one.type("Shares OUT")
        await one.until(lambda: one.notices == f"shares out: 1 of {len(shares)}")
        assert one.at == shares[0]
        await one.press("n")
        await one.until(lambda: one.notices == f"shares out: 2 of {len(shares)}")
        assert one.at == shares[1]
        await one.press("N")
        await one.until(lambda: one.at == shares[0])
        await one.press("N")
        await one.until(lambda: "shares out: not found in this direction." in one.notices)
        assert one.at == shares[0]

    step(match, person)


def test_to_what_is_wrong():
    match = played("take_and_share", most=20)
    digest = Finding("digest", "the state after this event is not the recorded one", 7)
    rule = Finding("rule", "TS-2: …", 20, "TS-2")

    async def person(one: Person) -> None:
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

    step(reading_of(match, digest, rule), person)


def test_to_where_a_watched_value_changes():
    match = played("take_and_share")
    leads = [match.at(seq).state.lead for seq in range(-1, len(match.events))]
    changes = [seq for seq in range(len(match.events)) if leads[seq + 1] != leads[seq]]

    async def person(one: Person) -> None:
        await one.press("w")
        await one.type("lead")
        assert f"◎ lead {leads[0]}" in one.pane("notes")
        await one.press("c")
        await one.until(lambda: one.at == changes[0])
        await one.press("c")
        await one.until(lambda: one.at == changes[1])
        assert f"◎ lead {leads[changes[1] + 1]}" in one.pane("notes")
        await one.press("C")
        await one.until(lambda: one.at == changes[0])
        await one.press("w")
        await one.type("len(hands[0]) < 3")
        assert "◎ len(hands[0]) < 3 no" in one.pane("notes")
        await one.press("w")
        await one.type("nothing")
        assert "nothing: there is no 'nothing'" in one.notices
        await one.press("l", "w")
        await one.type("nothing")
        assert "nothing：「nothing」はない。" in one.notices
        await one.press("l", "w", "enter")
        assert "◎" not in one.pane("notes")

    step(match, person)


def test_a_notice_covers_nothing_but_the_keys_and_gives_them_their_line_back():
    async def person(one: Person) -> None:
        before = one.screen
        await one.press("x", "plus", "X")
        assert one.screen[:-1] == before[:-1]
        assert "Nothing is wrong in this direction" in one.screen[-1]
        one.app._drop_notice()
        await one.pilot.pause()
        assert one.screen == before
        one.app.show_notice("many words " * 14)
        await one.pilot.pause()
        assert [line for line in one.screen if "many words" in line] == one.screen[-2:]

    step(played("take_and_share", most=6), person)


def test_jumps_name_what_the_match_has():
    async def person(one: Person) -> None:
        await one.press("t")
        assert one.notices == "No turn begins in this match; there are: k Trick n, d Deal n"
        await one.press("l", "t")
        assert one.notices == "この対局に手番の区切りはない。あるもの：k 第nトリック、d 第nゲーム"
        await one.press("l", "question_mark")
        assert "k d  the next trick, deal" in one.screen_text
        assert "K D  the previous one" in one.screen_text

    step(played("take_and_share", most=20), person, size=(100, 40))


def test_it_plays_on_to_the_end_at_a_speed_and_pauses():
    match = played("take_and_share", most=6)

    async def person(one: Person) -> None:
        await one.press(*["plus"] * len(SPEEDS))
        assert "32 steps a second" in one.notices
        one.app.action_play()
        assert "‖" in one.pane("bar")
        assert "32/s" in one.pane("bar")
        await one.until(lambda: one.at == 5 and one.app.playing is None)
        assert "‖" not in one.pane("bar")
        one.app.action_play()
        assert (one.at, one.app.playing is None) == (-1, False)
        one.app.action_play()
        assert one.app.playing is None
        at = one.at
        await asyncio.sleep(0.1)
        assert one.at == at

    step(match, person)


def test_a_mouse_is_enough():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.pilot.click("#steps", offset=(8, 3))
        assert one.at == 1
        bar = one.app.query_one("#bar")
        await one.pilot.click("#bar", offset=(bar.bar_start + bar.bar_width - 1, 0))
        assert one.at == 70
        await one.pilot.click("#bar", offset=(bar.bar_start, 0))
        assert one.at == -1
        forward = one.pane("bar").index("▸")
        await one.pilot.click("#bar", offset=(forward, 0))
        await one.pilot.pause()
        assert one.at == 0
        line = next(y for y, line in enumerate(one.screen) if " Ren " in line)
        await one.pilot.click(offset=(one.screen[line].index("Ren"), line))
        await one.pilot.pause()
        assert one.app.navigation.viewer == 1
        await one.pilot.click("#keys", offset=(one.pane("keys").index("rules"), 0))
        await one.pilot.pause()
        assert "Rules" in one.screen_text

    step(match, person)


def test_the_full_sentence_of_a_rule_is_there_on_demand():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("right", "right", "enter")
        rule = match.steps[1].notes[0].rule
        seen = " ".join(one.screen_text.replace("│", " ").split())
        assert rule.number in seen
        assert rule.sentence[:30] in seen
        await one.press("escape", "home", "enter")
        assert "No rule is named at this step." in one.screen_text

    step(match, person)


def test_the_help_names_every_key_and_the_language_and_the_light_change():
    match = played("take_and_share")

    async def person(one: Person) -> None:
        await one.press("question_mark")
        for shown in ("a step back, forward", "fork: try another command", "quit"):
            assert shown in one.screen_text
        await one.press("escape", "l")
        assert "テイク" in one.pane("title") or "テーブル\uff08すべて公開\uff09" in one.pane("title")
        dark = one.app.palette
        await one.press("a")
        assert one.app.palette.dark is not dark.dark
        await one.press("question_mark")
        assert "ヘルプ" in one.screen_text

    step(match, person, size=(100, 40))
