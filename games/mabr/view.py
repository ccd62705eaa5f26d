"""The view of each seat of MABR; the marks of the state say what it shows, but for the rows, told here."""

from __future__ import annotations

from ...core import game as k
from .model import KANA, LETTER, Draw, Kanas, Options, Places, State, Word, places_seen, value
from .rules import to_act


def letters_of(state: State) -> tuple[str, ...]:
    """Return the letters of each seat's cards by place, which everybody sees."""
    return tuple(["".join([LETTER[kana] for kana in row]) for row in state.rows])


def kanas_of(state: State, viewer: int | None) -> tuple[tuple[str | None, ...], ...]:
    """Whoever sees that card of `State.rows`."""
    if viewer == k.TABLE:
        return state.rows
    rows = zip(state.rows, places_seen(state, viewer), strict=True)
    return tuple([tuple([kana if at in places else None for at, kana in enumerate(row)]) for row, places in rows])


def turn_of(state: State) -> int:
    """Return the seat in turn."""
    return state.turn


@k.view_of(State)
class View:
    """The view of one seat. A kana, stack or vote that it may not see is None."""

    viewer: k.Seat | None
    options: Options
    stack_sizes: tuple[int, ...]
    stacks: tuple[Kanas | None, ...]
    letters: tuple[str, ...] = k.told(letters_of)
    kanas: tuple[tuple[str | None, ...], ...] = k.told(kanas_of)
    turned: tuple[Places, ...]
    used: tuple[str, ...]
    turns: int
    passes: int
    turn: k.Seat = k.told(turn_of)
    reached: k.Seat | None
    declared: Draw | Word | None
    judged: tuple[bool, ...]
    votes: tuple[bool | None, ...]
    look: Places
    shown: bool
    voided: bool
    progress: int
    to_act: frozenset[k.Seat] = k.told(to_act)

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.letters)

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat: those of its face-up cards."""
        rows = zip(self.kanas, self.turned, strict=True)
        return tuple(sum(value(kana) for place, kana in enumerate(row) if kana and place in up) for row, up in rows)


def determinize(view: View, shuffler: k.Shuffler) -> State:
    """Draw the kana of all cards that the view does not show anew, those that the viewer has laid down too."""
    shown = {kana for row in view.kanas for kana in row if kana}
    hidden = {
        letter: list(shuffler.shuffle(kana for kana in stack if kana not in shown)) for letter, stack in KANA.items()
    }
    rows = tuple(
        tuple([kana or hidden[letter].pop() for letter, kana in zip(letters, row, strict=True)])
        for letters, row in zip(view.letters, view.kanas, strict=True)
    )
    drawn = {letter: tuple(kanas) for letter, kanas in hidden.items()}
    stacks = view.stacks if view.viewer == k.TABLE else drawn.values()
    votes = [
        vote if vote is not None or not judged else bool(shuffler.below(2))
        for vote, judged in zip(view.votes, view.judged, strict=True)
    ]
    return k.state_behind(
        State,
        view,
        stacks=tuple(stack for stack in stacks if stack is not None) if view.stack_sizes else (),
        rows=rows,
        votes=tuple(votes),
    )
