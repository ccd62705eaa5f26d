"""`replay store`: check a store of live matches, copy it, take logs in and out, drop what is old, issue new keys."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import time
from urllib.parse import quote

import click
from rich.text import Text

from ...core.errors import KifuError, LogError, Message
from ...core.game import Seat
from ...core.host import Host, OpenedMatch, Terms, preview_rules
from ...core.host.metadata import is_closed, metadata_of
from ...core.match.registry import find
from ...core.stores import Store, log_bytes_of, maintenance, open_store
from ...core.stores.maintenance import Outcome, rows_of
from ...core.text.sanitize import sanitize
from ...core.text.texts import Line, Texts
from ..call_errors import CallError, UserMessage
from ..command import VerbGroup, verb
from ..logs.locations import Place, location, make_folder, place, read_content, read_if_exists, require_logs, write_file
from ..options import (
    bot_factory_of,
    game_option,
    lang_option,
    log_argument,
    logs_argument,
    printable_store,
    report_options,
    rules_counts,
    seed_of,
)
from ..progress import lines_beside_bar, progress_bar
from ..render.console import Output

MAX_CELLS = 400

address_argument = click.argument("address", metavar="ADDRESS", help="The store: sqlite:FILE, postgresql://…")
page_option = click.option("--page", metavar="URL", help="Print links to the page served there, not bare keys.")


@verb("replay store check sqlite:matches.db")
@game_option
@address_argument
@report_options
def check(address: str, output: Output) -> int:
    """Read every log with its chain, digests and rules, and name the matches with a problem.

    Exit code 1: some match has a problem.
    """
    with closing(_existing(address)) as source:
        return _report(maintenance.check(source, find, metadata_of), "check", address, output)


@verb("replay store copy sqlite:matches.db postgresql://localhost/kifu")
@game_option
@address_argument
@click.argument("target", metavar="TARGET", help="The store to copy into.")
@report_options
def copy(address: str, target: str, output: Output) -> int:
    """Copy all matches into another store, also of another kind.

    The store may be served meanwhile: run it again until nothing is new. Exit code 1: some match has a problem.
    """
    with closing(_existing(address)) as source, closing(open_store(target)) as into:
        return _report(maintenance.copy(source, into), "copy", address, output)


@verb("replay store expire sqlite:matches.db --finished-days 365")
@address_argument
@click.option("--finished-days", type=click.FloatRange(0), metavar="N", help="Matches that ended so many days ago.")
@click.option(
    "--open-days", type=click.FloatRange(0), metavar="N", help="Matches that have waited so long for players."
)
@click.option(
    "--going-days", type=click.FloatRange(0), metavar="N", help="Matches in which nobody joined or ended for so long."
)
@report_options
def expire(
    address: str,
    finished_days: float | None,
    open_days: float | None,
    going_days: float | None,
    output: Output,
) -> int:
    """Delete the matches that have not changed for so many days, and name them.

    One that has ended stays while another goes on that shares its cards.
    """
    days = {"over": finished_days, "abandoned": finished_days, "open": open_days, "going": going_days}
    chosen = {status: each for status, each in days.items() if each is not None}
    if not chosen:
        raise CallError("expire-what", "expire takes --finished-days, --open-days or --going-days")
    with closing(_existing(address)) as source:
        expired = maintenance.expire(source, int(time() * 1000), chosen, is_closed)
        return _report(expired, "expire", address, output)


@verb("replay store export sqlite:matches.db logs")
@game_option
@address_argument
@click.argument("folder", metavar="DIR", help="The folder for the logs; made if missing.")
@report_options
def export(address: str, folder: str, output: Output) -> int:
    """Write the log of each match that has begun into a folder, as DIR/ID.log.

    A log that is there is replaced only if it has grown. Exit code 1: some log could not be written.
    """
    with closing(_existing(address)) as source:
        return _report(_export_logs(source, place(folder)), "export", address, output)


@verb("replay store import sqlite:matches.db logs/", name="import")
@address_argument
@logs_argument
@report_options
def import_(address: str, logs: tuple[str, ...], output: Output) -> int:
    """Take logs in, each as a match under its own id; `rotate-keys` issues keys for those that go on.

    The store is made if missing. Exit code 1: some log was refused.
    """
    with closing(open_store(address)) as source:
        return _report(_import_logs(source, logs), "import", address, output)


@verb("replay store rules sqlite:matches.db")
@game_option
@address_argument
@report_options
def rules(address: str, output: Output) -> int:
    """Name what becomes of each match begun under older rules, once it is served with today's; change nothing.

    Exit code 1: some match does not go on.
    """
    with closing(_existing(address)) as source:
        return _rules(source, output)


@verb("replay store witness sqlite:matches.db")
@game_option
@address_argument
@report_options
def witness(address: str, output: Output) -> int:
    """Note what everybody has in each running match, before an upgrade, so that it can go on under newer rules."""
    with closing(_existing(address)) as source:
        return _report(Host(source).write_witnesses(), "witness", address, output)


@verb("replay store rotate-keys sqlite:matches.db 6f1e0a9c --seat 1")
@game_option
@address_argument
@click.argument("match", metavar="MATCH", help="The match's id, as in its web address.")
@click.option(
    "--seat", type=int, multiple=True, metavar="SEAT", help="Only for this seat; repeatable. Default: all players."
)
@page_option
@report_options
def rotate_keys(address: str, match: str, seat: tuple[int, ...], page: str | None, output: Output) -> int:
    """Issue new keys for the players of a live match; the old keys become invalid.

    The match may be served meanwhile. Anyone with a key can act for its seat: give each only to its player.
    """
    with closing(_existing(address)) as opened:
        host = Host(opened)
        issued = host.rotate_keys(match, seat or None)
        names = host.about(match).seats
    _print_keys(issued, names, page, output)
    return 0


@verb("replay store resume sqlite:matches.db game.log --bot 1=normal")
@address_argument
@log_argument
@click.option("--bot", multiple=True, metavar="SEAT=BOT", help="A seat that a bot plays; repeatable.")
@page_option
@report_options
def resume(address: str, log: str, bot: tuple[str, ...], page: str | None, output: Output) -> int:
    """Make a log a live match of a store, under its own id, and print a new key for each seat.

    An unfinished match is played on, e.g. one that was begun in a browser without a server. Whoever had the log knows
    all cards of it; no fair deal can be claimed. A log with anything wrong in it is refused.
    """
    seats = dict(map(_seat_and_bot, bot))
    content = read_content(location(log))
    players = {name: bot_factory_of(name)(seed_of(None)) for name in seats.values()}
    with closing(open_store(address)) as opened:
        host = Host(opened, bots=players)
        try:
            issued = host.import_log(content, Terms(bots=seats))
        except LogError as error:
            error.path = str(log)
            raise
        names = host.about(issued.match).seats
    _print_keys(issued, names, page, output)
    return 0


@click.group(
    cls=VerbGroup,
    commands=[check, copy, export, import_, expire, rules, witness, rotate_keys, resume],
    sections={
        "Actions": {
            "check": "Name the matches with a problem.",
            "copy": "Copy all matches into another store.",
            "export": "Write the log of each match.",
            "import": "Take logs in as matches.",
            "expire": "Delete what has not changed for long.",
            "rules": "Tell what newer rules do to running matches.",
            "witness": "Note what running matches need for newer rules.",
            "rotate-keys": "Issue new keys for the seats of a match.",
            "resume": "Play a recorded match on as a live one.",
        }
    },
    no_args_is_help=False,
    subcommand_metavar="ACTION …",
    epilog="replay store check sqlite:matches.db",
)
@lang_option
def store() -> None:
    """Check a store of live matches, copy it, take logs in and out, or drop what is old.

    The store may be served meanwhile.
    """


def _report(outcomes: Iterator[Outcome], action: str, address: str, output: Output) -> int:
    """Print an outcome for each match that has a problem, or that is deleted; return the exit code."""
    texts, writer, json = output.texts, output.writer, output.json
    count = problems = 0
    shown = action != "expire" and not (json and writer.is_terminal)
    with lines_beside_bar(writer, shown=shown) as say:
        for each in progress_bar(outcomes, f"store {action}", None, shown=shown):
            count, problems = count + 1, problems + (each.problem is not None)
            problem = None if each.problem is None else _text(texts, each.problem)
            if json:
                writer.json({"match": each.match, "status": each.status, "problem": problem})
            elif problem is not None or action == "expire":
                say(f"{each.match}  {sanitize(problem or each.status, MAX_CELLS)}")
    if not json:
        said = texts.format(f"store-{action}", count=count, problems=problems, address=Line(printable_store(address)))
        sys.stdout.write(f"{said}\n")
    return 1 if problems else 0


def _import_logs(store: Store, typed: Sequence[str]) -> Iterator[Outcome]:
    """Take each of these logs into the store; yield an outcome for each, of a log that is refused under its name."""
    host = Host(store)
    for log in require_logs(typed):
        try:
            match = host.import_log(read_content(log)).match
            yield Outcome(match, host.about(match).status)
        except KifuError as refused:
            yield Outcome(sanitize(str(log), MAX_CELLS), "", refused.summary)


def _export_logs(store: Store, folder: Place) -> Iterator[Outcome]:
    """Write the log of each match that has begun into a folder, as `ID.log`; yield an outcome for each."""
    make_folder(folder)
    for match, row in rows_of(store):
        if row.status != "open":
            yield Outcome(match, row.status, _export(store, match, folder / f"{match}.log"))


def _export(store: Store, match: str, file: Place) -> str | None:
    """Write a log into a file that does not exist, or that the log goes on from; return why it is not written."""
    try:
        stored, there = store.read(match), read_if_exists(file) or b""
        log = log_bytes_of(stored)
        if not log.startswith(there):
            return UserMessage("not-its-beginning", "there already, and this log does not begin so")
        if len(log) > len(there):
            write_file(file, log, private=stored.end is None)
    except KifuError as failed:
        return failed.summary
    return None


def _seat_and_bot(typed: str) -> tuple[int, str]:
    seat, _, bot = typed.partition("=")
    if not (seat.isascii() and seat.isdigit() and bot):
        raise CallError("seat-and-bot", "--bot {asked}: give a seat and its bot, as 1=normal", asked=ascii(typed[:60]))
    return Seat(int(seat)), bot


def _rules(source: Store, output: Output) -> int:
    """Print what would become of each match under today's rules; return 1 if any would not go on."""
    texts = output.texts
    updates = list(progress_bar(preview_rules(source, find), "store rules", None, shown=True))
    for each in updates:
        if output.json:
            why = None if each.why is None else _text(texts, each.why)
            row = {"match": each.match, "game": each.game, "rules": each.rules, "to": each.to}
            output.writer.json({**row, "outcome": each.outcome, "why": why})
        else:
            sys.stdout.write(f"{each.match}  {sanitize(_text(texts, each.summary), MAX_CELLS)}\n")
    if not output.json:
        counts = rules_counts(Counter(str(each.outcome) for each in updates))
        sys.stdout.write(texts.format("store-rules", **counts) + "\n")
    return 1 if any(each.outcome != "goes on" for each in updates) else 0


def _text(texts: Texts, problem: str) -> str:
    return texts.message(problem) if isinstance(problem, Message) else problem


def _existing(address: str) -> Store:
    """Open a store that is there; raises `CallError` rather than make one."""
    kind, _, place = address.partition(":")
    if kind == "sqlite" and not Path(place).exists():
        raise CallError("no-store-there", "{store}: there is no such store", store=ascii(address))
    return open_store(address)


def _print_keys(issued: OpenedMatch, names: Sequence[str | None], page: str | None, output: Output) -> None:
    """Print a line for each seat that has a key: its number, its name, and the key, or a link to the page."""
    for number, key in enumerate(issued.keys):
        if key is None:
            continue
        link = None if page is None else f"{page.partition('#')[0]}#match={quote(issued.match)}&key={key}"
        if output.json:
            row = {"match": issued.match, "seat": number, "name": names[number], "key": key}
            output.writer.json(row if link is None else {**row, "link": link})
        else:
            output.writer.print(Text(f"{number}  {sanitize(str(names[number]))}  {link or key}"))
