"""A terminal for one player among bots, in English or Japanese, with undo and a saved match.

    python solo.py palace my.log normal ja    # game, file, level of the bots, language

It needs kifu[replay]. The same call again goes on with the match in the file.
"""

import secrets
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import kifu
from kifu.core.game import Thing
from kifu.core.match import AnyMatch
from kifu.core.match.bot import Player, random_bot
from kifu.core.text.texts import Texts
from kifu.games import bots

ME = 0
WORDS = {
    "en": {"you": "You", "ask": "Which? (u: undo, q: save and leave) ", "none": "None of the numbers.", "more": "…"},
    "ja": {"you": "あなた", "ask": "どれ？（u：取り消す、q：保存して終わる）", "none": "その番号はない。", "more": "…"},
}


def table_lines(match: AnyMatch, texts: Texts) -> Iterator[str]:
    """Yield the table as the player sees it, a line for each place."""
    names, scene = match.header.seats, match.scene(ME)
    for place in (scene.table, *scene.places):
        facts = [f"{texts.label(fact.label, match.game)} {fact.value}" for fact in place.facts]
        zones = [
            f"{texts.label(zone.label, match.game)} {' '.join(map(thing_text, zone.things))}"
            for zone in place.zones
            if zone.things
        ]
        yield f"  {texts.seat(kifu.TABLE if place.seat is None else place.seat, names)}: {', '.join(facts + zones)}"


def thing_text(thing: Thing) -> str:
    """Return the faces of a thing, or how many cards lie there face down."""
    return " ".join(face.text for face in thing.faces) or f"[{thing.count}]"


def ask(match: AnyMatch, texts: Texts, words: Mapping[str, str]) -> Any:
    """Show the table and the commands; return a command, or "u" or "q"."""
    commands = match.legal(ME)[:40]
    print(*table_lines(match, texts), sep="\n")
    for number, command in enumerate(commands, 1):
        print(f"  {number:3}  {texts.command(command, match.game, match.header.seats)}")
    if len(commands) < len(match.legal(ME)):
        print(words["more"])
    while (answer := input(words["ask"]).strip()) not in ("u", "q"):
        if answer.isdecimal() and 1 <= int(answer) <= len(commands):
            return commands[int(answer) - 1]
        print(words["none"])
    return answer


def main(game: str, file: str = "solo.log", level: str = "normal", lang: str = "en") -> None:
    """Play a match to its end, or to the player's leave; the file has it after every command."""
    texts, path = Texts(lang), Path(file)
    words = WORDS[texts.lang]
    match = kifu.load(path) if path.exists() else kifu.new(game, [words["you"], "Ada", "Bob", "Cyd"])
    names, seed = match.header.seats, secrets.token_bytes(32)
    others = [seat for seat in range(len(names)) if seat != ME]
    players = {seat: Player(match, seat, bots.find(level)(seed), level, stand_in=random_bot(seed)) for seat in others}
    print(texts.title(match.game), "-", *names)
    while match.to_act:
        shown = len(match.steps)
        if ME not in match.to_act:
            players[min(match.to_act)].act()
            match.deal()
        elif (chosen := ask(match, texts, words)) == "q":
            return
        elif chosen != "u":
            match.play(ME, chosen)
        else:
            try:
                match.undo(ME)
            except kifu.MatchError as error:
                print(texts.message(error.summary))
        for step in match.steps[shown:]:
            for note in step.notes_for(ME):
                print(f"  * {texts.note(note, match.game, names)}")
        match.save(path)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except kifu.KifuError as error:
        sys.exit(f"{error}")
    except (EOFError, KeyboardInterrupt):
        sys.exit(130)
