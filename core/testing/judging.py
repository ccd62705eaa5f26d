"""The laws of every match, what they make of a game's mutants, and that as a table.

Tests hold the laws against matches drawn at random; a judge holds them against mutants.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain, product
from os import PathLike
from typing import Any, Literal

from attrs import frozen

from ..game import TABLE, AnyGame, AnyStep, Game, evolve, hints_of
from ..game.timeline import effective
from ..match import AnyMatch
from ..match.bot import ObservationHistory
from .channels import held, leaves
from .laws_of_chance import deals_vary, determinizations_vary
from .laws_of_draws import form_is_public, hints_hold
from .laws_of_play import (
    agree_where_it_is_rare,
    apply_is_pure,
    legal_and_apply_agree,
    no_card_is_lost,
    nobody_loses_what_it_has_not,
    somebody_can_act,
)
from .laws_of_record import Case, a_log_gives_the_match_again, is_refused
from .laws_of_scenes import (
    learners_can_name_commands,
    lists_have_room,
    parts_are_ones_own,
    parts_name_commands,
    scores_come_first,
    scores_come_last,
    the_result_is_noted,
)
from .laws_of_sight import (
    Dealt,
    a_history_suffices,
    deal_is_told,
    deals_are_told,
    nothing_leaks,
    nothing_leaks_at,
    same_to_viewer,
    side_by_side,
)
from .mutants import LONGER, Mutant, differing_spots, fresh, mutants_of, rebased, replayed
from .play import prefix, seats_of, told_where
from .samples import SURVEYED, Choices, Spot, Survey, surveyed


@frozen
class Law:
    """A law of every match, by its number and name."""

    name: str
    checks: tuple[Callable[..., None], ...]
    of: Literal["any", "whole", "rare"] = "any"
    """Whether it is held against matches up to any event, whole ones, or those of directed play, with rare states."""
    fewer: bool = False
    """Whether a quarter of the examples suffices."""
    wild: bool = False
    """Whether it tries commands that are drawn at random, too."""
    needs: tuple[str, ...] = ()

    def judge(self, match: AnyMatch, *wild: Any) -> None:
        """Hold it against a match: whatever is found, or raised, is told with its place."""
        with told_where(match):
            for each in self.checks:
                each(match, *wild)


LAWS = (
    Law("1 apply is pure", (apply_is_pure,), wild=True),
    Law("2 legal and apply agree", (legal_and_apply_agree,), wild=True),
    Law("2 legal and apply agree in rare states", (agree_where_it_is_rare,), "rare", fewer=True),
    Law("3 somebody can act", (somebody_can_act,), "whole"),
    Law("4 no card is lost", (no_card_is_lost,), "whole", needs=("cards", "things")),
    Law("4 nobody loses what it has not", (nobody_loses_what_it_has_not,), "whole", fewer=True),
    Law("5 nothing leaks", (nothing_leaks,), wild=True),
    Law("5 deals are told", (deals_are_told,), needs=("deals",)),
    Law("5 deals vary", (deals_vary,), "whole", fewer=True, needs=("deals",)),
    Law("5 a history suffices", (a_history_suffices,), fewer=True),
    Law("5 form is public", (form_is_public,), "whole", fewer=True, needs=("secrets",)),
    Law("5 draws vary", (determinizations_vary,), "whole", fewer=True, needs=("secrets",)),
    Law("5 hints hold", (hints_hold,), "whole", fewer=True, needs=("hints",)),
    Law("6 a log gives the match again", (a_log_gives_the_match_again,)),
    Law("9 a frontend can show and play it", (scores_come_first, the_result_is_noted, parts_name_commands)),
    Law(
        "9 whole matches can be shown",
        (scores_come_last, the_result_is_noted, lists_have_room, learners_can_name_commands, parts_are_ones_own),
        "whole",
    ),
)
"""The laws of every match: tests hold them against matches drawn at random, law 10 against mutants of the game."""
GOLDEN = Law("9 golden logs are shown", (scores_come_first, the_result_is_noted, lists_have_room))


Check = Callable[[], None]
Alike = tuple[int | None, AnyStep, AnyStep]
"""A viewer, and two steps that its history does not tell apart."""
DRAWS = 4
LISTED = 12
"""So many survivors are listed."""
FOCUS = 12
"""So many of the steps at which a mutant differs are looked at first."""
ROUNDS = 4
"""So often they are, where they are few: draws differ."""
ENOUGH = 30
"""So many pairs of matches are evidence that a viewer knows from its history what a mutant shows it."""
HISTORIES = 4
"""So often a match is played beside those at which a mutant differs."""
WHOLE = 6
"""So many matches are looked at by the laws that take a whole one."""
AT_ONCE = {"view": 2, "determinize": 0}
"""At so many matches the laws of deals and of draws look before the steps, where most of what leaks shows."""


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

    def verdicts(self, mutants: Iterable[Mutant] | None = None) -> Iterator[Verdict]:
        """Yield what becomes of each mutant; None: of all that can be made of the game."""
        for mutant in mutants_of(self.survey) if mutants is None else mutants:
            yield self.verdict(mutant)

    def own_findings(self) -> list[str]:
        """Return what the laws find in the whole game, by the cheap ones: each law that it fails catches no mutant."""
        checks: list[tuple[str, Check]] = [
            (name, partial(_on_copy, name, match)) for match, name in product(self.survey.matches[:2], CHEAP)
        ]
        found = {name: finding for name, check in checks if (finding := _finding(check)) is not None}
        return [f"  {name}: {finding}" for name, finding in found.items()]

    def verdict(self, mutant: Mutant) -> Verdict:
        """Run the laws on a mutant until one catches it."""
        spots = differing_spots(mutant, self.survey, FOCUS)
        trials = _case_trials(mutant, self.survey)
        if spots:
            trials = chain(trials, _trials(mutant, self.survey, spots))
        for trial in trials:
            finding = _finding(trial.check)
            if finding is not None and _finding(trial.control) is None:
                return Verdict(mutant, trial.law, finding)
        if not spots:
            return Verdict(mutant, same=f"{mutant.otherwise} ({len(self.survey.spots)} steps compared)")
        if (
            mutant.broken == "explain"
            and " is told to " in mutant.how
            and all(map(partial(_says_what_is_seen, mutant.game), spots))
        ):
            return Verdict(mutant, same="it puts into words what its views show whoever is told")
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
                    if not pair.momentary and pair.one.step.after != pair.other.step.after and not pair.apart:
                        yield viewer, pair.one.step, pair.other.step


def _says_what_is_seen(game: AnyGame, spot: Spot) -> bool:
    """Return True if all values of the notes that somebody is told more lie in the views of whom it is."""
    step = spot.step
    broken = evolve(step, game=game)
    for viewer in spot.viewers:
        seen = [step.game.view(state, viewer) for state in (step.before, step.after)]
        known = [repr(value) for value in (viewer, step.seat, step.command_for(viewer), *seen)]
        known += [repr(value) for each in (*seen, step.command_for(viewer)) for _, value in leaves(each)]
        for note in set(broken.notes_for(viewer)) - set(step.notes_for(viewer)):
            told = [repr(value) for _, each in note.values for _, value in leaves(each)]
            if not set(told) <= set(known):
                return False
    return True


def _drawn_by_history(spots: list[Spot]) -> Iterator[Alike]:
    """Yield steps, and the same ones with a state after them that is drawn by a seat's history."""
    shuffler = fresh("by history")
    for spot in spots:
        hints, there = hints_of(spot.step.game), prefix(spot.match, spot.seq + 1)
        if hints is None:
            return
        for seat in seats_of(there):
            history = effective(ObservationHistory(there, seat).information_state().history)
            draw = hints.determinize_history(there.view(seat), history)
            drawn = dict.fromkeys(draw(shuffler) for _ in range(DRAWS))
            yield from ((seat, spot.step, evolve(spot.step, after=each)) for each in drawn)


def _shown(game: AnyGame, step: AnyStep, viewer: int | None) -> Any:
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


BY_NAME = {law.name: law for law in LAWS}
PLAY = ["2 legal and apply agree", "3 somebody can act", "4 no card is lost", "1 apply is pure"]
FIRST: dict[str, list[str]] = {
    "priors": ["5 hints hold"],
    "apply": PLAY,
    "determinize": ["5 draws vary"],
    "view": ["5 deals are told"],
}
"""Which laws look first, by what is broken."""
CHEAP = [*PLAY, "9 a frontend can show and play it"]
ELSEWHERE = ("5 nothing leaks", "2 legal and apply agree in rare states", "9 whole matches can be shown")
"""The first looks at the steps at which a mutant differs; the others are long, and about nothing that is broken."""
EVERY = [name for name in [*PLAY, *BY_NAME] if name not in ELSEWHERE]


def _case_trials(mutant: Mutant, survey: Survey) -> Iterator[Trial]:
    for case in survey.cases if mutant.plays else ():
        yield Trial(
            "7 cases are refused", partial(is_refused, mutant.game, case), partial(is_refused, survey.game, case)
        )


def _trials(mutant: Mutant, survey: Survey, spots: list[Spot]) -> Iterator[Trial]:
    """Yield the laws on the mutant, those first that are about what is broken."""
    game, whole = mutant.game, list(survey.matches)
    moved = {id(match): rebased(match, game) for match in whole}
    if mutant.plays:
        longest = max(len(match.events) for match in whole)
        own = {id(match): replayed(match, game, LONGER * longest) for match in whole[:WHOLE]}
    else:
        own = moved
    first = FIRST.get(mutant.broken, [])
    if mutant.plays and any(spot.step.seat == TABLE for spot in spots):
        first = ["5 deals vary", *first]  # a deal that is wrongly accepted: the others hardly see it
    looked = list({id(spot.match): spot.match for spot in spots}.values())
    at_once = looked[: AT_ONCE.get(mutant.broken)]
    unlike = [match for match in whole if id(match) in own and (mutant.plays or match not in at_once)]
    if mutant.plays:
        yield from _on_matches(first, unlike, own)
    yield from _on_matches(first, at_once, moved)
    for number, spot in product(range(min(ROUNDS, FOCUS // len(spots))), spots):
        there = Spot(moved[id(spot.match)], spot.seq)
        for viewer in spot.viewers:
            check = partial(_at_spot, f"judge {number}", viewer)
            yield Trial("5 nothing leaks", partial(check, there), partial(check, spot))
    if not mutant.plays:
        yield from _on_matches(first, unlike, own)
    for match, number in product(looked, range(HISTORIES)):
        check = partial(_every_history, f"history {number}")
        yield Trial("5 a history suffices", partial(check, moved[id(match)]), partial(check, match))
    others = [name for name in dict.fromkeys(EVERY) if name not in first]
    yield from _on_matches(others, looked, moved)
    yield from _on_matches(others, [match for match in whole[:WHOLE] if id(match) in own], own)


def _at_spot(purpose: str, viewer: int | None, spot: Spot) -> None:
    step, shuffler = spot.step, fresh(purpose)
    if step.seat == TABLE:
        deal_is_told(Dealt(step.game, step.before, step.command), viewer, shuffler)
    nothing_leaks_at(step, viewer, seats_of(spot.match), shuffler)


def _every_history(purpose: str, match: AnyMatch) -> None:
    shuffler = fresh(purpose)
    for viewer in (None, *seats_of(match)):
        for pair in side_by_side(match, viewer, shuffler, 1):
            same_to_viewer(pair)


def _on_matches(names: list[str], matches: list[AnyMatch], broken: Mapping[int, AnyMatch]) -> Iterator[Trial]:
    for name, match in product(names, matches):
        yield Trial(name, partial(_on_copy, name, broken[id(match)]), partial(_on_copy, name, match))


def _on_copy(name: str, match: AnyMatch) -> None:
    """Run a law on a copy: one that takes back, or plays on, changes the match."""
    for check in BY_NAME[name].checks:
        check(rebased(match, match.game))


@frozen(eq=False)
class MutationReport:
    """The verdicts on all mutants of a game."""

    game: str
    verdicts: tuple[Verdict, ...]

    @property
    def caught(self) -> list[Verdict]:
        """Those that some law caught."""
        return [verdict for verdict in self.verdicts if verdict.law is not None]

    @property
    def same(self) -> list[Verdict]:
        """Those that cannot be told from the game, each with the reason."""
        return [verdict for verdict in self.verdicts if verdict.same is not None]

    @property
    def survivors(self) -> list[Verdict]:
        """Those that no law caught, though they differ from the game."""
        return [verdict for verdict in self.verdicts if verdict.survives]

    def __str__(self) -> str:
        """Format the table: a line for each function that was broken, then the reasons, then the survivors."""
        lines = [f"{self.game}: {len(self.verdicts)} mutants, {len(self.caught)} caught, {len(self.same)} the same"]
        lines += self._table()
        reasons = Counter((each.mutant.broken, (each.same or "").partition(" (")[0]) for each in self.same)
        lines += [f"  the same: {count} of {broken}: {why}" for (broken, why), count in sorted(reasons.items())]
        lines += [f"  SURVIVES {each.mutant}" for each in self.survivors[:LISTED]]
        return "\n".join(lines)

    def _table(self) -> Iterable[str]:
        for broken in dict.fromkeys(verdict.mutant.broken for verdict in self.verdicts):
            those = [verdict for verdict in self.verdicts if verdict.mutant.broken == broken]
            laws = Counter(verdict.law for verdict in those if verdict.law is not None)
            same = sum(verdict.same is not None for verdict in those)
            by = ", ".join(f"{law} {count}" for law, count in laws.most_common())
            yield f"  {broken:<20} made {len(those):>4}  caught {laws.total():>4}  same {same:>3}  {by}"


def mutation_report(
    game: Game[Any, Any, Any],
    *,
    options: Choices | None = None,
    cases: Iterable[Case] = (),
    golden: str | PathLike[str] | None = None,
    examples: int = SURVEYED,
) -> MutationReport:
    """Make every mutant of a game, and run the laws on each; the parameters are those of `game_laws`."""
    found = surveyed(game, options=options, cases=cases, golden=golden, examples=examples)
    return MutationReport(game.name, tuple(Judge(found).verdicts()))
