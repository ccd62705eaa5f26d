"""A terminal hot seat: all players before one screen, one after the other.

    python hot_seat.py take_and_share Aki Ren Mio

It needs kifu; with kifu[replay] it has the sentences of the game's catalogue.
"""

import sys
from collections.abc import Iterator
from typing import Any

import kifu
from kifu.core.game import Thing
from kifu.core.match import AnyMatch
from kifu.core.text.texts import Texts

TEXTS = Texts("en")


def table_lines(match: AnyMatch, seat: int) -> Iterator[str]:
    """Yield the table as a seat sees it, a line for each place."""
    scene = match.scene(seat)
    for place in (scene.table, *scene.places):
        who = "table" if place.seat is None else TEXTS.seat(place.seat, match.header.seats)
        facts = [f"{TEXTS.label(fact.label, match.game)} {fact.value}" for fact in place.facts]
        zones = [
            f"{TEXTS.label(zone.label, match.game)} {' '.join(map(thing_text, zone.things))}"
            for zone in place.zones
            if zone.things
        ]
        yield f"  {who}: {', '.join(facts + zones)}"


def thing_text(thing: Thing) -> str:
    """Return the faces of a thing, or how many cards lie there face down."""
    return " ".join(face.text for face in thing.faces) or f"[{thing.count}]"


def ask(match: AnyMatch, seat: int) -> Any:
    """Show a seat its table and commands, and return the command it chooses."""
    name = TEXTS.seat(seat, match.header.seats)
    input(f"\n{'=' * 20}\n{name}, press Enter when only you look at the screen. ")
    print(*table_lines(match, seat), sep="\n")
    commands = match.legal(seat)
    for number, command in enumerate(commands):
        print(f"  {number:3}  {TEXTS.command(command, match.game, match.header.seats)}")
    while True:
        answer = input(f"{name}, which one? ")
        if answer.isdecimal() and int(answer) < len(commands):
            return commands[int(answer)]
        print("  That is none of the numbers.")


def main(game: str, *names: str) -> None:
    """Play a match to its end, and save it."""
    match = kifu.new(game, names)
    while match.to_act:
        seat = min(match.to_act)
        shown = len(match.steps)
        match.play(seat, ask(match, seat))
        for step in match.steps[shown:]:  # what everybody may know: a spectator's notes
            for note in step.notes_for(None):
                print(f"  * {TEXTS.note(note, match.game, names)}")
    match.save("hot_seat.log")
    if match.result is not None:
        print("Points:", *match.result.points, "- replay show hot_seat.log")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except kifu.KifuError as error:
        sys.exit(f"{error}")
    except (EOFError, KeyboardInterrupt):
        sys.exit(130)
