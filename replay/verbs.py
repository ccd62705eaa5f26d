"""The verbs of the command line: their names, what the help pages say of them, and where their code lies.

A call imports the module of its own verb only, so that a short call does not wait for what it does not use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from attrs import frozen


@frozen
class Verb:
    """A verb, as a help page lists it."""

    name: str
    """As it is typed, e.g. `new-game`: its module in `commands` has this name, with underscores."""
    summary: str
    example: str
    function: str = ""
    """The name of its function where that is not the module's."""

    def load(self) -> Callable[..., int]:
        """Import the module of the verb and return its function."""
        module = self.name.replace("-", "_")
        function: Any = getattr(import_module(f"{__package__}.commands.{module}"), self.function or module)
        return function  # type: ignore[no-any-return]


class VerbFunctions(Mapping[str, Callable[..., int]]):
    """The functions of all verbs by name, each imported when it is asked for."""

    def __getitem__(self, name: str) -> Callable[..., int]:
        return VERBS[name].load()

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


VERBS: Mapping[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb("show", "Show a match step by step.", "replay show game.log --step 12 --as 2"),
        Verb(
            "export",
            "Write a match as a page for a browser, or as data.",
            "replay export game.log -o match.html --as 2",
            function="export_log",
        ),
        Verb("audit", "Replay logs under the rules and report what is wrong.", "replay audit logs/ --json"),
        Verb(
            "verify",
            "Compare a seat's record with the log, or another's.",
            "replay verify mine.seat --against game.log",
        ),
        Verb(
            "diff",
            "Show where two replays diverge, and whether it matters.",
            "replay diff game.log --engine ../new/bin/python",
        ),
        Verb("trace", "Write the states that an engine computes from a log.", "replay trace game.log -o game.trace"),
        Verb("site", "Write a site of matches that needs no server.", "replay site logs/ -o site"),
        Verb("golden", "Compare golden logs with their stored traces.", "replay golden fixtures/"),
        Verb("rules", "Print the rules of a game by number.", "replay rules take_and_share --coverage logs/"),
        Verb("games", "List the games, their options and commands.", "replay games --lang ja"),
        Verb("new-game", "Write a package of a game, to begin your own.", "replay new-game hearts"),
        Verb(
            "simulate", "Play random matches and write their logs.", "replay simulate take_and_share --games 10 -o logs"
        ),
        Verb("stats", "Count results, scores, lengths, rules and times.", "replay stats logs/ -o stats.html"),
        Verb("table", "Write events as a table for DuckDB or polars.", "replay table logs/ -o events.parquet"),
        Verb("rate", "Rate the players from the logs alone.", "replay rate logs/ --json"),
        Verb("impact", "Show what a change would do to many logs.", "replay impact logs/ --option long=true"),
        Verb(
            "shrink",
            "Find the shortest match that still shows it.",
            "replay shrink game.log -o short.log --option long=true",
        ),
        Verb(
            "seek",
            "Play matches until two engines part.",
            "replay seek cake --engine ../new/bin/python -o parted.log",
            function="seek_parting",
        ),
        Verb(
            "bisect",
            "Find the commit whose engine first differs.",
            "replay bisect game.log --repo ../game --good v1.0",
        ),
        Verb("when", "Show at which steps a value changed, and why.", "replay when game.log 'totals[1] > 20' --first"),
        Verb(
            "analyse",
            "Show what each decision cost, and what turned the match.",
            "replay analyse game.log -o game.analysis",
        ),
        Verb(
            "anonymize", "Write the same match without names, times and ids.", "replay anonymize game.log -o golden.log"
        ),
        Verb(
            "rotate-keys",
            "Issue new keys for the seats of a live match.",
            "replay rotate-keys 6f1e0a9c --store sqlite:matches.db --seat 1",
        ),
        Verb(
            "resume",
            "Play a recorded match on as a live one.",
            "replay resume game.log --store sqlite:matches.db --bot 1=normal",
        ),
        Verb("store", "Check, copy or clear a store of live matches.", "replay store check sqlite:matches.db"),
        Verb(
            "mcp",
            "Serve a seat to an assistant (Model Context Protocol).",
            "replay mcp cake --bots greedy,random -o game.log",
        ),
        Verb("openenv", "Serve games as environments of OpenEnv.", "replay openenv --port 8000"),
        Verb(
            "serve",
            "Serve live matches, and a page to play them.",
            "replay serve --store sqlite:matches.db --port 8000",
        ),
    )
}
