"""How Gosne is Gone tells and shows itself: the notes of a step, each with its rule, and the scene of a view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...core import game as k
from . import model
from .model import Cards, Command, Deal, Declare, Give, Options, Play, Rule, State, Trick
from .rules import contenders, hyoju, is_exchange, is_misdeal, result, score, sides, strength, winner
from .view import View


def explain(step: k.Step[State, Command], viewer: int | None) -> Iterator[k.Note]:
    """Yield the notes of a step; CEO's holder, gifts and face-down cards only to the seats that know them."""
    match step.command:
        case Deal():
            yield from _dealt(step.after, viewer)
        case Give(cards):
            yield from _gave(step, cards, viewer)
        case Declare() as declare:
            yield from _declared(step.seat, declare, viewer)
        case Play() as play:
            yield from _played(step, play, viewer)


def _dealt(after: State, viewer: int | None) -> Iterator[k.Note]:
    options, by, hand = after.options, model.dealer(after.options, after.finished), after.finished + 1
    if not options.whistleblower:
        one, other = sides(after)
        yield k.Note.of("dealt", Rule.GOS_1, begins=k.SectionKind.DEAL, deal=hand, dealer=by, one=one, other=other)
    else:
        yield k.Note.of("dealt-whistleblower", Rule.GOS_16, begins=k.SectionKind.DEAL, deal=hand, dealer=by)
    for seat, cards in enumerate(after.hands):
        if k.visible_to(viewer, seat):
            rule = Rule.GOS_16 if options.whistleblower else Rule.GOS_1
            yield k.Note.of("dealt-hand", rule, seat=k.Seat(seat), cards=cards)
    if options.whistleblower:
        if is_misdeal(after):
            if after.gosne_card is None:
                yield k.Note.of("misdeal", Rule.GOS_17, dealer=by)
            else:
                yield k.Note.of("misdeal-alone", Rule.GOS_R3, seat=after.gosne_card, dealer=by)
            return
        yield k.Note.of("gosne-shown", Rule.GOS_17, seat=after.gosne)
        yield k.Note.of("hyoju-opposite", Rule.GOS_19, seat=after.gosne, hyoju=hyoju(after.gosne))
        yield k.Note.of("pairs-secret", Rule.GOS_18, seat=after.gosne)
        if model.is_ceo_known(after, viewer):
            yield _paired(after)
    if options.hands > 1:
        yield k.Note.of("hand", Rule.GOS_15, hand=hand, hands=options.hands)
    yield _chestnuts(options)


def _chestnuts(options: Options) -> k.Note:
    """Return the note of how many chestnuts the cards show: those of the ranks that the option names, else 1."""
    if not options.chestnuts:
        return k.Note.of("chestnuts-assumed", Rule.GOS_R1)
    named = sorted(options.chestnuts)
    ranks, counts = tuple(k.Card(rank) for rank, _ in named), tuple(count for _, count in named)
    return k.Note.of("chestnuts-told", Rule.GOS_R1, cards=ranks, counts=counts)


def _paired(state: State) -> k.Note:
    """Return the note of the pairs that the Gosne and the CEO card make."""
    one, other = sides(state)
    if state.ceo_card is None:
        return k.Note.of("alone-unseen", Rule.GOS_R3, seat=one[0], other=other)
    if len(one) == 1:
        return k.Note.of("alone-both", Rule.GOS_R3, seat=one[0], other=other)
    return k.Note.of("paired", Rule.GOS_18, seat=state.ceo_card, one=one, other=other)


def _gave(step: k.Step[State, Command], cards: Cards, viewer: int | None) -> Iterator[k.Note]:
    seat, to, after = step.seat, model.partner(step.seat), step.after
    if k.visible_to(viewer, seat, to):
        yield k.Note.of("gave-cards", Rule.GOS_2, seat=seat, to=to, cards=cards)
    else:
        yield k.Note.of("gave", Rule.GOS_2, seat=seat, to=to)
    if not is_exchange(after):
        yield k.Note.of("first-gosne", Rule.GOS_3, seat=after.gosne, hyoju=hyoju(after.gosne))


def _declared(seat: int, declare: Declare, viewer: int | None) -> Iterator[k.Note]:
    if k.visible_to(viewer, seat):
        yield k.Note.of(
            "declared-card", Rule.GOS_4, begins=k.SectionKind.TRICK, seat=seat, card=declare.card, number=declare.number
        )
    else:
        yield k.Note.of("declared", Rule.GOS_4, begins=k.SectionKind.TRICK, seat=seat, number=declare.number)


def _played(step: k.Step[State, Command], play: Play, viewer: int | None) -> Iterator[k.Note]:
    seat, before, after = step.seat, step.before, step.after
    if play.gun:
        yield k.Note.of("gun", Rule.GOS_6, seat=seat, card=play.card)
    elif k.visible_to(viewer, seat):
        yield k.Note.of("chestnut-card", Rule.GOS_6, seat=seat, card=play.card)
    else:
        yield k.Note.of("chestnut", Rule.GOS_6, seat=seat)
    if not after.trick and before.declared is not None:
        yield from _taken((*before.trick, play), before.declared, before.gosne, after)
    if model.is_ceo_known(after, None) and not model.is_ceo_known(before, None):
        yield _paired(after)
    if after.finished > before.finished:
        yield from _counted(after)


def _taken(trick: Trick, declared: int, gosne: int, after: State) -> Iterator[k.Note]:
    yield k.Note.of("turned-up", Rule.GOS_7, cards=tuple(play.card for play in trick))
    yield _judged(gosne, trick[0].card, declared)

    rule, places = contenders(trick, declared)
    won = trick[winner(trick, declared)]
    yield k.Note.of(_how(rule, won), rule, seat=after.gosne, card=won.card, among=len(places))
    rivals = [trick[place] for place in places]
    if any(model.is_x(play.card) for play in rivals) and len({strength(play) for play in rivals}) > 1:
        yield k.Note.of("x-lowest" if won.gun else "x-highest", Rule.GOS_11)
    equals = tuple(play.card for play in rivals if strength(play) == strength(won))
    if len(set(equals)) > 1:
        yield k.Note.of("later-x", Rule.GOS_R6, seat=after.gosne, equals=equals)
    elif len(equals) > 1:
        later = Rule.GOS_R5 if rule is Rule.GOS_9 else Rule.GOS_10
        yield k.Note.of("later", later, seat=after.gosne, equals=equals)

    if any(after.hands):
        yield k.Note.of("takes", Rule.GOS_13, seat=after.gosne)
    else:
        yield k.Note.of("takes-last", Rule.GOS_13, seat=after.gosne)
        if after.options.whistleblower:
            yield k.Note.of("takes-unseen", Rule.GOS_16, seat=after.gosne)


def _judged(gosne: int, card: k.Card, declared: int) -> k.Note:
    """Return the note of Gosne's truth or lie, and the reason for a lie."""
    if card == declared:
        return k.Note.of("truth", Rule.GOS_4, seat=gosne, card=card)
    if model.is_x(card):
        return k.Note.of("lie-x", Rule.GOS_12, seat=gosne, card=card, number=declared)
    if card == model.GOSNE:
        return k.Note.of("lie-gosne", Rule.GOS_19, seat=gosne, card=card, number=declared)
    if card not in model.NUMBERS:
        return k.Note.of("lie-forced", Rule.GOS_5, seat=gosne, card=card, number=declared)
    return k.Note.of("lie", Rule.GOS_4, seat=gosne, card=card, number=declared)


def _how(rule: Rule, won: Play) -> str:
    """Return the key of the note that says why this card won."""
    if rule is Rule.GOS_7:
        return "won-truth"
    if rule is Rule.GOS_8:
        return "won-lie" if won.gun else "won-no-gun"
    return "won-prosecutor-gun" if won.gun else "won-prosecutor"


def _counted(after: State) -> Iterator[k.Note]:
    points = score(after)
    one, other = sides(after)
    for seat, cards in enumerate(after.taken):
        if cards:
            shown = tuple(sorted(cards))
            count = sum(model.chestnuts_on(after.options, card) for card in cards)
            yield k.Note.of("pile-open", Rule.GOS_R7, seat=k.Seat(seat), cards=shown, chestnuts=count)
    yield k.Note.of(
        "counted", Rule.GOS_14, one=one, other=other, chestnuts=points[one[0]], chestnuts_other=points[other[0]]
    )
    yield k.Note.of("scored", Rule.GOS_R4, points=points)
    several = after.options.hands > 1
    ended = result(after)
    if ended is None:
        yield k.Note.of(
            "next-hand", Rule.GOS_15, totals=after.points, dealer=model.dealer(after.options, after.finished)
        )
        return
    if several:
        yield k.Note.of("all-dealt", Rule.GOS_15, totals=after.points)
    sides_change = several and after.options.whistleblower
    if len(ended.winners) > 1 and (sides_change or ended.winners not in (one, other)):
        yield k.Note.of("tied", Rule.GOS_R2, seats=ended.winners)
    key = "won-pair" if not several and ended.winners in (one, other) and len(ended.winners) == 2 else "won"
    yield k.Note.of(key, Rule.GOS_R4 if several else Rule.GOS_14, seats=ended.winners, points=ended.points)


TINTS = {model.X: "purple", model.GOSNE: "orange", model.CEO: "blue"}
TEXTS = {model.X: "X", model.GOSNE: "G13", model.CEO: "CEO"}


def face(card: k.Card) -> k.Face:
    """Return how a card looks where its chestnuts are not known."""
    return k.Face(TEXTS.get(card, str(card)), TINTS.get(card, "ink"))


SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def printed_face(options: Options, card: k.Card) -> k.Face:
    """Return how a card looks in a match: with the number of its chestnuts, raised, if the option names any."""
    plain = face(card)
    if not options.chestnuts:
        return plain
    return k.Face(plain.text + str(model.chestnuts_on(options, card)).translate(SUPERSCRIPT), plain.tint)


def scene(view: View) -> k.Scene:
    """Return the scene of a view."""
    unseen = []
    if view.options.whistleblower:
        unseen = [k.Zone("zone-unseen", k.card_things(view.unseen, _face(view), view.unseen_size))]
    laid = [_laid(view, place) for place in range(len(view.trick))]
    trick = k.Zone("zone-trick", k.trick_things(laid, view.gosne, model.SEATS))
    table = k.Place(seat=None, zones=(trick, *unseen), facts=tuple(_facts(view)))
    return k.Scene(view.viewer, table, tuple(_place(view, k.Seat(seat)) for seat in range(model.SEATS)))


def _facts(view: View) -> list[k.Fact]:
    hands = view.options.hands
    facts = [k.Fact("fact-hand", min(view.finished + 1, hands), hands)] if hands > 1 else []
    facts.append(k.Fact("fact-trick", min(sum(view.taken_sizes) // model.SEATS + 1, model.HAND), model.HAND))
    if view.declared is not None:
        facts.append(k.Fact("fact-declared", view.declared))
    if view.last is not None:
        facts.append(k.Fact("fact-last-declared", view.last.declared))
    return facts


def _laid(view: View, place: int) -> k.Thing:
    card = view.trick[place]
    faces = () if card is None else (_face(view)(card),)
    return k.Thing(faces, marks=(_how_laid(view.guns[place]),))


def _how_laid(gun: bool) -> str:
    return "mark-gun" if gun else "mark-chestnut"


def _last(view: View, seat: int) -> tuple[k.Thing, ...]:
    """Return the seat's card of the last trick: how it was laid, and if it was Gosne's (GOS-R7)."""
    if view.last is None:
        return ()
    place = (seat - view.last.gosne) % model.SEATS
    play = view.last.plays[place]
    marks = (_how_laid(play.gun),) if place else (_how_laid(play.gun), "mark-gosne")
    return (k.Thing((_face(view)(play.card),), marks=marks),)


def _face(view: View) -> Callable[[k.Card], k.Face]:
    return partial(printed_face, view.options)


def _place(view: View, seat: int) -> k.Place:
    place, face = (seat - view.gosne) % model.SEATS, _face(view)
    lies = (_laid(view, place),) if place < len(view.trick) else ()
    return k.Place(
        seat=seat,
        zones=(
            k.Zone("zone-hand", k.card_things(view.hands[seat], face, view.hand_sizes[seat], "card")),
            k.Zone("zone-played", lies),
            k.Zone("zone-last", _last(view, seat)),
            *_gifts(view, seat),
            k.Zone("zone-taken", k.card_things(view.taken[seat], face, view.taken_sizes[seat])),
        ),
        facts=(k.Fact("fact-points", view.points[seat]),),
        marks=tuple(_marks(view, seat)),
    )


def _gifts(view: View, seat: int) -> list[k.Zone]:
    """Lay out what the seat gave and got in the exchange, where the viewer knows it and has it not."""
    zones: list[k.Zone] = []
    if view.viewer is not None and view.viewer >= 0 and seat == model.partner(view.viewer):
        return zones
    for place, cards in enumerate(view.gifts):
        by = model.giver(view.options, view.finished, place)
        if cards is not None and seat in (by, model.partner(by)):
            zones.append(k.Zone("zone-gave" if seat == by else "zone-got", k.card_things(cards, _face(view))))
    return zones


def _marks(view: View, seat: int) -> list[str]:
    """Return the marks of a seat: its role in the trick, and the special card that it is known to hold."""
    if not view.to_act:
        return []
    marks = ["mark-dealer"] if seat == model.dealer(view.options, view.finished) else []
    is_seated = view.viewer is not None and view.viewer >= 0
    if is_seated and not view.options.whistleblower and view.viewer == model.partner(seat):
        marks.insert(0, "mark-partner")
    if any(view.hand_sizes) and not view.misdeal:
        marks.append({view.gosne: "mark-gosne", hyoju(view.gosne): "mark-hyoju"}.get(seat, "mark-prosecutor"))
    if seat == view.gosne_card:
        marks.append("mark-gosne-card")
    if seat == view.ceo_card:
        marks.append("mark-ceo-card")
    return marks


def parts(command: Command) -> tuple[k.Part, ...]:
    """Return the cards of the hand that the command is about, and the button for a number, a gun or a chestnut."""
    match command:
        case Give(cards):
            return k.card_parts(cards)
        case Declare(card, number):
            return (("card", card), ("number", number))
        case Play(card, gun):
            return (("card", card), ("lay", "gun" if gun else "chestnut"))
        case Deal():
            return ()
