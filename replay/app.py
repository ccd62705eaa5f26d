"""The program `replay`: its verbs, its exit codes, and one line for every error."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import Annotated

import typer

from ..core.errors import KifuError, Message, os_error_message
from ..core.match.compiled import COMPILED
from ..core.text.sanitize import sanitize
from ..core.text.texts import FALLBACK, Texts
from .call_errors import UserMessage, error_text
from .options import texts_for
from .quick_call import usual_arguments
from .render.console import ConsoleWriter
from .render.plain_letters import ERRORS, register
from .usage_errors import COMPLETION, asks_for_help, lang_of, usage_error, verb_of
from .verbs import VERBS, VerbFunctions

INTERRUPTED = 130


def program(loaded: Collection[str]) -> typer.Typer:
    """Return the program, with these verbs ready to run and the other verbs by their names only."""
    app = typer.Typer(
        help="Replay, explain and check the logs of tabletop games.",
        epilog="Begin with: replay simulate take_and_share -o logs; replay show logs/*.log",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_no_verb)
    for verb in VERBS.values():
        function = verb.load() if verb.name in loaded else _not_loaded
        app.command(verb.name, short_help=verb.summary, epilog=f"Example: {verb.example}")(function)
    return app


def _not_loaded() -> None:
    """Stand for a verb that this call does not run."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # here, as it takes longer than all the rest of a short call

        compiled = " (compiled)" if COMPILED else ""
        sys.stdout.write(f"replay, of kifu {version('kifu')}{compiled}\n")
        raise typer.Exit


def _no_verb(
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
        code = _run(args)
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_writing()
        return 0
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        _stop_writing()  # typer turns a closed pipe into this exit
        return 0
    except (KeyboardInterrupt, typer.Abort) as stop:
        return _fail(texts.message(_interruption(stop)), INTERRUPTED)
    except KifuError as error:
        return _fail(error_text(error, texts))
    except OSError as error:
        _stop_writing()
        return _fail(texts.message(UserMessage("unwritable", "cannot be written: {why}", why=os_error_message(error))))
    except Exception as error:
        if hasattr(error, "format_message"):
            return _fail(texts.message(usage_error(error, args, VerbFunctions())))
        return _fail(
            texts.message(UserMessage("bug", "this is a bug in kifu, please report it: {error}", error=repr(error)))
        )
    return code if isinstance(code, int) else 0


def _run(args: Sequence[str]) -> object:
    """Run the verb of a call and return its exit code."""
    if args and args[0] in VERBS and COMPLETION not in os.environ:
        verb = VERBS[args[0]].load()
        found = usual_arguments(verb, args[1:])
        if found is not None:
            return verb(**found)
    return program(_asked_for(args))(list(args), prog_name="replay", standalone_mode=False)


def _asked_for(args: Sequence[str]) -> Collection[str]:
    """Return the verb of a call; all verbs where a shell asks how a word may go on."""
    return VERBS if COMPLETION in os.environ else {verb_of(args)}


def _print_help(verb: str, texts: Texts) -> int:
    """Print a help page in a language that Typer does not have."""
    from .help_page import program_page, verb_page  # here, as other calls need none

    writer = ConsoleWriter(plain=True)
    if verb in VERBS:
        writer.print(*verb_page(verb, VERBS[verb].load(), VERBS[verb].example, texts, writer.width))
    else:
        writer.print(*program_page(VERBS, texts, writer.width))
    sys.stdout.flush()
    return 0


def _open_streams() -> None:
    """Make both output streams writable: one may be closed, or its encoding may lack characters."""
    register()
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
