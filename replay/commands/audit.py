"""`replay audit`: replay each log under the rules, and report every finding."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import typer
from rich.text import Text

from ...core.env.reward import REWARDS
from ...core.text.sanitize import sanitize, width
from ...core.text.texts import Texts
from ..analysis.findings import detail, judgement, message
from ..call_errors import CallError
from ..logs.locations import some_logs
from ..logs.worker_pool import WorkerPool
from ..options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts
from ..render.console import ConsoleWriter

FINE, FOUND, UNUSABLE = 0, 1, 2


def audit(
    logs: LogsArgument,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    reward: Annotated[
        str | None,
        typer.Option("--rewards", metavar="KIND", help="Also each seat's reward: victory, zero_sum, points, placing."),
    ] = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Replay logs under the rules and report everything that is wrong with them, by the number of the broken rule.

    Exit code 0: no finding; 1: findings; 2: a file is no log or cannot be read.
    """
    words, writer = texts(lang), ConsoleWriter(plain=plain)
    counts, worst = {True: 0, False: 0}, FINE
    shown = not (plain or writer.is_terminal)
    if reward is not None and reward not in REWARDS:
        known = ", ".join(REWARDS)
        raise CallError("no-reward", "--rewards {asked}: there are {known}", asked=ascii(reward[:60]), known=known)
    judging = partial(judgement, words=words, message=message if as_json else detail, reward=reward)
    for said in WorkerPool(jobs, cluster).map(judging, some_logs(logs), "audit", shown=shown):
        counts[said["ok"]] += 1
        worst = max(worst, _severity(said))
        if as_json:
            writer.json(said)
        else:
            _tell(said, writer, words)
    if not as_json and sum(counts.values()) > 1:
        total = words.format("audit-total", logs=sum(counts.values()), fine=counts[True], found=counts[False])
        writer.print(Text(total))
    return worst


def _severity(said: dict[str, Any]) -> int:
    if said["ok"]:
        return FINE
    return UNUSABLE if said["findings"][0]["kind"] == "header" else FOUND


def _tell(said: dict[str, Any], writer: ConsoleWriter, words: Texts) -> None:
    fine, wrong = words.format("audit-fine"), words.format("audit-wrong")
    indent = max(width(fine), width(wrong)) + 2
    judged = fine if said["ok"] else wrong
    line = Text(judged + " " * (indent - width(judged)), style="green" if said["ok"] else "bold red")
    line.append(sanitize(said["log"], 200), style="default")
    line.append(f"  {_summary(said, words)}", style="dim")
    writer.print(line)
    for finding in said["findings"]:
        seq, rule = finding["seq"], finding["rule"]
        what = rule or words.format(f"finding-{finding['kind']}")
        if seq is not None:
            what = words.format("audit-at-event", seq=seq, what=what)
        writer.print(Text.assemble(" " * indent, (f"{what}: ", "bold"), finding["message"]))


def _summary(said: dict[str, Any], words: Texts) -> str:
    if said["game"] is None:
        return words.format("audit-no-log")
    parts = [sanitize(said["game"], 40), words.format("audit-events", events=said["events"])]
    if said["finished"]:
        parts.append(words.format("audit-points", points=" ".join(map(str, said["points"]))))
        parts.append(words.format("audit-won", seats=said["winners"]))
    else:
        parts.append(words.format("audit-unfinished"))
    if said.get("rewards"):
        parts.append(words.format("audit-rewards", rewards=" ".join(f"{each:g}" for each in said["rewards"])))
    if said["digests"] == "unchecked":
        parts.append(words.format("audit-unchecked"))
    return words.format("comma").join(parts)
