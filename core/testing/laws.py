"""The laws of a game as one class of tests: `TestLaws = game_laws(GAME, cases=CASES, golden=FOLDER)`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..game import Game, Note, hints_of, is_numbered
from ..match import AnyMatch
from ..match.registry import find as find_installed
from ..trace.golden import check
from ..trace.golden import golden_logs as find_logs
from .judging import GOLDEN, LAWS, Judge, Law, MutationReport
from .laws_of_draws import hints_hold_throughout
from .laws_of_play import (
    a_match_begins,
    decks_last,
    everything_answers,
    golden_logs_can_be_played,
    matches_end,
)
from .laws_of_record import (
    Case,
    every_command_comes_up,
    every_option_counts,
    every_rule_is_at_work,
    golden_matches,
    is_refused,
    notes_of,
    whatever_the_hash_seed,
)
from .laws_of_sight import nothing_leaks_at, secrets_are_kept
from .laws_of_texts import catalogues_agree, every_field_has_a_meaning, messages_are_there, needed_in
from .mutants import mutants_of
from .play import pick, seats_of, shuffler_of, told_where
from .samples import Choices, Survey, commands, directed_matches, matches, option_sets, surveyed

SURVEYED = 12
"""So many matches of random play are surveyed for law 10, however few examples the other laws have."""
LONG = 100
"""With so many examples law 10 breaks what is derived, too, which keeps the laws in every game."""
SETS = 60
"""So many sets of options are drawn, of which one may matter only under another."""
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


class Sample:
    """What is drawn of one game, and how much of it, for the tests of the laws."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        options: Choices | None,
        cases: tuple[Case, ...],
        golden: str | os.PathLike[str] | None,
        examples: int | None,
        *,
        endless: bool = False,
    ) -> None:
        self.game, self.cases, self.golden, self.endless, self._options = game, cases, golden, endless, options
        self.chosen = settings(
            deadline=None,
            phases=[each for each in settings().phases if each is not Phase.explain],  # it explains the laws
            report_multiple_bugs=False,  # one sentence at a time
            suppress_health_check=SLOW,
            max_examples=settings().max_examples if examples is None else examples,
        )
        self.fewer = settings(self.chosen, max_examples=max(1, self.chosen.max_examples // 4))
        self.sets = option_sets(game, options=options)
        self.matches = {
            "any": matches(game, options=options),
            "whole": matches(game, options=options, whole=True),
            "rare": directed_matches(game, options=options),
        }

    @cached_property
    def few(self) -> Survey:
        """A survey of a few matches, for all laws but the seventh and the tenth."""
        return self._look(min(self.chosen.max_examples, SURVEYED // 2))

    @cached_property
    def many(self) -> Survey:
        """A survey of more."""
        return self._look(SURVEYED)

    def _look(self, examples: int) -> Survey:
        return surveyed(self.game, options=self._options, cases=self.cases, golden=self.golden, examples=examples)

    def golden_matches(self) -> Iterable[AnyMatch]:
        """Return the matches of the golden logs; none without a folder of them."""
        return () if self.golden is None else golden_matches(self.game, self.golden)


NEEDS: dict[str, tuple[Callable[[Sample], object], str]] = {
    "deals": (lambda sample: sample.game.has_deal, "this game has no deal"),
    "cards": (lambda sample: sample.game.has_cards, "this game has no cards that stay"),
    "hints": (lambda sample: hints_of(sample.game), "this game has no hints for bots"),
    "book": (lambda sample: is_numbered(sample.game.book), "this game does not number its rules"),
    "golden": (lambda sample: sample.golden is not None, "no golden logs are given"),
    "an end": (lambda sample: not sample.endless, "matches of this game need not end"),
    "secrets": (lambda sample: sample.few.hides, "nothing is hidden from anybody"),
    "things": (
        lambda sample: sample.game.has_deal or sample.few.has_cards,
        "`cards` of this game, which has no deal, yields nothing",
    ),
}
"""What a law may need to have something to judge, and what is said where it is not there."""


def _everything_answers(sample: Sample) -> None:
    for match in sample.few.matches:
        everything_answers(match)


def _decks_last(sample: Sample) -> None:
    if nothing := decks_last(sample.few.matches):
        pytest.skip(f"nothing to judge: {nothing}")


def _nothing_leaks_at_any_kind_of_step(sample: Sample) -> None:
    for spot in sample.few.spots:
        shuffler = shuffler_of(spot.match, f"step {spot.seq}")
        for viewer in pick(shuffler, spot.viewers, max(2, sample.chosen.max_examples // 40)):
            with told_where(spot.match):
                nothing_leaks_at(spot.step, viewer, seats_of(spot.match), shuffler)


def _hints_hold_throughout(sample: Sample) -> None:
    for match in sample.golden_matches():
        with told_where(match):
            hints_hold_throughout(match)


def _every_option_counts(sample: Sample) -> None:
    sets: list[Any] = []
    settings(sample.chosen, max_examples=SETS)(given(sample.sets)(lambda drawn: sets.append(drawn)))()
    every_option_counts(sample.game, sets, sample.many.matches)


def _every_rule_is_at_work(sample: Sample) -> None:
    if sample.golden is not None:
        notes: Iterable[Note] = (note for match in sample.golden_matches() for note in notes_of(match))
        where = f"a golden log of {sample.golden}"
    else:
        found: set[Note] = set()
        sample.chosen(given(sample.matches["whole"])(lambda match: found.update(notes_of(match))))()
        notes, where = found, "the matches played at random"
    every_rule_is_at_work(sample.game, sample.cases, notes, where)


def _golden_logs_are_shown(sample: Sample) -> None:
    for match in sample.golden_matches():
        GOLDEN.judge(match)


def _every_mutant_is_caught(sample: Sample) -> None:
    judge = Judge(sample.many)
    findings = judge.own_findings()
    assert not findings, "the game itself fails, so no mutant is judged:\n" + "\n".join(findings)
    is_long = sample.chosen.max_examples >= LONG
    report = MutationReport(sample.game.name, tuple(judge.verdicts(mutants_of(sample.many, by_hand=not is_long))))
    print(report)  # noqa: T201 (the table: `pytest -rP` shows it)
    assert not report.survivors, (
        f"{len(report.survivors)} mutants of {sample.game.name} survive: no law notices that\n"
        + "\n".join(f"  {each.mutant}" for each in report.survivors)
    )


ONCE: tuple[tuple[str, Callable[[Sample], None], tuple[str, ...]], ...] = (
    ("0 a match begins", lambda sample: a_match_begins(sample.game), ()),
    ("0 everything answers", _everything_answers, ()),
    (
        "0 golden logs can be played",
        lambda sample: golden_logs_can_be_played(sample.game, sample.golden or ""),
        ("golden",),
    ),
    ("0 a match ends", lambda sample: matches_end(sample.few.matches), ("an end",)),
    ("4 a deck is dealt from again", _decks_last, ("cards", "deals")),
    ("5 nothing leaks at any kind of step", _nothing_leaks_at_any_kind_of_step, ()),
    ("5 secrets are kept", lambda sample: secrets_are_kept(sample.few.matches), ()),
    ("5 hints hold throughout golden logs", _hints_hold_throughout, ("hints", "golden")),
    ("6 whatever the hash seed", lambda sample: whatever_the_hash_seed(sample.game), ()),
    ("7 every option counts", _every_option_counts, ()),
    ("7 every command comes up", lambda sample: every_command_comes_up(sample.game, sample.many.matches), ()),
    ("7 every rule is at work", _every_rule_is_at_work, ("book",)),
    ("8 every field has a meaning", lambda sample: every_field_has_a_meaning(sample.game), ()),
    ("8 the languages agree", lambda sample: catalogues_agree(sample.game), ()),
    (
        "8 everything has its words",
        lambda sample: messages_are_there(sample.game, needed_in(sample.game, sample.few.matches, sample.cases)),
        (),
    ),
    ("9 golden logs are shown", _golden_logs_are_shown, ("golden",)),
    ("10 every mutant is caught", _every_mutant_is_caught, ()),
)
"""The laws of the game as a whole, each with what it needs."""


def game_laws(
    game: Game[Any, Any, Any],
    *,
    options: Choices | None = None,
    cases: Iterable[Case] = (),
    golden: str | os.PathLike[str] | None = None,
    examples: int | None = None,
    endless: bool = False,
) -> type:
    """Make the test class of a game: one test for each law, over random matches of every number of seats.

    `options` gives strategies, or single values, for options that `option_sets` cannot draw. `cases` break the
    prohibitions of the book, and `golden` is the folder of the logs whose notes show its other rules; without it the
    notes of the random matches do. `examples` is the number of matches a law; without it Hypothesis' own profile
    decides. Law 10 judges by the same matches whatever it is, and with fewer than 100 breaks only what is written by
    hand. With `endless` no match need come to an end.

    The tests run in the order of causes: does a match begin, does it end, is `apply` pure, do `legal` and `apply`
    agree, is nothing lost, does nothing leak, does everything have its words. What fails first is the cause.
    """
    broken = tuple(cases)
    for case in broken:
        game.rule(case.number)  # raises `GameError` if there is none
    sample = Sample(game, options, broken, golden, examples, endless=endless)
    tests = sorted(_tests(sample), key=lambda named: int(named[0].partition(" ")[0]))
    named = {f"test_{name.replace(' ', '_')}": test for name, test in tests}
    return type("TestLaws", (), {"__doc__": "The laws of `docs/architecture.md`, in the order of causes.", **named})


def _tests(sample: Sample) -> Iterator[tuple[str, Callable[..., None]]]:
    """Yield the test of each law, by its name."""
    for law in LAWS:
        yield law.name, _guarded(sample, law.needs, _test_of_matches(sample, law))
    for name, once, needs in ONCE:
        yield name, _guarded(sample, needs, _test_of_all(sample, once))
    yield "7 case", _test_of_cases(sample)


def _test_of_matches(sample: Sample, law: Law) -> Callable[[Any], None]:
    drawn: dict[str, st.SearchStrategy[Any]] = {"match": sample.matches[law.of]}
    if law.wild:
        drawn["wild"] = st.lists(commands(sample.game), max_size=6)

    def test(self: Any, match: AnyMatch, **wild: Any) -> None:  # noqa: ARG001 (pytest's)
        law.judge(match, *wild.values())

    made: Callable[[Any], None] = (sample.fewer if law.fewer else sample.chosen)(given(**drawn)(test))
    return made


def _test_of_all(sample: Sample, once: Callable[[Sample], None]) -> Callable[[Any], None]:
    def test(self: Any) -> None:  # noqa: ARG001 (pytest marks no lambda)
        once(sample)

    return test


def _test_of_cases(sample: Sample) -> Callable[..., None]:
    @pytest.mark.parametrize("case", sample.cases, ids=str)
    def test(self: Any, case: Case) -> None:  # noqa: ARG001
        is_refused(sample.game, case)

    made: Callable[..., None] = test
    return made


def _guarded(sample: Sample, needs: tuple[str, ...], test: Callable[[Any], None]) -> Callable[[Any], None]:
    """Skip the test of a law that has nothing to judge."""

    def guarded(self: Any) -> None:
        for need in needs:
            is_there, nothing = NEEDS[need]
            if not is_there(sample):
                pytest.skip(f"nothing to judge: {nothing}")
        test(self)

    return guarded if needs else test


def golden_logs(folder: str | os.PathLike[str], game: Game[Any, Any, Any] | None = None) -> Callable[[Path], None]:
    """Return a test of every log in a folder: `test_golden = golden_logs(FOLDER)`.

    Beside each `NAME.log` lie `NAME.trace` and `NAME.json`: its states, and its audit. With `game`, the game need not
    be installed.
    """
    logs = [path for path in find_logs(Path(folder)) if path.parent == Path(folder)]
    assert logs, f"there are no golden logs in {folder}"

    @pytest.mark.parametrize("path", logs, ids=[path.stem for path in logs])
    def test_golden(path: Path) -> None:
        found = check(path, find_installed if game is None else lambda _: game)
        assert found.ok, "\n".join([f"{path.name} differs from what is stored beside it", *found.lines()])

    return test_golden
