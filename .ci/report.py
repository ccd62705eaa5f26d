"""Tell what the test runs of `.ci/run` come to: of each the counts, and which tests were skipped in every run, and why.

    python .ci/report.py RUN.xml…

The files are pytest's `--junitxml`. The last line is like pytest's own, with the sums.
"""

import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree


class Run:
    """What one run of pytest left: the names that passed, those that skipped with the reason, counts and seconds."""

    def __init__(self, path: Path) -> None:
        suite = ElementTree.parse(path).getroot().find("testsuite")
        if suite is None:
            raise ValueError(f"{path} holds no test suite")
        self.name = path.stem
        self.seconds = float(suite.get("time", 0))
        self.counts: Counter[str] = Counter()
        self.ran: set[str] = set()
        self.skipped: dict[str, str] = {}
        for case in suite.iter("testcase"):
            name = f"{case.get('classname')}.{case.get('name')}".lstrip(".")
            skip = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                self.counts["failed"] += 1
            elif skip is None:
                self.counts["passed"] += 1
                self.ran.add(name)
            elif skip.get("type") == "pytest.xfail":
                self.counts["xfailed"] += 1
                self.ran.add(name)
            else:
                self.counts["skipped"] += 1
                self.skipped[name] = skip_reason(skip)


def skip_reason(skip: ElementTree.Element) -> str:
    """Return why a test, or all of a module, was skipped; of a module pytest writes it as `(path, line, reason)`."""
    if skip.get("message") != "collection skipped":
        return skip.get("message", "")
    return str(literal_eval(skip.text or "")[2]).removeprefix("Skipped: ")


def never_run(runs: Iterable[Run]) -> Counter[str]:
    """Count by reason what was skipped, a test or a module whole, wherever it was come upon."""
    ran = {name for run in runs for name in run.ran}
    skipped = {name: reason for run in runs for name, reason in run.skipped.items()}
    return Counter(
        reason
        for name, reason in skipped.items()
        if name not in ran and not any(each.startswith(f"{name}.") for each in ran)
    )


def closing(counts: Counter[str], seconds: float) -> str:
    """Format counts as pytest ends a run: `5 passed, 1 skipped in 2.00s (0:00:02)`."""
    told = ", ".join(f"{counts[what]} {what}" for what in ("failed", "passed", "skipped", "xfailed") if counts[what])
    return f"{told or 'no tests ran'} in {seconds:.2f}s ({timedelta(seconds=int(seconds))})"


def main(paths: list[str]) -> int:
    """Print the counts of each run, what no run tested, and a closing line; return 1 if anything failed."""
    runs = [Run(Path(path)) for path in paths]
    for run in runs:
        print(f"{run.name}: {closing(run.counts, run.seconds)}")
    left = never_run(runs)
    print(f"skipped in every run: {left.total()}")
    for reason, count in left.most_common():
        print(f"  {count}  {reason}")
    counts = sum((run.counts for run in runs), Counter[str]())
    print(f" {closing(counts, sum(run.seconds for run in runs))} ".center(80, "="))
    return int(counts["failed"] > 0 or not counts["passed"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
