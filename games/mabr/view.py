"""The view of each seat of MABR, an allow-list."""

from __future__ import annotations

from attrs import frozen

from ...core.game import TABLE, RedactedCommand, Seat, Shuffler, copy_fields, show_own, visible_to
from .model import GOALS, KANA, LETTER, Command, Deal, Draw, Judge, Kanas, Options, Places, State, Word, value
from .rules import to_act


@frozen(slots=False)
class View:
    """The view of one seat. A kana, stack or vote that it may not see is None."""

    viewer: Seat | None
    options: Options
    stack_sizes: tuple[int, ...]
    """By letter; empty before the deal."""
    stacks: tuple[Kanas | None, ...]
    letters: tuple[str, ...]
    """The letters of each seat's cards by place."""
    kanas: tuple[tuple[str | None, ...], ...]
    """The kana of each seat's cards by place, where they are visible."""
    turned: tuple[Places, ...]
    used: tuple[str, ...]
    turns: int
    passes: int
    turn: Seat
    reached: Seat | None
    declared: Draw | Word | None
    judged: tuple[bool, ...]
    """Which seats have judged; empty if nothing is declared."""
    votes: tuple[bool | None, ...]
    look: Places
    """The places of the seat in turn that it looks at, or that are shown."""
    shown: bool
    voided: bool
    """True if a declaration was voided in this turn."""
    to_act: frozenset[Seat]

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.letters)

    @property
    def goal(self) -> int:
        """Return the points at which the last turns begin (MABR-11)."""
        return GOALS[self.seats]

    @property
    def over(self) -> bool:
        """Return True if the game is over."""
        return not self.to_act

    @property
    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat: those of its face-up cards."""
        rows = zip(self.kanas, self.turned, strict=True)
        return tuple(sum(value(kana) for place, kana in enumerate(row) if kana and place in up) for row, up in rows)


def view(state: State, viewer: Seat | None) -> View:
    """Show the letters, the face-up cards, what the seat looks at right now, and nothing of what it has laid down."""
    table = viewer == TABLE
    turn = state.turn
    seats = range(state.seats)

    def visible(seat: int) -> Places:
        if table:
            return tuple(range(len(state.rows[seat])))
        looks = seat == turn and (state.shown or viewer == turn)
        return (*state.turned[seat], *state.look) if looks else state.turned[seat]

    def kanas(seat: int) -> tuple[str | None, ...]:
        places = visible(seat)
        return tuple([kana if place in places else None for place, kana in enumerate(state.rows[seat])])

    return copy_fields(
        View,
        state,
        viewer=viewer,
        stack_sizes=tuple(map(len, state.stacks)),
        stacks=state.stacks if table else (None,) * len(state.stacks),
        letters=tuple("".join([LETTER[kana] for kana in row]) for row in state.rows),
        kanas=tuple(map(kanas, seats)),
        turn=turn,
        judged=tuple(vote is not None for vote in state.votes),
        votes=show_own(state.votes, viewer),
        to_act=to_act(state),
    )


def redact(command: Command, seat: Seat, viewer: Seat | None) -> Command | RedactedCommand:
    """Return the command without the deal, and without a judgement that is still secret."""
    if isinstance(command, Deal) and viewer != TABLE:
        return RedactedCommand("deal")
    if isinstance(command, Judge) and not visible_to(viewer, seat):
        return RedactedCommand("judge")
    return command


def determinize(view: View, shuffler: Shuffler) -> State:
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
    stacks = view.stacks if view.viewer == TABLE else drawn.values()
    votes = [
        vote if vote is not None or not judged else bool(shuffler.below(2))
        for vote, judged in zip(view.votes, view.judged, strict=True)
    ]
    return copy_fields(
        State,
        view,
        stacks=tuple(stack for stack in stacks if stack is not None) if view.stack_sizes else (),
        rows=rows,
        votes=tuple(votes),
    )
