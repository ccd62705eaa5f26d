"""The laws judge themselves: every mutant of a game must be caught by some law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain, product
from typing import Any

from attrs import frozen

from ..game import TABLE, AnyGame, Seat, Step, evolve
from ..game.timeline import effective
from ..match import AnyMatch
from ..match.bot import ObservationHistory
from .channels import differing, held, shown_of
from .laws_of_deals import deals_vary
from .laws_of_draws import draws_keep_to_the_history
from .laws_of_hints import hints_hold
from .laws_of_histories import (
    Dealt,
    a_history_suffices,
    deal_tells_no_more,
    deals_tell_all,
    deals_tell_no_more,
    same_to_viewer,
    side_by_side,
)
from .laws_of_information import determinizations_vary, nothing_leaks_at
from .laws_of_play import apply_is_pure, legal_and_apply_agree, no_card_is_lost, seats_of, somebody_can_act
from .laws_of_record import a_log_gives_the_match_again, is_refused
from .laws_of_scenes import parts_name_commands, scores_come_first, the_result_is_noted
from .laws_of_symmetry import form_is_public
from .laws_of_texts import (
    Needed,
    catalogues_agree,
    gathered,
    messages_are_there,
    needed_by,
    needed_by_case,
    needed_by_game,
)
from .mutants import Mutant, differing_spots
from .mutants_of_information import information_mutants
from .mutants_of_play import play_mutants
from .mutants_of_texts import text_mutants
from .play import prefix
from .survey import LONGER, Spot, Survey, fresh, rebased, replayed

Check = Callable[[], None]
Alike = tuple[Seat | None, Step[Any, Any], Step[Any, Any]]
"""A viewer, and two steps that its history does not tell apart."""
DRAWS = 4
FOCUS = 12
"""So many of the steps at which a mutant differs are looked at first."""
ENOUGH = 30
"""So many pairs of matches are evidence that a viewer knows from its history what a mutant shows it."""
HISTORIES = 4
"""So often a match is played beside those at which a mutant differs."""
MATCHES = 6
"""So many matches are looked at by the laws that take a whole one."""
AT_ONCE = {"view": 2, "determinize": 0}
"""At so many matches the laws of deals and of draws look before the steps, where most of what leaks shows."""


def mutants_of(survey: Survey) -> Iterator[Mutant]:
    """Yield every mutant of a game that its survey shows how to make."""
    yield from information_mutants(survey)
    yield from play_mutants(survey)
    yield from text_mutants(survey)


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


@frozen(eq=False)
class Trial:
    """A law on a mutant, and the same on the whole game: a law that the game itself breaks catches nothing."""

    law: str
    check: Check
    control: Check


class Judge:
    """Runs the laws on the mutants of one game."""

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        self._needed = needed_in(survey)

    def verdicts(self, mutants: Iterable[Mutant] | None = None) -> Iterator[Verdict]:
        """Yield what becomes of each mutant; None: of all that can be made of the game."""
        for mutant in mutants_of(self.survey) if mutants is None else mutants:
            yield self.verdict(mutant)

    def own_findings(self) -> list[str]:
        """Return what the laws find in the whole game, by the cheap ones: each law that it fails catches no mutant."""
        whole, words = self.survey.game, "8 everything has its words"
        checks: list[tuple[str, Check]] = [
            ("8 the languages agree", partial(catalogues_agree, whole)),
            (words, partial(messages_are_there, whole, self._needed)),
        ]
        for match in self.survey.matches[:2]:
            checks += [(name, partial(_on_copy, law, match)) for name, law in (*PLAY, *SHOWN)]
        found = {name: finding for name, check in checks if (finding := _finding(check)) is not None}
        return [f"  {name}: {finding}" for name, finding in found.items()]

    def verdict(self, mutant: Mutant) -> Verdict:
        """Run the laws on a mutant until one catches it."""
        words = mutant.broken == "texts"
        spots = [] if words else differing_spots(mutant, self.survey, FOCUS)
        trials = _case_trials(mutant, self.survey)
        if words:
            trials = _text_trials(mutant, self.survey, self._needed)
        elif spots:
            trials = chain(trials, _trials(mutant, self.survey, spots))
        for trial in trials:
            finding = _finding(trial.check)
            if finding is not None and _finding(trial.control) is None:
                return Verdict(mutant, trial.law, finding)
        if words:
            spots = differing_spots(mutant, self.survey, 1)
        if not spots:
            return Verdict(mutant, same=f"{mutant.otherwise} ({len(self.survey.spots)} steps compared)")
        pairs, apart = self._known_from_history(mutant, spots)
        if pairs < ENOUGH or apart:
            return Verdict(mutant)
        return Verdict(mutant, same=f"its history tells the viewer as much ({pairs} pairs of states compared)")

    def _known_from_history(self, mutant: Mutant, spots: list[Spot]) -> tuple[int, int]:
        """Count pairs of states that a viewer's history does not tell apart, and those in which the mutant does.

        Only pairs count of which the mutant shows the viewer something else than the whole game does.
        """
        found = (
            (_shown(mutant.game, step, viewer), _shown(mutant.game, other, viewer))
            for viewer, step, other in chain(_drawn_by_history(spots), self._pairs)
            if _shown(mutant.game, step, viewer) != _shown(self.survey.game, step, viewer)
        )
        counts = Counter(one == other for one, other in found) if mutant.broken in ("view", "explain") else Counter()
        return counts.total(), counts[False]

    @cached_property
    def _pairs(self) -> list[Alike]:
        """Steps of the whole game that a viewer cannot tell apart, by its history, though the states differ."""
        return list(self._found_pairs())

    def _found_pairs(self) -> Iterator[Alike]:
        for match, swaps in product(self.survey.matches, (2, 40)):
            for viewer in (None, *seats_of(match)):
                for pair in side_by_side(match, viewer, fresh("pairs"), swaps):
                    shown = (shown_of(step, viewer) for step in (pair.step, pair.other))
                    if not pair.momentary and pair.step.after != pair.other.after and differing(*shown) is None:
                        yield viewer, pair.step, pair.other


def _drawn_by_history(spots: list[Spot]) -> Iterator[Alike]:
    """Yield steps, and the same ones with a state after them that is drawn by a seat's history."""
    shuffler = fresh("by history")
    for spot in spots:
        hints, there = spot.step.game.hints, prefix(spot.match, spot.seq + 1)
        if hints is None:
            return
        for seat in seats_of(there):
            history = effective(ObservationHistory(there, seat).information_state().history)
            draw = hints.determinize_history(there.view(seat), history)
            yield from ((seat, spot.step, evolve(spot.step, after=draw(shuffler))) for _ in range(DRAWS))


def _shown(game: AnyGame, step: Step[Any, Any], viewer: Seat | None) -> Any:
    moved = evolve(step, game=game)
    return moved.command_for(viewer), moved.notes_for(viewer), held(game.view(step.after, viewer))


def _finding(check: Check) -> str | None:
    """Return what a law finds, in one line; None if it holds."""
    try:
        check()
    except AssertionError as finding:
        return str(finding).partition("\n")[0]
    except Exception as failure:  # a law stops at whatever a broken function raises
        return f"raised {failure!r}"
    return None


def needed_in(survey: Survey) -> Needed:
    """Return the messages that the survey's matches and cases need."""
    needed = needed_by_game(survey.game)
    refused = gathered(chain.from_iterable(needed_by_case(survey.game, case) for case in survey.cases))
    for key, times in chain(refused.items(), *(needed_by(match).items() for match in survey.matches)):
        needed[key] = needed.get(key, set()) | times
    return needed


Law = tuple[str, Callable[[AnyMatch], None]]
PLAY: list[Law] = [
    ("2 legal and apply agree", legal_and_apply_agree),
    ("3 somebody can act", somebody_can_act),
    ("4 no card is lost", no_card_is_lost),
    ("1 apply is pure", apply_is_pure),
]
SHOWN: list[Law] = [
    ("9 scores come first", scores_come_first),
    ("9 the last notes name the result", the_result_is_noted),
    ("9 parts name commands", parts_name_commands),
]
DRAWN: list[Law] = [
    ("5 deals tell no more", deals_tell_no_more),
    ("5 deals tell all", deals_tell_all),
    ("5 a history suffices", a_history_suffices),
    ("5 form is public", form_is_public),
    ("5 draws vary", determinizations_vary),
    ("5 deals vary", deals_vary),
]
HINTS: list[Law] = [
    ("5 draws keep to the history", draws_keep_to_the_history),
    ("5 hints hold", hints_hold),
]
RECORD: list[Law] = [("6 a log gives the match again", a_log_gives_the_match_again)]
FIRST: dict[str, list[Law]] = {
    **dict.fromkeys(("result", "scene", "parts"), SHOWN),
    **dict.fromkeys(("priors", "determinize_history"), HINTS),
    **dict.fromkeys(("legal", "apply"), PLAY),
    "to_act": [("3 somebody can act", somebody_can_act)],
    "determinize": [("5 draws vary", determinizations_vary)],
    "deal": DRAWN[-1:],
    "view": DRAWN[:2],
}


def _case_trials(mutant: Mutant, survey: Survey) -> Iterator[Trial]:
    for case in survey.cases if mutant.plays else ():
        yield Trial(
            "7 cases are refused", partial(is_refused, mutant.game, case), partial(is_refused, survey.game, case)
        )


def _text_trials(mutant: Mutant, survey: Survey, needed: Needed) -> Iterator[Trial]:
    game, whole = mutant.game, survey.game
    yield Trial("8 the languages agree", partial(catalogues_agree, game), partial(catalogues_agree, whole))
    words = "8 everything has its words"
    yield Trial(words, partial(messages_are_there, game, needed), partial(messages_are_there, whole, needed))


def _trials(mutant: Mutant, survey: Survey, spots: list[Spot]) -> Iterator[Trial]:
    """Yield the laws on the mutant, those first that are about what is broken."""
    game, whole = mutant.game, list(survey.matches)
    moved = dict(zip(map(id, whole), survey.of(game).matches, strict=True))
    if mutant.plays:
        longest = max(len(match.events) for match in whole)
        own = {id(match): replayed(match, game, LONGER * longest) for match in whole[:MATCHES]}
    else:
        own = moved
    first = FIRST.get(mutant.broken, [])
    looked = list({id(spot.match): spot.match for spot in spots}.values())
    at_once = looked[: AT_ONCE.get(mutant.broken)]
    unlike = [match for match in whole if id(match) in own and (mutant.plays or match not in at_once)]
    if mutant.plays:
        yield from _on_matches(first, unlike, own)
    yield from _on_matches(first, at_once, moved)
    for spot in spots:
        there = Spot(moved[id(spot.match)], spot.seq)
        for viewer in spot.viewers:
            yield Trial("5 nothing leaks", partial(_at_spot, there, viewer), partial(_at_spot, spot, viewer))
    if not mutant.plays:
        yield from _on_matches(first, unlike, own)
    for match in looked:
        for number in range(HISTORIES):
            every = partial(_every_history, f"history {number}")
            yield from _on_matches([("5 a history suffices", every)], [match], moved)
    others = [law for law in chain(PLAY, DRAWN, SHOWN, HINTS, RECORD) if law not in first]
    yield from _on_matches(others, looked, moved)
    yield from _on_matches(others, [match for match in whole[:MATCHES] if id(match) in own], own)


def _at_spot(spot: Spot, viewer: Seat | None) -> None:
    step, shuffler = spot.step, fresh("judge")
    if step.seat == TABLE:
        deal_tells_no_more(Dealt(step.game, step.before, step.command), viewer, shuffler)
    nothing_leaks_at(step, viewer, seats_of(spot.match), shuffler)


def _every_history(purpose: str, match: AnyMatch) -> None:
    shuffler = fresh(purpose)
    for viewer in (None, *seats_of(match)):
        for pair in side_by_side(match, viewer, shuffler, 1):
            same_to_viewer(pair)


def _on_matches(laws: list[Law], matches: list[AnyMatch], broken: Mapping[int, AnyMatch]) -> Iterator[Trial]:
    for name, law in laws:
        for match in matches:
            yield Trial(name, partial(_on_copy, law, broken[id(match)]), partial(_on_copy, law, match))


def _on_copy(law: Callable[[AnyMatch], None], match: AnyMatch) -> None:
    """Run a law on a copy: one that takes back, or plays on, changes the match."""
    law(rebased(match, match.game))
