"""A help page in another language than that of the source, by the messages `manual-…` of the catalogues."""

from __future__ import annotations

from collections.abc import Iterable

import click
from rich.text import Text

from ..core.text.texts import Texts
from .render.typeset import block

COLUMN = 28
"""Terminal cells before the description of a parameter, at most."""


class WideFormatter(click.HelpFormatter):
    """Click's formatter, for text in letters that are two cells wide, and without spaces."""

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        self.write(f"{heading}：\n")

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        self.write("\n\n".join(self._wrapped("", paragraph, self.current_indent) for paragraph in text.split("\n\n")))
        self.write("\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = COLUMN, col_spacing: int = 2) -> None:
        """Write terms, each with its description beside it, or below it if the term is long."""
        rows = list(rows)
        column = min(max(len(term) for term, _ in rows) + self.current_indent + col_spacing, col_max)
        for term, text in rows:
            head = f"{' ' * self.current_indent}{term}"
            if len(head) + col_spacing > column:
                self.write(f"{head}\n")
                head = ""
            self.write(f"{self._wrapped(head, text, column)}\n")

    def _wrapped(self, head: str, text: str, indent: int) -> str:
        return "\n".join(line.plain for line in block(Text(head), indent, Text(text), self.width))


def translated_page(command: click.Command, ctx: click.Context, texts: Texts) -> str:
    """Return the help page of a command."""
    page, key = WideFormatter(), "-".join(["manual", *(ctx.command_path.split()[1:] or ["replay"])])
    _, *pieces = command.collect_usage_pieces(ctx)
    usage = " ".join([texts.format("manual-some-options"), *pieces])
    page.write_usage(ctx.command_path, usage, texts.format("manual-usage"))
    page.write_paragraph()
    with page.indentation():
        page.write_text(texts.format(key))
    for title, kind in (("manual-arguments", click.Argument), ("manual-options", click.Option)):
        rows = [
            (record[0], _description(parameter, key, ctx, texts))
            for parameter in command.get_params(ctx)
            if isinstance(parameter, kind) and (record := parameter.get_help_record(ctx)) is not None
        ]
        if rows:
            with page.section(texts.format(title)):
                page.write_dl(rows)
    if isinstance(command, click.Group):
        command.format_commands(ctx, page)
    command.format_epilog(ctx, page)
    return page.getvalue().rstrip("\n")


def _description(parameter: click.Parameter, key: str, ctx: click.Context, texts: Texts) -> str:
    name = "help" if "--help" in parameter.opts else parameter.name
    text = texts.find(f"{key}-{name}") or texts.format(f"manual-any-{name}")
    extra = parameter.get_help_extra(ctx) if isinstance(parameter, click.Option) else {}
    if "required" in extra:
        return text + texts.format("manual-required")
    return text + texts.format("manual-default", value=extra["default"]) if "default" in extra else text
