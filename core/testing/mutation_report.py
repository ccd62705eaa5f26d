"""What became of the mutants of a game, as a table: how many were made, and which law caught them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ..game import Game
from ..log import read
from .case import Case
from .judge import Judge, Verdict
from .play import played
from .strategies import MATCHES as NUMBERS
from .strategies import Choices, option_sets, suits
from .survey import Survey, survey

MATCHES = 10
DRAWN = 40
"""Of so many sets of options, with each number of seats, those are surveyed that differ most."""
Setup = tuple[int, Any, int]
"""A number of seats, options, and the number of a random match."""
GOLDEN = 12
"""At most so many golden logs are looked at."""
SHOWN = 12


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
        lines += [f"  SURVIVES {each.mutant}" for each in self.survivors[:SHOWN]]
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
    examples: int = MATCHES,
) -> MutationReport:
    """Make every mutant of a game, and run the laws on each; the parameters are those of `game_laws`."""
    found = surveyed(game, options=options, cases=cases, golden=golden, examples=examples)
    return MutationReport(game.name, tuple(Judge(found).verdicts()))


def surveyed(
    game: Game[Any, Any, Any],
    *,
    options: Choices | None = None,
    cases: Iterable[Case] = (),
    golden: str | PathLike[str] | None = None,
    examples: int = MATCHES,
) -> Survey:
    """Survey a game: some unlike whole matches of random play, and its golden logs, which show what is rare."""
    logs = sorted(Path(golden).glob("*.log"))[:GOLDEN] if golden is not None else []
    kept = [read(path, lambda _: game).match for path in logs]
    matches = [played(game, *setup) for setup in _setups(game, options, examples)]
    return survey([*matches, *(match for match in kept if match is not None)], cases)


def _setups(game: Game[Any, Any, Any], options: Choices | None, most: int) -> list[Setup]:
    """Return at most so many matches to play, as unlike as so few can be.

    The numbers of seats take turns, from three up, and two last: with two, little is hidden. Of each number comes next
    what has the values of options, and pairs of such, that those before it have least.
    """
    drawn: list[tuple[Any, int]] = []
    many = settings(max_examples=DRAWN, derandomize=True, database=None, phases=[Phase.generate], deadline=None)
    some = st.tuples(option_sets(game, options=options), st.integers(0, NUMBERS - 1))
    many(given(some)(lambda each: drawn.append(each)))()
    left = [(seats, *each) for each in drawn for seats in game.seats if suits(game, each[0], seats)]
    met: Counter[Any] = Counter()
    chosen: list[Setup] = []
    while left and len(chosen) < most:
        found = max(left, key=lambda each: (-met[each[0]], each[0] > 2, -each[0], _rarity(each, met)))
        left.remove(found)
        met.update([found[0], *_traits(found)])
        chosen.append(found)
    return chosen


def _rarity(setup: Setup, met: Counter[Any]) -> float:
    return sum(1 / (1 + met[trait]) for trait in _traits(setup))


def _traits(setup: Setup) -> list[Any]:
    seats, options, number = setup
    values = [(field.name, repr(getattr(options, field.name))) for field in attrs.fields(type(options))]
    return [("number", number), *((seats, value) for value in values), *combinations(values, 2)]
