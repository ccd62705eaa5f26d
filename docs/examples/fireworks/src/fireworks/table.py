"""What each seat of Fireworks may see, what it is told, and what the table looks like."""

from collections.abc import Iterator

from kifu.core import game as k

from . import rules
from .rules import COLOURS, NUMBERS, TINTS, Cards, Command, Deal, Discard, Hint, Options, Play, Rule, State, sees


def deck_size(state: State) -> int | None:
    """Return the number of cards in the deck; None before the deal."""
    return None if state.deck is None else len(state.deck)


@k.view_of(State)
class View:
    """What one seat may look at now; `viewer` None is a spectator, -1 the table."""

    viewer: int | None
    options: Options
    turn: k.Seat
    hands: tuple[Cards | None, ...]
    known: tuple[tuple[str, ...], ...]
    size: int | None = k.told(deck_size)
    """The number of cards in the deck; None before the deal."""
    laid: tuple[int, ...]
    lost: Cards
    tokens: int
    lives: int
    left: int


def determinize(view: View, shuffler: k.Shuffler) -> State:
    """Return a state with this view: hidden cards are drawn anew, each one that it can be after the hints."""
    if view.size is None:
        return k.state_behind(State, view, hands=((),) * len(view.hands), deck=None)
    unseen = k.unseen_cards(rules.all_cards(view.options), *view.hands, rules.laid_cards(view.laid), view.lost)
    hidden = [known for hand, known in zip(view.hands, view.known, strict=True) if hand is None]
    drawn, left = _fill([each for known in hidden for each in known], shuffler.shuffle(unseen))
    cards = iter(drawn)
    hands = [
        tuple(next(cards) for _ in known) if hand is None else hand
        for hand, known in zip(view.hands, view.known, strict=True)
    ]
    return k.state_behind(State, view, hands=tuple(hands), deck=left)


def _fill(known: list[str], pool: Cards) -> tuple[Cards, Cards]:
    """Return a card of the pool for each place, where it can lie, and the rest; the least choice comes first."""
    fitting = [[at for at, card in enumerate(pool) if set(rules.kinds(card)) <= set(each)] for each in known]
    if not known:
        return (), pool
    place = min(range(len(known)), key=lambda at: len(fitting[at]))
    for at in fitting[place]:
        try:
            drawn, left = _fill(known[:place] + known[place + 1 :], pool[:at] + pool[at + 1 :])
        except LookupError:
            continue
        return (*drawn[:place], pool[at], *drawn[place:]), left
    raise LookupError("no card of the pool can lie there")


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step that a seat may see; the text of each is the message `note-KEY`."""
    command, before, after, seat = step.command, step.before, step.after, step.seat
    if isinstance(command, Deal):
        yield k.Note.of("dealt", Rule.FIR_1, begins=k.SectionKind.DEAL, count=len(after.hands[0]))
        seen = [(k.Seat(other), hand) for other, hand in enumerate(after.hands) if sees(viewer, other)]
        yield from (k.Note.of("hand", Rule.FIR_1, seat=other, cards=hand) for other, hand in seen)
    elif isinstance(command, Hint):
        places = rules.pointed_out(before, command)
        whom = (("other", command.seat), ("kind", command.kind), ("places", places))
        yield k.Note("hinted", Rule.FIR_2, (("seat", seat), *whom), k.SectionKind.TURN)
    elif isinstance(command, Discard | Play):
        key, rule = ("discarded", Rule.FIR_3) if isinstance(command, Discard) else ("laid", Rule.FIR_4)
        card = before.hands[seat][command.place]
        key = "failed" if after.lives < before.lives else key
        yield k.Note.of(
            key, rule, begins=k.SectionKind.TURN, seat=seat, card=card, place=command.place, lives=after.lives
        )
        if isinstance(command, Play) and after.tokens > before.tokens:
            yield k.Note.of("token", Rule.FIR_5, tokens=after.tokens)
        if before.deck and sees(viewer, seat):
            yield k.Note.of("drew-card", Rule.FIR_6, seat=seat, card=before.deck[0])
        elif before.deck:
            yield k.Note.of("drew", Rule.FIR_6, seat=seat)
    ended = rules.result(after)
    if ended is not None:
        yield k.Note.of("won" if ended.winners else "lost", Rule.FIR_7, seats=ended.winners, points=ended.points)


def face(card: k.Card) -> k.Face:
    """Return how a card looks."""
    return k.Face(rules.kinds(card), TINTS[card // 10 - 1])


def scene(view: View) -> k.Scene:
    """Return what is laid and lost in the middle, where colours and numbers can be hinted at, then every seat."""
    colours = COLOURS[: view.options.colours]
    tops = [face(k.Card(10 * row + top)) if top else None for row, top in enumerate(view.laid, 1)]
    laid = [
        k.Thing((top,) if top else (), int(top is not None), ("hint", kind))
        for top, kind in zip(tops, colours, strict=True)
    ]
    numbers = [k.Thing((k.Face(number, shape="piece"),), part=("hint", number)) for number in NUMBERS]
    zones = (
        k.Zone("zone-laid", tuple(laid), k.track(colours)),
        k.Zone("zone-numbers", tuple(numbers)),
        k.Zone("zone-lost", k.card_things(tuple(sorted(view.lost)), face)),
    )
    left = (
        k.Fact("fact-tokens", view.tokens, rules.TOKENS),
        k.Fact("fact-lives", view.lives),
        k.Fact("fact-deck", view.size or 0),
    )
    return k.Scene(
        view.viewer, k.Place(None, zones, left), tuple(_place(view, seat) for seat in range(len(view.hands)))
    )


def _place(view: View, seat: int) -> k.Place:
    """Return what lies before a seat; a hidden card shows what the hints have told of it."""
    hand, known = view.hands[seat], view.known[seat]
    faces = [_told(each) for each in known] if hand is None else list(map(face, hand))
    own = seat == view.viewer
    things = tuple(k.Thing((each,), part=("card", at) if own else None, number=at + 1) for at, each in enumerate(faces))
    return k.Place(seat, (k.Zone("zone-hand", things),), (k.Fact("fact-score", rules.score(view.laid, view.lives)),))


def _told(known: str) -> k.Face:
    """Return a card of which only what the hints have told shows: `R?` is red."""
    colours, numbers = ([each for each in known if each in some] for some in (COLOURS, NUMBERS))
    colour, number = (some[0] if len(some) == 1 else "?" for some in (colours, numbers))
    return k.Face(colour + number, TINTS[COLOURS.index(colour)] if colour != "?" else "ink")


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the things and buttons that a command names: clicks on them choose it."""
    if isinstance(command, Deal):
        return ()
    if isinstance(command, Hint):
        return (("seat", command.seat), ("hint", command.kind))
    return (("card", command.place), ("do", "play" if isinstance(command, Play) else "discard"))
