"""What a verb is: a command of Click, with its help page and its errors in the language of the call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any

import click
from click.exceptions import NoSuchCommand

from ..core.text.texts import FALLBACK, Texts
from .call_errors import CallError, UserMessage

FINE, FOUND, UNUSABLE = 0, 1, 2
"""Exit codes: nothing is wrong; something was found; the call or a file cannot be used."""


class Verb(click.Command):
    """A verb. Its epilog is an example of a call."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; raises `CallError` for those that the verb does not take."""
        try:
            rest = super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            error.ctx = ctx  # Click leaves it out
            raise
        if rest and not isinstance(self, click.Group):
            why = UserMessage("too-much", "{extra}: too many arguments", extra=" ".join(rest))
            raise CallError("usage", "{why} (see {command} --help)", why=why, command=ctx.command_path)
        return rest

    def get_help(self, ctx: click.Context) -> str:
        """Return the help page in the language of the call."""
        texts = texts_of(ctx)
        if texts is None:
            return super().get_help(ctx)
        from .help_page import translated_page  # here, as other calls need none

        return translated_page(self, ctx, texts)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the example, unbroken, so that it can be copied."""
        texts = texts_of(ctx)
        formatter.write(f"\n  {'Example: ' if texts is None else texts.format('manual-example')}{self.epilog}\n")


class VerbGroup(Verb, click.Group):
    """A verb that has verbs of its own: `sections` are what a help page says of each, below headings."""

    def __init__(self, *args: Any, sections: Mapping[str, Mapping[str, str]], **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.sections = sections

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 (as Click calls it)
        """Return the names of the verbs, in the order of the help page."""
        return [name for section in self.sections.values() for name in section]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the verbs below their headings; none is imported for it."""
        texts = texts_of(ctx)
        key = "-".join(["manual", *ctx.command_path.split()[1:]])
        for title, summaries in self.sections.items():
            heading, rows = title, list(summaries.items())
            if texts is not None:
                heading = texts.format(f"manual-group-{title.lower().replace(' ', '-')}")
                rows = [(name, texts.format(f"{key}-{name}-short")) for name in summaries]
            with formatter.section(heading):
                formatter.write_dl(rows)


def verb(example: str, name: str | None = None) -> Callable[[Callable[..., int]], Verb]:
    """Make a function a verb, by its own name or another, with an example; its docstring is the help page."""
    return click.command(name, cls=Verb, epilog=example, context_settings={"allow_extra_args": True})


def texts_of(ctx: click.Context) -> Texts | None:
    """Return the texts of the call, or None in English: they stand in the source then, and no catalogue is read."""
    texts = ctx.find_object(Texts)
    return None if texts is None or texts.lang == FALLBACK else texts


def usage_message(error: click.UsageError) -> UserMessage:
    """Return the message for a call that is refused, with the `--help` call that explains more."""
    command = "replay" if error.ctx is None else error.ctx.command_path
    return UserMessage("usage", "{why} (see {command} --help)", why=_reason(error), command=command)


def _reason(error: click.UsageError) -> UserMessage | str:
    match error:
        case NoSuchCommand(ctx=click.Context() as ctx, command_name=name):
            return _no_verb(name, ctx)
        case click.NoSuchOption(option_name=option, possibilities=[_, *_] as near):
            known = ", ".join(near)
            return UserMessage(
                "option-near", "{option}: there is no such option; did you mean {known}?", option=option, known=known
            )
        case click.NoSuchOption(option_name=option):
            return UserMessage("option-none", "{option}: there is no such option", option=option)
        case click.BadOptionUsage(option_name=option, ctx=click.Context() as ctx):
            flag = any(option in each.opts and getattr(each, "is_flag", False) for each in ctx.command.params)
            if flag:
                return UserMessage("option-without", "{option}: it takes no value", option=option)
            return UserMessage("option-needs", "{option}: its value is missing", option=option)
        case click.MissingParameter(param=click.Parameter() as parameter):
            return UserMessage("missing", "{what} is missing", what=_typed_name(parameter))
        case click.BadParameter(param=click.Parameter() as parameter) if wanted := _wanted(parameter.type):
            return UserMessage("bad-value", "{what}: give {kind}", what=_typed_name(parameter), kind=wanted)
        case click.UsageError(ctx=click.Context(command=click.Group() as group) as ctx):
            known = ", ".join(group.list_commands(ctx))
            return UserMessage("which-verb", "say what to do, one of: {known}", known=known)
    return error.format_message().rstrip(".")


def _no_verb(name: str, ctx: click.Context) -> UserMessage:
    known = ctx.command.list_commands(ctx) if isinstance(ctx.command, click.Group) else []
    near = get_close_matches(name, known)
    if near:
        english = "{verb}: there is no such verb; did you mean {known}?"
        return UserMessage("verb-near", english, verb=repr(name), known=", ".join(near))
    return UserMessage(
        "no-verb", "{verb}: there is no such verb; there are: {known}", verb=repr(name), known=", ".join(known)
    )


def _typed_name(parameter: click.Parameter) -> str:
    """Return an option as it is typed, or an argument as the help page shows it."""
    return parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name


def _wanted(kind: click.ParamType[Any]) -> UserMessage | None:
    """Return what a type accepts; None if it accepts any text."""
    match kind:
        case click.Choice(choices=known):
            return UserMessage("one-of", "one of: {known}", known=", ".join(known))
        case click.IntRange(min=least, max=None):
            return UserMessage("whole-number-from", "a whole number, {least} or more", least=least)
        case click.IntRange(min=least, max=most):
            return UserMessage("whole-number-between", "a whole number from {least} to {most}", least=least, most=most)
        case click.FloatRange(min=least):
            return UserMessage("number-from", "a number, {least} or more", least=least)
    names = {
        "integer": UserMessage("whole-number", "a whole number"),
        "float": UserMessage("number", "a number"),
        "Path": UserMessage("a-file-name", "a file name"),
    }
    return names.get(kind.name)
