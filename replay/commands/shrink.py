"""`replay shrink`: the shortest legal match that still shows a difference or a violation."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from ...core.log import read_bytes
from ...core.text.sanitize import sanitize
from ..analysis.engine import alternative
from ..analysis.minimize import shrunk
from ..analysis.what_if import AtWork, Differs, at_work
from ..call_errors import CallError
from ..command import verb
from ..logs.locations import location, open_log
from ..options import check_unused, engine_option, log_argument, option_option, output_options, timeout_option
from ..progress import spinner
from ..render.console import Output
from ..render.output import STDOUT, write_output


@verb("replay shrink game.log -o short.log --option long=true")
@log_argument
@click.option(
    "-o",
    "file",
    type=Path,
    required=True,
    metavar="FILE",
    help="The new log, never replacing a file; `-`: standard output.",
)
@option_option
@engine_option
@click.option("--rule", metavar="ID", help="Show this rule: the command that it refused, or its note.")
@click.option("--tries", type=click.IntRange(1), default=4000, metavar="N", help="How many matches to try at most.")
@click.option("--seconds", type=click.FloatRange(0), default=20, metavar="S", help="How long to try at most.")
@timeout_option
@output_options
def shrink(
    log: str,
    file: Path,
    option: tuple[str, ...],
    engine: Path | None,
    rule: str | None,
    tries: int,
    seconds: float,
    timeout: float,
    output: Output,
) -> int:
    """Find the shortest legal match that still shows what a log shows, and write it as a log without names.

    With --rule it shows the rule at work: the command that it refused, else its first note. With --option or --engine
    it shows the same difference: a refusal by the same rule, or the same fields of the state. The search cuts off,
    drops and replaces commands, and tries other deals; if the deals are not those of the seed, the new log has no seed.
    The same call finds the same match, unless --seconds ends it.
    """
    if (rule is not None) is bool(option or engine):
        raise CallError("what-to-show", "give what to show, one of: --rule ID, --option NAME=VALUE, --engine PYTHON")
    check_unused(file)
    reading, _ = open_log(location(log))
    with ExitStack() as stack:
        criterion: AtWork | Differs
        if rule is not None:
            criterion = at_work(rule, reading)
        else:
            criterion = Differs.of(stack.enter_context(alternative(option, engine, timeout)), reading)
        stack.enter_context(spinner("shrink", shown=not (output.json or output.plain)))
        found, data = shrunk(log, reading, criterion, tries, seconds)
    write_output(file, data, new=True)
    events = len(found.match.events) + (criterion.refused is not None)
    if file == STDOUT:
        return 0
    writer, texts = output.writer, output.texts
    summary = {"file": str(file), "events": events, "before": reading.events, "tries": found.tries}
    summary["shows"] = criterion.text(texts)
    if output.json:
        writer.json({**summary, "ended": found.why, "seed": read_bytes(data).header.seed is not None})  # type: ignore[union-attr]  # we wrote it
    else:
        writer.print(
            f"{sanitize(str(file), 300)}{texts.colon}{texts.format('shrunk', **summary)}",
            texts.format(f"shrunk-{found.why}", tries=found.tries),
        )
    return 0
