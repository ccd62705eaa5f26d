"""`replay audit`: replay each log under the rules and report every finding."""

from __future__ import annotations

from functools import partial
from typing import Any

import click
from rich.text import Text

from ..analysis.findings import judgement
from ..analysis.verdict_words import audit_words
from ..call_errors import CallError
from ..command import FINE, FOUND, UNUSABLE, verb
from ..logs.locations import require_logs
from ..logs.worker_pool import WorkerPool
from ..options import logs_argument, output_options, pool_options
from ..render.console import Output
from ..render.verdict import print_verdict


@verb("replay audit logs/ --json")
@logs_argument
@pool_options
@click.option(
    "--rewards", "reward", metavar="KIND", help="Include each seat's reward: victory, zero_sum, points, score, placing."
)
@output_options
def audit(logs: tuple[str, ...], pool: WorkerPool, reward: str | None, output: Output) -> int:
    """Replay logs under the rules and report everything that is wrong with them, by the number of the broken rule.

    Exit code 0: no findings; 1: findings; 2: a file is not a log or cannot be read.
    """
    texts, writer = output.texts, output.writer
    counts, worst = {True: 0, False: 0}, FINE
    shown = not (output.plain or writer.is_terminal)
    if reward is not None:
        _check_reward(reward)
    work = partial(judgement, texts=texts, as_program=output.json, reward=reward)
    for record in pool.map(work, require_logs(logs), "audit", shown=shown):
        counts[record["ok"]] += 1
        worst = max(worst, _severity(record))
        if output.json:
            writer.json(record)
        else:
            print_verdict(audit_words(record, texts), record["log"], texts.format("audit-fine"), writer, texts)
    if not output.json and sum(counts.values()) > 1:
        total = texts.format("audit-total", logs=sum(counts.values()), fine=counts[True], found=counts[False])
        writer.print(Text(total))
    return worst


def _check_reward(reward: str) -> None:
    from ...core.env.reward import REWARDS  # here, since few calls ask for it and all would wait

    if reward not in REWARDS:
        known = ", ".join(REWARDS)
        raise CallError("no-reward", "--rewards {asked}: give one of: {known}", asked=ascii(reward[:60]), known=known)


def _severity(record: dict[str, Any]) -> int:
    if record["ok"]:
        return FINE
    return UNUSABLE if record["findings"][0]["kind"] in ("file", "header") else FOUND
