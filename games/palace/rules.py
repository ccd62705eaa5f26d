"""The rules of Palace, in the order of the rulebook; every judgement names its rule."""

from __future__ import annotations

from itertools import chain

from ...core import game as k
from .model import Build, Cards, Charge, Deal, Draw, Inspect, Message, Options, Palace, Quake, Rule, State, Target

COLOURS = (k.Card(0), k.Card(1), k.Card(2), k.Card(3))
"""The pillars: red, yellow, green, blue. A card is its colour, and cards of one colour are alike."""
END = k.Card(4)
COLOUR_SIZES = (16, 18, 20, 22)
"""The pillars of each colour."""
PILLARS = tuple([colour for colour in COLOURS for _ in range(COLOUR_SIZES[colour])])
DECK = (*PILLARS, END)
COLOUR_CHARGES: tuple[Charge, ...] = ("no_red", "no_yellow", "no_green", "no_blue")
"""The charges of a missing colour, in the order of the colours."""
CHARGES: tuple[Charge, ...] = (*COLOUR_CHARGES, "no_pair", "all_colours")

HAND_SIZE = 3
"""The cards dealt to each seat (PAL-1)."""
LAST_CARDS = 11
"""With 4-6 seats, END is one of this many last cards (PAL-2)."""
CARDS_ABOVE_END = {"about": range(42, 48), "exact": range(45, 46)}
"""With 3 seats, how many cards may lie above END at first, by the option `end_place` (PAL-R1)."""
FULL_HAND = 5
"""With this many cards or more, a seat may only build (PAL-5)."""
QUAKE_SIZE = 4
"""The cards of one colour that an earthquake takes (PAL-16)."""


def idle_rules(options: Options, seats: int) -> tuple[Rule, ...]:
    """Return the rules of other numbers of seats: where END lies follows from these."""
    return (Rule.PAL_2,) if seats == 3 else (Rule.PAL_3, Rule.PAL_R1)


def start(options: Options, seats: int) -> State:
    """Set the table before the deal."""
    return State(options, k.Seat(options.first), ((),) * seats, (), ((),) * seats, (0,) * seats, ())


def to_act(state: State) -> frozenset[int]:
    """Return the seat in turn, the table for the deal, or nobody once the game is over."""
    if is_over(state):
        return k.NOBODY
    return k.ALONE[state.turn] if state.pile else k.DEALER


def _deal(state: State, seat: int, deal: Deal) -> State:
    """Deal three cards to each seat; the rest is the draw pile, END in its place (PAL-1 to PAL-3)."""
    cards, seats = deal.cards, state.seats
    k.check_count(seat, cards, len(DECK))
    k.check_deck(to_act(state), seat, cards, DECK)
    places = end_places(state.options, seats)
    if cards.index(END) not in places:
        expected = Message("place-of-end", "END at place {first} to {last} from 0", first=places[0], last=places[-1])
        raise k.RuleViolation(k.TableRule.DEAL, seat, expected=expected)

    return k.evolve(state, hands=k.deal_hands(cards, seats, HAND_SIZE), pile=cards[seats * HAND_SIZE :])


def end_places(options: Options, seats: int) -> range:
    """Return the places in the deal where END may be: the last eleven (PAL-2), with 3 seats some (PAL-3, PAL-R1)."""
    if seats == 3:
        above = CARDS_ABOVE_END[options.end_place]
        return range(seats * HAND_SIZE + above.start, seats * HAND_SIZE + above.stop)
    return range(len(DECK) - LAST_CARDS, len(DECK))


def end_places_in(pile: int, options: Options, seats: int) -> range:
    """Return the places in a pile of so many cards, from the top, where END may be as all seats know: those left."""
    drawn, places = len(DECK) - pile, end_places(options, seats)
    return range(max(places.start - drawn, 0), max(places.stop - drawn, 0))


def _check_action(state: State, seat: int) -> None:
    """Refuse an action other than building out of turn or with a full hand (TURN, PAL-5)."""
    k.check_turn(to_act(state), seat)
    held = len(state.hands[seat])
    if held >= FULL_HAND:
        raise k.RuleViolation(Rule.PAL_5, seat, held=held)


def _next(state: State, seat: int) -> int:
    """Return the left neighbour, whose turn is next (PAL-4)."""
    return k.Seat((seat + 1) % len(state.hands))


def _draw(state: State, seat: int, _: Draw) -> State:
    """Draw the top card of the pile; END ends the game (PAL-6, PAL-7)."""
    _check_action(state, seat)

    card, rest = state.pile[0], state.pile[1:]
    if card == END:
        return k.evolve(state, pile=rest, out=(*state.out, END))
    hands = _with_cards(state.hands, seat, (card,))
    return k.evolve(state, turn=_next(state, seat), hands=hands, pile=rest)


def _with_cards(hands: tuple[Cards, ...], seat: int, cards: Cards) -> tuple[Cards, ...]:
    return k.replace_at(hands, seat, tuple(sorted(hands[seat] + cards)))


def _build(state: State, seat: int, build: Build) -> State:
    """Build one palace, or two if the seat alone has the fewest (PAL-8, PAL-9)."""
    bundles = build.palaces
    _check_bundles(seat, bundles)
    k.check_turn(to_act(state), seat)
    hand = state.hands[seat]
    used = bundles[0] if len(bundles) == 1 else bundles[0] + bundles[1]
    for colour in COLOURS:
        if used.count(colour) > (held := hand.count(colour)):
            raise k.RuleViolation(Rule.PAL_8, seat, colour=colour, used=used.count(colour), held=held)
    if len(bundles) == 2 and not has_fewest(state, seat):
        raise k.RuleViolation(Rule.PAL_9, seat, palaces=tuple(map(len, state.palaces)))

    new = tuple([Palace(k.Index(number), cards) for number, cards in enumerate(bundles, state.built[seat])])
    palaces, built = state.palaces, state.built
    return k.evolve(
        state,
        turn=_next(state, seat),
        hands=k.replace_at(state.hands, seat, k.remove_cards(hand, used)),
        palaces=k.replace_at(palaces, seat, palaces[seat] + new),
        built=k.replace_at(built, seat, built[seat] + len(new)),
    )


def _check_bundles(seat: int, bundles: tuple[Cards, ...]) -> None:
    if not 1 <= len(bundles) <= 2:
        why = Message("one-or-two-built", "one or two palaces are built, not {count}", count=len(bundles))
        raise k.malformed_command(seat, why)
    for bundle in bundles:
        if not bundle:
            raise k.malformed_command(seat, Message("a-palace", "a palace has one or more cards"))
        for card in bundle:
            _check_colour(seat, card)
        if list(bundle) != sorted(bundle):
            raise k.malformed_command(seat, Message("cards-ascending", "the cards of a palace are ascending"))


def _check_colour(seat: int, colour: k.Card) -> None:
    if colour not in COLOURS:
        raise k.malformed_command(seat, Message("no-such-colour", "a colour is 0 to 3, not {given}", given=colour))


def has_fewest(state: State, seat: int) -> bool:
    """Return True if the seat has fewer palaces than every other seat (PAL-9)."""
    fewest, next_fewest, *_ = sorted(map(len, state.palaces))
    return len(state.palaces[seat]) == fewest < next_fewest


def _inspect(state: State, seat: int, inspect: Inspect) -> State:
    """Inspect palaces of other seats: the safe ones are verified, the others pulled down (PAL-10 to PAL-15)."""
    charge, targets = inspect.charge, inspect.targets
    _check_targets(state, seat, inspect)
    _check_action(state, seat)
    for target in targets:
        _check_target(state, seat, target)
    if charge in COLOUR_CHARGES:
        colour = COLOURS[COLOUR_CHARGES.index(charge)]
        if is_open(state, colour):
            raise k.RuleViolation(Rule.PAL_13, seat, colour=colour, cards=COLOUR_SIZES[colour])
    elif len(targets) > 1:
        raise k.RuleViolation(Rule.PAL_14 if charge == "no_pair" else Rule.PAL_15, seat, palaces=len(targets))

    palaces = list(state.palaces)
    gained: Cards = ()
    for owner, number in targets:
        standing = palaces[owner]
        place = _place(standing, number)
        cards = standing[place].cards
        if holds(charge, cards):
            gained += cards
            palaces[owner] = standing[:place] + standing[place + 1 :]
        else:
            palaces[owner] = k.replace_at(standing, place, Palace(number, cards, verified=True))
    hands = _with_cards(state.hands, seat, gained) if gained else state.hands
    return k.evolve(state, turn=_next(state, seat), hands=hands, palaces=tuple(palaces))


def _check_targets(state: State, seat: int, inspect: Inspect) -> None:
    charge, targets = inspect.charge, inspect.targets
    if charge not in CHARGES:
        raise k.malformed_command(seat, Message("a-charge", "a charge is one of {known}", known=", ".join(CHARGES)))
    if not 1 <= len(targets) <= 2:
        why = Message("one-or-two-inspected", "one or two palaces are inspected, not {count}", count=len(targets))
        raise k.malformed_command(seat, why)
    for owner, number in targets:
        k.check_seat(seat, owner, state.seats)
        if number < 0:
            why = Message("a-number", "a palace's number is 0 or more, not {given}", given=number)
            raise k.malformed_command(seat, why)
    if len(targets) == 2 and targets[0] >= targets[1]:
        raise k.malformed_command(seat, Message("named-ascending", "the palaces named are ascending and distinct"))


def _check_target(state: State, seat: int, target: Target) -> None:
    """Refuse a palace that is the seat's own, gone or already verified (PAL-10)."""
    owner, number = target
    if owner == seat:
        why = "own"
    elif (place := _place(state.palaces[owner], number)) < 0:
        why = "gone"
    elif state.palaces[owner][place].verified:
        why = "verified"
    else:
        return
    raise k.RuleViolation(Rule.PAL_10, seat, owner=owner, palace=number, why=why)


def _place(palaces: tuple[Palace, ...], number: int) -> int:
    """Return the place of the palace with this number; -1 if it does not stand."""
    return next((place for place, each in enumerate(palaces) if each.number == number), -1)


def holds(charge: Charge, cards: Cards) -> bool:
    """Return True if the charge holds against a palace of these cards (PAL-12, PAL-14, PAL-15)."""
    match charge:
        case "no_pair":
            return len(set(cards)) == len(cards)
        case "all_colours":
            return len(set(cards)) == len(COLOURS)
        case _:
            return COLOUR_CHARGES.index(charge) not in cards


def is_open(state: State, colour: k.Card) -> bool:
    """Return True if every card of the colour lies open, so that it may not be named (PAL-13)."""
    return colour not in state.pile and open_cards(state).count(colour) == COLOUR_SIZES[colour]


def open_cards(state: State) -> Cards:
    """List the cards that count as open: those on the table and, as all have seen them, those out (PAL-R2)."""
    lying = lying_cards(state)
    return lying + state.out if state.options.open_colour == "seen" else lying


def lying_cards(state: State) -> Cards:
    """List the cards of the verified palaces."""
    return tuple([card for palaces in state.palaces for each in palaces if each.verified for card in each.cards])


def _quake(state: State, seat: int, quake: Quake) -> State:
    """Pull down every verified palace with the colour; its cards are out of the game (PAL-16, PAL-17, PAL-R4)."""
    colour = quake.colour
    _check_colour(seat, colour)
    _check_action(state, seat)
    hand = state.hands[seat]
    if (held := hand.count(colour)) < QUAKE_SIZE:
        raise k.RuleViolation(Rule.PAL_16, seat, colour=colour, held=held)

    given = (colour,) * QUAKE_SIZE
    fallen = [each.cards for palaces in state.palaces for each in palaces if falls(each, colour)]
    return k.evolve(
        state,
        turn=_next(state, seat),
        hands=k.replace_at(state.hands, seat, k.remove_cards(hand, given)),
        palaces=tuple([tuple([each for each in palaces if not falls(each, colour)]) for palaces in state.palaces]),
        out=tuple(sorted(chain(state.out, given, *fallen))),
    )


def falls(palace: Palace, colour: k.Card) -> bool:
    """Return True if an earthquake of this colour makes the palace fall (PAL-16)."""
    return palace.verified and colour in palace.cards


apply = k.applying({Deal: _deal, Draw: _draw, Build: _build, Inspect: _inspect, Quake: _quake})
"""Return the state after the command, or raise `RuleViolation`."""


def is_over(state: State) -> bool:
    """Return True if END was drawn (PAL-7)."""
    return state.out[-1:] == (END,)


def scores(state: State) -> tuple[int, ...]:
    """Return the number of palaces of each seat (PAL-18)."""
    return tuple(map(len, state.palaces))


def result(state: State) -> k.Result | None:
    """Count the palaces, verified or not; of equals more cards in hand win (PAL-18)."""
    if not is_over(state):
        return None
    points = scores(state)
    return k.Result(points, k.winners_by(zip(points, map(len, state.hands), strict=True)))


def deal(state: State, shuffler: k.Shuffler) -> Deal:
    """Shuffle the pillars and put END in its place (PAL-2, PAL-3, PAL-R1)."""
    pillars = shuffler.shuffle(PILLARS)
    if state.seats == 3:
        places = end_places(state.options, 3)
        place = places[shuffler.below(len(places)) if len(places) > 1 else 0]
        return Deal((*pillars[:place], END, *pillars[place:]))
    above = len(DECK) - LAST_CARDS
    return Deal((*pillars[:above], *shuffler.shuffle((*pillars[above:], END))))
