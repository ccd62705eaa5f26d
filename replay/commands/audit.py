"""`replay audit`: replay each log under the rules and report every finding."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.text.sanitize import sanitize
from ...core.text.texts import Texts
from ..analysis.findings import detail, judgement, message, stand_in_lines
from ..call_errors import CallError
from ..logs.locations import require_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts_for
from ..render.console import ConsoleWriter
from ..render.verdict import print_verdict

FINE, FOUND, UNUSABLE = 0, 1, 2


def audit(
    logs: LogsArgument,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    reward: Annotated[
        str | None,
        typer.Option(
            "--rewards", metavar="KIND", help="Include each seat's reward: victory, zero_sum, points, score, placing."
        ),
    ] = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Replay logs under the rules and report everything that is wrong with them, by the number of the broken rule.

    Exit code 0: no findings; 1: findings; 2: a file is no log or cannot be read.
    """
    texts, writer = texts_for(lang), ConsoleWriter(plain=plain)
    counts, worst = {True: 0, False: 0}, FINE
    shown = not (plain or writer.is_terminal)
    if reward is not None:
        _check_reward(reward)
    work = partial(judgement, texts=texts, message=message if as_json else detail, reward=reward)
    for record in WorkerPool(jobs, cluster).map(work, require_logs(logs), "audit", shown=shown):
        counts[record["ok"]] += 1
        worst = max(worst, _severity(record))
        if as_json:
            writer.json(record)
        else:
            _print(record, writer, texts)
    if not as_json and sum(counts.values()) > 1:
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
    return UNUSABLE if record["findings"][0]["kind"] == "header" else FOUND


def _print(record: dict[str, Any], writer: ConsoleWriter, texts: Texts) -> None:
    fine, summary = texts.format("audit-fine"), _summary(record, texts)
    indent = print_verdict(record, record["log"], summary, fine, writer, texts)
    for text in stand_in_lines(record.get("played_for", []), texts):
        writer.print(Text(indent + text, style="dim"))
    for each in record.get("unchecked", []):
        writer.print(Text(indent + texts.format("audit-left-out", what=each), style="dim"))


def _summary(record: dict[str, Any], texts: Texts) -> str:
    if record["game"] is None:
        return texts.format("audit-no-log")
    parts = [sanitize(record["game"], 40), texts.format("audit-events", events=record["events"])]
    if record["finished"]:
        parts.append(texts.format("audit-points", points=" ".join(map(str, record["points"]))))
        shared = 1 < len(record["winners"]) == len(record["points"])  # a draw, or a victory of all
        parts.append(texts.format("audit-shared" if shared else "audit-won", seats=record["winners"]))
    else:
        parts.append(texts.format("audit-unfinished"))
    if record.get("rewards"):
        parts.append(texts.format("audit-rewards", rewards=" ".join(f"{each:g}" for each in record["rewards"])))
    if record["digests"] == "unchecked":
        parts.append(texts.format("audit-unchecked"))
    if record.get("fair"):
        parts.append(texts.format("audit-fair"))
    if record.get("fingerprint"):
        parts.append(texts.format("audit-host-key", key=record["fingerprint"]))
    if record.get("signatures") == "unchecked":
        parts.append(texts.format("audit-unsigned-here"))
    return texts.comma.join(parts)
