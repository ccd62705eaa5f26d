"""The program `replay`: its verbs, its exit codes, and one line for every error."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated

import typer

from ..core.errors import KifuError, os_error_message
from ..core.text.sanitize import sanitize
from ..core.text.texts import FALLBACK, Texts
from .call_errors import UserMessage, error_text
from .commands.anonymize import anonymize
from .commands.audit import audit
from .commands.bisect import bisect
from .commands.diff import diff
from .commands.export import export_log
from .commands.games import games
from .commands.golden import golden
from .commands.impact import impact
from .commands.mcp import mcp
from .commands.new_game import new_game
from .commands.rate import rate
from .commands.rotate_keys import rotate_keys
from .commands.rules import rules
from .commands.seek import seek_parting
from .commands.serve import serve
from .commands.show import show
from .commands.shrink import shrink
from .commands.simulate import simulate
from .commands.stats import stats
from .commands.table import table
from .commands.trace import trace
from .commands.verify import verify
from .commands.when import when
from .help_page import asks_for_help, program_page, verb_page
from .options import texts_for
from .render.console import ConsoleWriter
from .usage_errors import lang_of, usage_error, verb_of

INTERRUPTED = 130

app = typer.Typer(
    help="Replay, explain and check the logs of tabletop games.",
    epilog="Begin with: replay simulate take_and_share -o logs; replay show logs/*.log",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
VERBS: dict[str, Callable[..., int]] = {}
EXAMPLES: dict[str, str] = {}
for verb, summary, example in (
    (show, "Show a match step by step.", "replay show game.log --step 12 --as 2"),
    (export_log, "Write a match as a page for a browser, or as data.", "replay export game.log -o match.html --as 2"),
    (audit, "Replay logs under the rules and report what is wrong.", "replay audit logs/ --json"),
    (verify, "Compare a seat's record with the log, or another's.", "replay verify mine.seat --against game.log"),
    (
        diff,
        "Show where two replays diverge, and whether it matters.",
        "replay diff game.log --engine ../new/bin/python",
    ),
    (trace, "Write the states that an engine computes from a log.", "replay trace game.log -o game.trace"),
    (golden, "Compare golden logs with their stored traces.", "replay golden fixtures/"),
    (rules, "Print the rules of a game by number.", "replay rules take_and_share --coverage logs/"),
    (games, "List the games, their options and commands.", "replay games --lang ja"),
    (new_game, "Write a package of a game, to begin your own.", "replay new-game hearts"),
    (simulate, "Play random matches and write their logs.", "replay simulate take_and_share --games 10 -o logs"),
    (stats, "Count results, scores, lengths, rules and times.", "replay stats logs/ -o stats.html"),
    (table, "Write events as a table for DuckDB or polars.", "replay table logs/ -o events.parquet"),
    (rate, "Rate the players from the logs alone.", "replay rate logs/ --json"),
    (impact, "Show what a change would do to many logs.", "replay impact logs/ --option long=true"),
    (shrink, "Find the shortest match that still shows it.", "replay shrink game.log -o short.log --option long=true"),
    (
        seek_parting,
        "Play matches until two engines part.",
        "replay seek cake --engine ../new/bin/python -o parted.log",
    ),
    (bisect, "Find the commit whose engine first differs.", "replay bisect game.log --repo ../game --good v1.0"),
    (when, "Show at which steps a value changed, and why.", "replay when game.log 'totals[1] > 20' --first"),
    (anonymize, "Write the same match without names, times and ids.", "replay anonymize game.log -o golden.log"),
    (
        rotate_keys,
        "Issue new keys for the seats of a live match.",
        "replay rotate-keys 6f1e0a9c --store sqlite:matches.db --seat 1",
    ),
    (mcp, "Serve a seat to an assistant (Model Context Protocol).", "replay mcp cake --bots greedy,random -o game.log"),
    (serve, "Serve live matches, and a page to play them.", "replay serve --store sqlite:matches.db --port 8000"),
):
    name = verb.__name__.removesuffix("_log").removesuffix("_parting").replace("_", "-")
    VERBS[name], EXAMPLES[name] = verb, example
    app.command(name, short_help=summary, epilog=f"Example: {example}")(verb)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"replay, of kifu {version('kifu')}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    ctx: typer.Context,
    version: Annotated[  # noqa: ARG001 (its callback prints it)
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Print the help page if no verb is given."""
    if ctx.invoked_subcommand is None:
        sys.stdout.write(ctx.get_help() + "\n")


def run(args: Sequence[str]) -> int:
    """Run one call and return its exit code.

    0: fine; 1: something was found; 2: the call or a file cannot be used; 130: interrupted.
    """
    _open_streams()
    texts = texts_for(lang_of(args))
    try:
        if texts.lang != FALLBACK and asks_for_help(args, VERBS):
            return _print_help(verb_of(args), texts)
        code = app(list(args), prog_name="replay", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_writing()
        return 0
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        _stop_writing()  # typer turns a closed pipe into this exit
        return 0
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except KifuError as error:
        return _fail(error_text(error, texts))
    except OSError as error:
        _stop_writing()
        return _fail(texts.message(UserMessage("unwritable", "cannot be written: {why}", why=os_error_message(error))))
    except Exception as error:
        if hasattr(error, "format_message"):
            return _fail(texts.message(usage_error(error, args, VERBS)))
        return _fail(
            texts.message(UserMessage("bug", "this is a bug in kifu, please report it: {error}", error=repr(error)))
        )
    return code if isinstance(code, int) else 0


def _print_help(verb: str, texts: Texts) -> int:
    """Print a help page in a language that Typer does not have."""
    writer = ConsoleWriter(plain=True)
    if verb in VERBS:
        writer.print(*verb_page(verb, VERBS[verb], EXAMPLES[verb], texts, writer.width))
    else:
        writer.print(*program_page(VERBS, texts, writer.width))
    sys.stdout.flush()
    return 0


def _open_streams() -> None:
    """Make both output streams writable: one may be closed, or its encoding may lack characters."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for as long as we run)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _stop_writing() -> None:
    """Discard all further output, so that the flush at Python's exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(reason: str) -> int:
    sys.stderr.write(f"replay: {sanitize(reason, 500)}\n")
    return 2
