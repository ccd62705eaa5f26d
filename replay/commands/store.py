"""`replay store`: check a store of live matches, copy it, drop what is old, make it ready for newer rules."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from enum import StrEnum
from pathlib import Path
from time import time
from typing import Annotated

import typer

from ...core.errors import Message
from ...core.host import Host, preview_rules
from ...core.host.metadata import metadata_of
from ...core.match.registry import find
from ...core.stores import Store, open_store
from ...core.stores.maintenance import Outcome, check, copy, expire
from ...core.text.sanitize import sanitize
from ...core.text.texts import Line, Texts
from ..call_errors import CallError
from ..options import JsonOption, LangOption, rules_counts, texts_for
from ..progress import lines_beside_bar, progress_bar
from ..render.console import ConsoleWriter

MAX_CELLS = 400


class Action(StrEnum):
    """What to do with a store."""

    check = "check"
    copy = "copy"
    expire = "expire"
    rules = "rules"
    witness = "witness"


ActionArgument = Annotated[Action, typer.Argument(metavar="check|copy|expire|rules|witness", help="What to do.")]
AddressArgument = Annotated[str, typer.Argument(metavar="ADDRESS", help="The store: sqlite:FILE, files:DIR, …")]
TargetArgument = Annotated[str | None, typer.Argument(metavar="TARGET", help="copy: the store to copy into.")]
FinishedOption = Annotated[
    float | None,
    typer.Option("--finished-days", metavar="N", min=0, help="expire: matches that ended so many days ago."),
]
OpenOption = Annotated[
    float | None,
    typer.Option("--open-days", metavar="N", min=0, help="expire: matches that have waited so long for players."),
]
GoingOption = Annotated[
    float | None,
    typer.Option(
        "--going-days", metavar="N", min=0, help="expire: matches in which nobody joined or ended for so long."
    ),
]


def store(
    action: ActionArgument,
    address: AddressArgument,
    target: TargetArgument = None,
    finished_days: FinishedOption = None,
    open_days: OpenOption = None,
    going_days: GoingOption = None,
    json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Check every log of a store, copy it into another kind, drop what is old, or make it ready for newer rules.

    `witness`, before an upgrade, notes what everybody has in each running match, so that it can go on under newer
    rules. `rules`, with the newer ones, names what becomes of each, and changes nothing. The store may be served
    meanwhile; run `copy` again until nothing is new. Exit code 1: some match has a problem.
    """
    days = {"over": finished_days, "abandoned": finished_days, "open": open_days, "going": going_days}
    chosen = {status: float(each) for status, each in days.items() if each is not None}
    if (action is Action.copy) != (target is not None):
        raise CallError("copy-into", "copy takes two stores; the others take one")
    if (action is Action.expire) != bool(chosen):
        raise CallError("expire-what", "expire takes --finished-days, --open-days or --going-days; others do not")
    texts, writer = texts_for(lang), ConsoleWriter(plain=True)
    count = problems = 0
    with ExitStack() as opened:
        source = opened.enter_context(closing(_existing(address)))
        if action is Action.rules:
            return _rules(source, texts, writer, json=json)
        into = opened.enter_context(closing(open_store(target))) if target is not None else None
        shown = action is not Action.expire and not (json and writer.is_terminal)
        say = opened.enter_context(lines_beside_bar(writer, shown=shown))
        for each in progress_bar(_outcomes(action, source, into, chosen), f"store {action.value}", None, shown=shown):
            count, problems = count + 1, problems + (each.problem is not None)
            problem = None if each.problem is None else _text(texts, each.problem)
            if json:
                writer.json({"match": each.match, "status": each.status, "problem": problem})
            elif problem is not None or action is Action.expire:
                say(f"{each.match}  {sanitize(problem or each.status, MAX_CELLS)}")
    if not json:
        summary = texts.format(
            f"store-{action.value}", count=count, problems=problems, address=Line(_printable(address))
        )
        sys.stdout.write(f"{summary}\n")
    return 1 if problems else 0


def _outcomes(action: Action, source: Store, into: Store | None, days: dict[str, float]) -> Iterator[Outcome]:
    if action is Action.check:
        return check(source, find, metadata_of)
    if action is Action.witness:
        return Host(source).write_witnesses()
    if into is not None:
        return copy(source, into)
    return expire(source, int(time() * 1000), days)


def _rules(source: Store, texts: Texts, writer: ConsoleWriter, *, json: bool) -> int:
    """Print what would become of each match under today's rules; return 1 if any would not go on."""
    updates = list(progress_bar(preview_rules(source, find), "store rules", None, shown=True))
    for each in updates:
        if json:
            why = None if each.why is None else _text(texts, each.why)
            row = {"match": each.match, "game": each.game, "rules": each.rules, "to": each.to}
            writer.json({**row, "outcome": each.outcome, "why": why})
        else:
            sys.stdout.write(f"{each.match}  {sanitize(_text(texts, each.summary), MAX_CELLS)}\n")
    if not json:
        counts = rules_counts(Counter(str(each.outcome) for each in updates))
        sys.stdout.write(texts.format("store-rules", **counts) + "\n")
    return 1 if any(each.outcome != "goes on" for each in updates) else 0


def _text(texts: Texts, problem: str) -> str:
    return texts.message(problem) if isinstance(problem, Message) else problem


def _printable(address: str) -> str:
    """Return a store's address; of a database only the kind, as the rest may contain a password."""
    kind, _, database = address.partition("://")
    return kind if database else address


def _existing(address: str) -> Store:
    """Open a store that is there; raises `CallError` rather than make one."""
    kind, _, place = address.partition(":")
    if kind in ("files", "sqlite") and not Path(place).exists():
        raise CallError("no-store-there", "{store}: there is no such store", store=ascii(address))
    return open_store(address)
