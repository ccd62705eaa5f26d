"""The laws of a game as one class of tests: `TestLaws = game_laws(GAME, cases=CASES, golden=FOLDER)`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ..game import Game, Note
from ..match import AnyMatch
from .case import Case
from .judge import Judge, needed_in
from .laws_of_deals import deals_vary
from .laws_of_draws import draws_keep_to_the_history
from .laws_of_hints import hints_hold, hints_hold_throughout
from .laws_of_histories import a_history_suffices, deals_tell_all, deals_tell_no_more
from .laws_of_information import determinizations_vary, nothing_leaks, nothing_leaks_at
from .laws_of_options import every_option_counts
from .laws_of_passing_views import passing_views_are_told
from .laws_of_play import (
    agree_where_it_is_rare,
    apply_is_pure,
    legal_and_apply_agree,
    no_card_is_lost,
    seats_of,
    somebody_can_act,
)
from .laws_of_record import (
    a_log_gives_the_match_again,
    every_rule_is_at_work,
    golden_matches,
    golden_notes,
    is_refused,
    notes_of,
    whatever_the_hash_seed,
)
from .laws_of_scenes import (
    learners_can_name_commands,
    lists_have_room,
    parts_are_ones_own,
    parts_name_commands,
    scores_come_first,
    scores_come_last,
    the_result_is_noted,
)
from .laws_of_symmetry import form_is_public
from .laws_of_texts import catalogues_agree, messages_are_there
from .laws_of_words import every_field_has_a_meaning
from .mutation_report import MutationReport, surveyed
from .play import pick, shuffler_of
from .strategies import Choices, commands, directed_matches, matches, option_sets
from .survey import Survey

SURVEYED = 12
"""So many matches of random play are surveyed for law 10, however few examples the other laws have."""
SETS = 60
"""So many sets of options are drawn, of which one may matter only under another."""
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def game_laws(
    game: Game[Any, Any, Any],
    *,
    options: Choices | None = None,
    cases: Iterable[Case] = (),
    golden: str | os.PathLike[str] | None = None,
    examples: int | None = None,
) -> type:
    """Make the test class of a game: one test for each law, over random matches of every number of seats.

    `options` gives strategies, or single values, for options that `option_sets` cannot draw. `cases` break the
    prohibitions of the book, and `golden` is the folder of the logs whose notes show its other rules; without it the
    notes of the random matches do. `examples` is the number of matches a law; without it Hypothesis' own profile
    decides. Law 10 judges by the same matches whatever it is.
    """
    broken = tuple(cases)
    for case in broken:
        game.rule(case.number)  # raises `GameError` if there is none
    sample = Sample(game, options, broken, golden, examples)
    by_subject: list[Any] = [laws(sample) for laws in SUBJECTS]

    class Laws(*by_subject):  # type: ignore[misc]
        """The laws of `docs/architecture.md`, by number."""

        def test_10_every_mutant_is_caught(self) -> None:
            judge = Judge(sample.looked_at)
            findings = judge.own_findings()
            assert not findings, "the game itself fails, so no mutant is judged:\n" + "\n".join(findings)
            report = MutationReport(game.name, tuple(judge.verdicts()))
            print(report)  # noqa: T201 (the table: `pytest -rP` shows it)
            assert not report.survivors, (
                f"{len(report.survivors)} mutants of {game.name} survive: no law notices that\n"
                + "\n".join(f"  {each.mutant}" for each in report.survivors)
            )

    Laws.__name__ = Laws.__qualname__ = "TestLaws"
    return Laws


def _guard(sample: Sample, judged: Callable[[Survey], bool], nothing: str) -> Callable[[Callable[[Any], None]], Any]:
    """Skip the test of a law where the matches that were looked at have nothing that it judges."""

    def guarded(test: Callable[[Any], None]) -> Callable[[Any], None]:
        def judge(self: Any) -> None:
            if not judged(sample.few_looked_at):
                pytest.skip(f"nothing to judge: {nothing}")
            test(self)

        return judge

    return guarded


def _skip_without(there: object, nothing: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(not there, reason=f"nothing to judge: {nothing}")


class Sample:
    """What is drawn of one game, and how much of it, for the tests of the laws."""

    def __init__(
        self,
        game: Game[Any, Any, Any],
        options: Choices | None,
        cases: tuple[Case, ...],
        golden: str | os.PathLike[str] | None,
        examples: int | None,
    ) -> None:
        self.game, self.cases, self.golden, self._options = game, cases, golden, options
        self.chosen = settings(
            deadline=None,
            phases=[
                phase for phase in settings().phases if phase is not Phase.explain
            ],  # it explains the laws, not the game
            report_multiple_bugs=False,  # one sentence at a time
            suppress_health_check=SLOW,
            max_examples=settings().max_examples if examples is None else examples,
        )
        self.fewer = settings(self.chosen, max_examples=max(1, self.chosen.max_examples // 4))
        self.sets = option_sets(game, options=options)
        self.some = matches(game, options=options)
        self.whole = matches(game, options=options, whole=True)
        self.rare = directed_matches(game, options=options)
        self.wild = st.lists(commands(game), max_size=6)
        self.no_deals = _skip_without(game.has_deal, "this game has no deal")
        self.no_cards = _skip_without(game.has_cards, "this game has no cards that stay")
        self.no_hints = _skip_without(game.hints, "this game has no hints for bots")
        self.no_golden = _skip_without(golden is not None, "no golden logs are given")
        self.if_it_hides = _guard(self, lambda survey: survey.hides, "nothing is hidden from anybody")
        no_cards = "`cards` of this game, which has no deal, yields nothing"
        self.if_it_keeps = _guard(self, lambda survey: survey.keeps, no_cards)

    @cached_property
    def few_looked_at(self) -> Survey:
        """A survey of a few matches, for all laws but the tenth."""
        return self._look(min(self.chosen.max_examples, SURVEYED // 2))

    @cached_property
    def looked_at(self) -> Survey:
        """The survey for law 10."""
        return self._look(SURVEYED)

    def _look(self, examples: int) -> Survey:
        return surveyed(self.game, options=self._options, cases=self.cases, golden=self.golden, examples=examples)

    def golden_matches(self) -> Iterable[AnyMatch]:
        """Return the matches of the golden logs; none without a folder of them."""
        return () if self.golden is None else golden_matches(self.game, self.golden)


def _laws_of_play(sample: Sample) -> type:
    class Play:
        """Laws 1 to 4: what every state and every command keep to."""

        @sample.chosen
        @given(match=sample.some, wild=sample.wild)
        def test_1_apply_is_pure(self, match: AnyMatch, wild: list[Any]) -> None:
            apply_is_pure(match, wild)

        @sample.chosen
        @given(match=sample.some, wild=sample.wild)
        def test_2_legal_and_apply_agree(self, match: AnyMatch, wild: list[Any]) -> None:
            legal_and_apply_agree(match, wild)

        @sample.fewer
        @given(match=sample.rare)
        def test_2_legal_and_apply_agree_in_rare_states(self, match: AnyMatch) -> None:
            agree_where_it_is_rare(match)

        @sample.chosen
        @given(match=sample.whole)
        def test_3_somebody_can_act(self, match: AnyMatch) -> None:
            somebody_can_act(match)

        @sample.no_cards
        @sample.if_it_keeps
        @sample.chosen
        @given(match=sample.whole)
        def test_4_no_card_is_lost(self, match: AnyMatch) -> None:
            no_card_is_lost(match)

    return Play


def _laws_of_information(sample: Sample) -> type:
    class Information:
        """Law 5: nobody learns, in whatever way, what no view shows."""

        @sample.chosen
        @given(match=sample.some, wild=sample.wild)
        def test_5_nothing_leaks(self, match: AnyMatch, wild: list[Any]) -> None:
            nothing_leaks(match, wild)

        def test_5_nothing_leaks_at_any_kind_of_step(self) -> None:
            for spot in sample.few_looked_at.spots:
                shuffler = shuffler_of(spot.match, f"step {spot.seq}")
                for viewer in pick(shuffler, spot.viewers, max(2, sample.chosen.max_examples // 40)):
                    nothing_leaks_at(spot.step, viewer, seats_of(spot.match), shuffler)

        @sample.no_deals
        @sample.chosen
        @given(match=sample.some)
        def test_5_deals_tell_no_more(self, match: AnyMatch) -> None:
            deals_tell_no_more(match)

        @sample.no_deals
        @sample.fewer
        @given(match=sample.whole)
        def test_5_deals_vary(self, match: AnyMatch) -> None:
            deals_vary(match)

        @sample.no_deals
        @sample.chosen
        @given(match=sample.some)
        def test_5_deals_tell_all(self, match: AnyMatch) -> None:
            deals_tell_all(match)

        @sample.fewer
        @given(match=sample.some)
        def test_5_a_history_suffices(self, match: AnyMatch) -> None:
            a_history_suffices(match)

        def test_5_passing_views_are_told(self) -> None:
            for match in (*sample.few_looked_at.matches, *sample.golden_matches()):
                passing_views_are_told(match)

        @sample.if_it_hides
        @sample.fewer
        @given(match=sample.whole)
        def test_5_form_is_public(self, match: AnyMatch) -> None:
            form_is_public(match)

    return Information


def _laws_of_draws(sample: Sample) -> type:
    class Draws:
        """Law 5 for bots: what is drawn of the hidden agrees with what a seat knows, and hints judge by no more."""

        @sample.if_it_hides
        @sample.fewer
        @given(match=sample.whole)
        def test_5_draws_vary(self, match: AnyMatch) -> None:
            determinizations_vary(match)

        @sample.no_hints
        @sample.fewer
        @given(match=sample.whole)
        def test_5_hints_hold(self, match: AnyMatch) -> None:
            hints_hold(match)

        @sample.no_hints
        @sample.no_golden
        def test_5_hints_hold_throughout_golden_logs(self) -> None:
            for match in sample.golden_matches():
                hints_hold_throughout(match)

        @sample.no_hints
        @sample.fewer
        @given(match=sample.whole)
        def test_5_draws_keep_to_the_history(self, match: AnyMatch) -> None:
            draws_keep_to_the_history(match)

    return Draws


def _laws_of_record(sample: Sample) -> type:
    class Record:
        """Laws 6 and 7: a log gives the match again, and shows every rule at work."""

        @sample.chosen
        @given(match=sample.some)
        def test_6_a_log_gives_the_match_again(self, match: AnyMatch) -> None:
            a_log_gives_the_match_again(match)

        def test_6_whatever_the_hash_seed(self) -> None:
            whatever_the_hash_seed(sample.game)

        @pytest.mark.parametrize("case", sample.cases, ids=str)
        def test_7_case(self, case: Case) -> None:
            is_refused(sample.game, case)

        def test_7_every_option_counts(self) -> None:
            sets: list[Any] = []
            settings(sample.chosen, max_examples=SETS)(given(sample.sets)(lambda drawn: sets.append(drawn)))()
            every_option_counts(sample.game, sets)

        def test_7_every_rule_is_at_work(self) -> None:
            if sample.golden is not None:
                every_rule_is_at_work(
                    sample.game,
                    sample.cases,
                    golden_notes(sample.game, sample.golden),
                    f"a golden log of {sample.golden}",
                )
                return
            notes: set[Note] = set()
            sample.chosen(given(sample.whole)(lambda match: notes.update(notes_of(match))))()
            every_rule_is_at_work(sample.game, sample.cases, notes, "the matches played at random")

    return Record


def _laws_of_appearance(sample: Sample) -> type:
    class Appearance:
        """Laws 8 and 9: everything has its words and can be shown."""

        def test_8_every_field_has_a_meaning(self) -> None:
            every_field_has_a_meaning(sample.game)

        def test_8_the_languages_agree(self) -> None:
            catalogues_agree(sample.game)

        def test_8_everything_has_its_words(self) -> None:
            messages_are_there(sample.game, needed_in(sample.few_looked_at))

        @sample.chosen
        @given(match=sample.some)
        def test_9_a_frontend_can_show_and_play_it(self, match: AnyMatch) -> None:
            scores_come_first(match)
            the_result_is_noted(match)
            parts_name_commands(match)

        @sample.chosen
        @given(match=sample.whole)
        def test_9_whole_matches_can_be_shown(self, match: AnyMatch) -> None:
            scores_come_last(match)
            the_result_is_noted(match)
            lists_have_room(match)
            learners_can_name_commands(match)
            parts_are_ones_own(match)

        @sample.no_golden
        def test_9_golden_logs_are_shown(self) -> None:
            for match in sample.golden_matches():
                scores_come_first(match)
                the_result_is_noted(match)
                lists_have_room(match)

    return Appearance


SUBJECTS = (_laws_of_play, _laws_of_information, _laws_of_draws, _laws_of_record, _laws_of_appearance)
