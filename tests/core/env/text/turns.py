"""Tables at the turns at which the tests of answers ask a seat, each by the tag of the commands that it has then."""

from functools import cache

from kifu.core.env import Refused, text_table
from kifu.core.wire import wire_of


@cache
def turn(game, tag, count, lang="en"):
    """Return a table, and its seat that has at least so many commands of a tag; until then each gave its second."""
    table = text_table(game, seed=bytes(32), lang=lang)
    while True:
        seat = min(table.to_act)
        if sum(wire_of(table.game).tag(each) == tag for each in table.match.legal(seat)) >= count:
            return table, seat
        table.act(seat, f"#{min(2, len(table.match.legal(seat)))}")


def said(table, seat, answer):
    """Return the words of the command that an answer is read as; of a refusal, the words of all that it names."""
    listed = [each for tag in dict.fromkeys(table.game.wire.values()) for each in table.find(seat, tag)]
    try:
        command = table.parse(seat, answer)
    except Refused as refused:
        numbers = refused.facts.get("numbers", [])
        return [each.words for number in numbers for each in listed if each.number == number]
    return next(each.words for each in listed if each.command == command)


TURNS = {
    "open": ("cake", "open", 6),
    "take": ("cake", "take", 4),
    "claim": ("cake", "claim", 2),
    "vote": ("cake", "vote", 2),
    "settle": ("cake", "settle", 4),
    "share": ("take_and_share", "share", 6),
    "give": ("gosne", "give", 4),
    "declare": ("gosne", "declare", 4),
    "play": ("gosne", "play", 6),
    "build": ("palace", "build", 2),
    "inspect": ("palace", "inspect", 6),
    "draw": ("mabr", "draw", 10),
    "swap": ("mabr", "swap", 1),
    "conceal": ("mabr", "conceal", 1),
}
