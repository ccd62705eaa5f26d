"""`replay audit`: replay each log under the rules, and report every finding."""

from __future__ import annotations

from functools import partial
from typing import Any

from rich.text import Text

from ..core.legible import legible, width
from ..core.texts import Texts
from .analysis.findings import detail, judgement, message
from .crew import Crew
from .locations import some_logs
from .options import ClusterOption, JobsOption, JsonOption, LangOption, LogsArgument, PlainOption, texts
from .paper import Paper

FINE, FOUND, UNUSABLE = 0, 1, 2


def audit(
    logs: LogsArgument,
    jobs: JobsOption = None,
    cluster: ClusterOption = None,
    lang: LangOption = None,
    as_json: JsonOption = False,
    plain: PlainOption = False,
) -> int:
    """Replay logs under the rules and report everything that is wrong with them, by the number of the broken rule.

    Exit code 0: no finding; 1: findings; 2: a file is no log or cannot be read.
    """
    words, paper = texts(lang), Paper(plain=plain)
    counts, worst = {True: 0, False: 0}, FINE
    shown = not (plain or paper.is_terminal)
    judging = partial(judgement, words=words, message=message if as_json else detail)
    for said in Crew(jobs, cluster).each(judging, some_logs(logs), "audit", shown=shown):
        counts[said["ok"]] += 1
        worst = max(worst, _severity(said))
        if as_json:
            paper.json(said)
        else:
            _tell(said, paper, words)
    if not as_json and sum(counts.values()) > 1:
        total = words.say("audit-total", logs=sum(counts.values()), fine=counts[True], found=counts[False])
        paper.print(Text(total))
    return worst


def _severity(said: dict[str, Any]) -> int:
    if said["ok"]:
        return FINE
    return UNUSABLE if said["findings"][0]["kind"] == "header" else FOUND


def _tell(said: dict[str, Any], paper: Paper, words: Texts) -> None:
    fine, wrong = words.say("audit-fine"), words.say("audit-wrong")
    indent = max(width(fine), width(wrong)) + 2
    judged = fine if said["ok"] else wrong
    line = Text(judged + " " * (indent - width(judged)), style="green" if said["ok"] else "bold red")
    line.append(legible(said["log"], 200), style="default")
    line.append(f"  {_summary(said, words)}", style="dim")
    paper.print(line)
    for finding in said["findings"]:
        seq, rule = finding["seq"], finding["rule"]
        what = rule or words.say(f"finding-{finding['kind']}")
        if seq is not None:
            what = words.say("audit-at-event", seq=seq, what=what)
        paper.print(Text.assemble(" " * indent, (f"{what}: ", "bold"), finding["message"]))


def _summary(said: dict[str, Any], words: Texts) -> str:
    if said["game"] is None:
        return words.say("audit-no-log")
    parts = [legible(said["game"], 40), words.say("audit-events", events=said["events"])]
    if said["finished"]:
        parts.append(words.say("audit-points", points=" ".join(map(str, said["points"]))))
        parts.append(words.say("audit-won", seats=said["winners"]))
    else:
        parts.append(words.say("audit-unfinished"))
    if said["digests"] == "unchecked":
        parts.append(words.say("audit-unchecked"))
    return words.say("comma").join(parts)
