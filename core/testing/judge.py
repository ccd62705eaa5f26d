"""The laws judge themselves: every mutant of a game must be caught by some law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from attrs import frozen

from ..game import TABLE, Game, RuleViolation
from .channels import step_of
from .laws_of_hints import hints_hold
from .laws_of_histories import a_history_suffices, deals_are_told, first_deals_vary
from .laws_of_information import determinizations_vary, nothing_leaks_at
from .laws_of_play import apply_is_pure, legal_and_apply_agree, no_card_is_lost, seats_of, somebody_can_act
from .laws_of_record import a_log_gives_the_match_again, is_refused
from .laws_of_scenes import parts_name_commands, scores_come_first, the_result_is_told
from .laws_of_symmetry import form_is_public
from .laws_of_texts import Needed, catalogues_agree, messages_are_there, needed_by, needed_by_game
from .mutants import Mutant, differing_spots, mutants_of
from .survey import AnyMatch, Spot, Survey, fresh, replayed

AnyGame = Game[Any, Any, Any]
Check = Callable[[], None]
FOCUS = 12
"""So many of the steps at which a mutant differs are looked at first."""
MATCHES = 6
"""So many matches are looked at by the laws that take a whole one."""


@frozen(eq=False)
class Verdict:
    """What became of a mutant: the law that caught it, or why it cannot be told from its game; or neither."""

    mutant: Mutant
    law: str | None = None
    finding: str = ""
    same: str | None = None

    @property
    def survives(self) -> bool:
        return self.law is None and self.same is None


def judge(mutants: Iterable[Mutant], survey: Survey) -> list[Verdict]:
    """Run the laws on each mutant until one catches it."""
    needed = needed_in(survey)
    return [_judged(mutant, survey, needed) for mutant in mutants]


def judge_all(survey: Survey) -> list[Verdict]:
    """Judge every mutant of the game that was surveyed."""
    return judge(mutants_of(survey), survey)


def needed_in(survey: Survey) -> Needed:
    """Return the messages that the survey's matches need."""
    needed = needed_by_game(survey.game)
    for match in survey.matches:
        for key, values in needed_by(match).items():
            needed[key] = needed.get(key, values) & values
    return needed


def _judged(mutant: Mutant, survey: Survey, needed: Needed) -> Verdict:
    words = mutant.broken == "texts"
    spots = [] if words else differing_spots(mutant, survey, FOCUS)
    if not spots and not words:
        return Verdict(mutant, same=f"{mutant.otherwise} ({len(survey.spots)} steps compared)")
    for law, check in _laws(mutant, survey, spots, needed):
        try:
            check()
        except AssertionError as finding:
            return Verdict(mutant, law, str(finding).partition("\n")[0])
        except Exception as failure:  # a law stops at whatever a broken function raises
            return Verdict(mutant, law, f"raised {failure!r}")
    if words and not differing_spots(mutant, survey, 1):
        return Verdict(mutant, same=f"{mutant.otherwise} ({len(survey.spots)} steps compared)")
    return Verdict(mutant)


Law = tuple[str, Callable[[AnyMatch], None]]
PLAY: list[Law] = [
    ("2 legal and apply agree", legal_and_apply_agree),
    ("3 somebody can act", somebody_can_act),
    ("4 no card is lost", no_card_is_lost),
    ("1 apply is pure", apply_is_pure),
]
SHOWN: list[Law] = [
    ("9 scores come first", scores_come_first),
    ("9 the result is told", the_result_is_told),
    ("9 parts name commands", parts_name_commands),
]
DRAWN: list[Law] = [
    ("5 deals are told", deals_are_told),
    ("5 a history suffices", a_history_suffices),
    ("5 form is public", form_is_public),
    ("5 draws vary", determinizations_vary),
    ("5 deals vary", first_deals_vary),
]
HINTS: list[Law] = [("5 hints hold", hints_hold)]
RECORD: list[Law] = [("6 a log gives the match again", a_log_gives_the_match_again)]
FIRST = {
    **dict.fromkeys(("result", "scene", "parts"), SHOWN),
    **dict.fromkeys(("priors", "determinize_history"), HINTS),
    **dict.fromkeys(("legal", "apply", "to_act"), PLAY),
    "deal": DRAWN[-1:],
}


def _laws(mutant: Mutant, survey: Survey, spots: list[Spot], needed: Needed) -> Iterator[tuple[str, Check]]:
    """Yield the laws on the mutant, those first that are about what is broken."""
    game = mutant.game
    if mutant.broken == "texts":
        yield "8 the languages agree", lambda: catalogues_agree(game)
        yield "8 everything has its words", lambda: messages_are_there(game, needed)
        return
    if mutant.plays:
        yield from (("7 cases are refused", _refuses(game, case)) for case in survey.cases)
        longest = max(len(match.events) for match in survey.matches)
        own = [replayed(match, game, 2 * longest) for match in survey.matches[:MATCHES]]
    else:
        own = list(survey.of(game).matches)
    moved = dict(zip(map(id, survey.matches), survey.of(game).matches, strict=True))
    looked = [Spot(moved[id(spot.match)], spot.seq) for spot in spots]
    first = FIRST.get(mutant.broken, [])
    yield from _on_matches(first, [*dict.fromkeys(spot.match for spot in looked), *own])
    yield from _on_spots(looked)
    others = [law for law in chain(PLAY, DRAWN, SHOWN, HINTS, RECORD) if law not in first]
    yield from _on_matches(others, [*own[:MATCHES], *dict.fromkeys(spot.match for spot in looked)])


def _refuses(game: AnyGame, case: Any) -> Check:
    return lambda: is_refused(game, case)


def _on_matches(laws: list[Law], matches: list[AnyMatch]) -> Iterator[tuple[str, Check]]:
    for name, law in laws:
        for match in matches:
            yield name, lambda law=law, match=match: law(match)  # type: ignore[misc]


def _on_spots(spots: list[Spot]) -> Iterator[tuple[str, Check]]:
    for spot in spots:
        for viewer in spot.viewers:
            yield "5 nothing leaks", lambda spot=spot, viewer=viewer: nothing_leaks_at(spot.step, viewer, seats_of(spot.match), fresh("judge"))  # type: ignore[misc]
