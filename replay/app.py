"""The program `replay`: its verbs, its exit codes, and one line for every error."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise

import click

from ..core.errors import KifuError, Message, os_error_message, raised_at
from ..core.match.compiled import COMPILED
from ..core.text.negotiation import negotiate
from ..core.text.sanitize import sanitize
from ..core.text.texts import FALLBACK, Texts
from .call_errors import UserMessage, error_text
from .command import VerbGroup, usage_message
from .options import LANGS, lang_option

COMPLETION = "_REPLAY_COMPLETE"
"""The environment variable with which a shell asks how a word may go on."""
INTERRUPTED = 130
VERBS: Mapping[str, Mapping[str, str]] = {
    "Look": {
        "show": "Show a match step by step.",
        "when": "Show at which steps a value changed, and why.",
        "export": "Write a match as a page, as data, or without names.",
        "rules": "Print the rules of a game by number.",
        "games": "List the games, their options and commands.",
    },
    "Check": {
        "audit": "Replay logs under the rules and report what is wrong.",
        "verify": "Compare a seat's record with the log, or another's.",
        "golden": "Compare golden logs with their stored traces.",
    },
    "Compare": {
        "diff": "Show where two replays diverge, and whether it matters.",
        "trace": "Write the states that an engine computes from a log.",
        "impact": "Show what a change would do to many logs.",
        "seek": "Play matches until two engines part.",
        "shrink": "Find the shortest match that still shows it.",
    },
    "Many logs": {
        "stats": "Count results, scores, lengths and rules.",
        "table": "Write events as a table for DuckDB or polars.",
        "rate": "Rate the players from the logs alone.",
        "site": "Write a site of matches that needs no server.",
    },
    "Live": {
        "serve": "Serve live matches, and a page to play them.",
        "store": "Check, copy or clear a store, take logs in and out.",
        "mcp": "Serve a seat to an assistant (Model Context Protocol).",
    },
    "Create": {
        "simulate": "Play random matches and write their logs.",
        "new-game": "Write a small game in one file, to begin your own.",
    },
}
ERRORS = "kifu.letters"
"""The name of the error handler: `stream.reconfigure(errors=ERRORS)`."""
SIGNS = "♠♥♦♣★☾…–—−─━·×✗✓◂▸→←±“”‘’"
IN_ASCII = [*"SHDC*M", "...", *"----=.xx+<>", "->", "<-", "+-", *"\"\"''"]
LETTERS = dict(zip(SIGNS, IN_ASCII, strict=True))


class Program(VerbGroup):
    """The program. A call imports the module of its own verb only."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the verb of this name; None if there is none."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = cmd_name.replace("-", "_")
        found: click.Command = getattr(import_module(f"{__package__}.commands.{module}"), module)
        return found


@click.group(
    cls=Program,
    sections=VERBS,
    invoke_without_command=True,
    subcommand_metavar="VERB …",
    epilog="replay simulate take_and_share -o logs; replay show logs/*.log",
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@lang_option
@click.version_option(package_name="kifu", message=f"replay, of kifu %(version)s{' (compiled)' if COMPILED else ''}")
@click.pass_context
def program(ctx: click.Context) -> None:
    """Replay, explain and check the logs of tabletop games."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def run(args: Sequence[str]) -> int:
    """Run one call and return its exit code.

    0: fine; 1: something was found; 2: the call or a file cannot be used; 130: interrupted.
    """
    _open_streams()
    if COMPLETION in os.environ:
        program(list(args), prog_name="replay")
    texts = Texts(_lang(args), __package__)
    try:
        with program.make_context("replay", list(args), obj=texts) as ctx:
            code = program.invoke(ctx)
        sys.stdout.flush()
    except click.exceptions.Exit as end:  # a help page, or the version
        code = end.exit_code
    except click.UsageError as error:
        return _fail(texts.message(usage_message(error)))
    except BrokenPipeError:
        _stop_writing()
        return 0
    except KeyboardInterrupt as stop:
        return _fail(texts.message(_interruption(stop)), INTERRUPTED)
    except KifuError as error:
        return _fail(error_text(error, texts))
    except OSError as error:
        _stop_writing()
        return _fail(texts.message(UserMessage("unwritable", "cannot be written: {why}", why=os_error_message(error))))
    except Exception as error:
        return _fail(texts.message(_bug(error)))
    return code if isinstance(code, int) else 0


def _bug(error: Exception) -> UserMessage:
    """Return what is said of an exception that is not kifu's own: it is a bug, of kifu's or of the game's."""
    at, is_ours = raised_at(error, through="click")
    if is_ours:
        return UserMessage("bug", "this is a bug in kifu, please report it: {error}{at}", error=repr(error), at=at)
    return UserMessage("game-bug", "the code of the game failed: {error}{at}", error=repr(error), at=at)


def _lang(args: Sequence[str]) -> str:
    """Return the last value of `--lang`, wherever it stands, or the locale's: what is wrong is said before parsing."""
    given = [value for name, value in pairwise(args) if name == "--lang"]
    given += [arg.removeprefix("--lang=") for arg in args if arg.startswith("--lang=")]
    locale = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return next((each for each in reversed(given) if each in LANGS), negotiate(locale, set(LANGS), FALLBACK))


def _open_streams() -> None:
    """Make both output streams writable: one may be closed, or its encoding may lack characters."""
    codecs.register_error(ERRORS, _in_letters)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (for as long as we run)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)


def _stop_writing() -> None:
    """Discard all further output, so that the flush at Python's exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _interruption(stop: BaseException) -> Message:
    """Return what a verb said of its interruption, or that it was interrupted."""
    said = next((each for each in stop.args if isinstance(each, Message)), None)
    return said or UserMessage("interrupted", "interrupted")


def _fail(reason: str, code: int = 2) -> int:
    sys.stderr.write(f"replay: {sanitize(reason, 500)}\n")
    return code


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """Replace the characters that cannot be encoded: by their letters, others by `?`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    unknown = error.object[error.start : error.end]
    return "".join(LETTERS.get(letter, "?") for letter in unknown), error.end
