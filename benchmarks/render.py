"""Make the tables of docs/benchmarks.md of the results in benchmarks/results.

    python benchmarks/render.py [--check]

A table stands between `<!-- results NAME -->` and `<!-- end -->`, NAME as in `results/NAME.json`. `--check` writes
nothing and fails where a table is not that of its results, or where the prose does not name a figure that misses its
aim: what was missed is to be explained.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from results import FOLDER, Figure, Results, load, number

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
TABLE = re.compile(r"<!-- results (\S+) -->\n.*?<!-- end -->", re.DOTALL)


def table(results: Results) -> str:
    """Return the results as a table of Markdown, with a line on the machine."""
    others = {figure.to for figure in results.figures if figure.to}
    to = f" to {others.pop()}" if len(others) == 1 else ""
    rows = [f"| measured | | ratio{to} | aim | |", "| --- | ---: | ---: | ---: | --- |"]
    rows += [row(figure, named=not to) for figure in results.figures]
    return "\n".join([*rows, "", machine(results)])


def row(figure: Figure, *, named: bool) -> str:
    """Return the row of a figure; `named`: with what its ratio is to."""
    ratio = "" if figure.ratio is None else number(figure.ratio) + (f" × {figure.to}" if named else "")
    aim, verdict = "", ""
    if figure.aim is not None:
        unit = f" {figure.unit}" if figure.aims_at == "value" else ""
        aim = f"{'≤' if figure.better == 'less' else '≥'} {number(figure.aim)}{unit}"
        verdict = "missed" if figure.is_missed else "met"
    return f"| {figure.name} | {number(figure.value)} {figure.unit} | {ratio} | {aim} | {verdict} |"


def machine(results: Results) -> str:
    """Return the line on machine and versions below a table."""
    facts = results.machine
    packages = ", ".join(f"{name} {version}" for name, version in results.versions.items() if name != "kifu")
    load_average = f", load {facts['load'][0]} at the end" if facts.get("load") else ""
    place = f"{facts['python']}, {facts['system']}, {facts['cores']} cores{load_average}"
    return f"({results.measured[:10]}; {place}; {packages}.)"


def rendered(page: str, folder: Path) -> str:
    """Return the page with every table made anew."""

    def anew(found: re.Match[str]) -> str:
        name = found[1]
        return f"<!-- results {name} -->\n{table(load(folder / f'{name}.json'))}\n<!-- end -->"

    return TABLE.sub(anew, page)


def unexplained(page: str, folder: Path) -> list[str]:
    """Return the figures that miss their aim and that the page names in no table's place."""
    prose = TABLE.sub("", page)
    shown = [load(folder / f"{name}.json") for name in TABLE.findall(page)]
    return [figure.name for each in shown for figure in each.figures if figure.is_missed and figure.name not in prose]


def main(arguments: list[str] | None = None, page: Path = PAGE, folder: Path = FOLDER) -> int:
    """Write the page, or check it; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if the page is not as it would be made"
    )
    given = parser.parse_args(arguments)
    text = page.read_text(encoding="utf-8")
    made = rendered(text, folder)
    for name in unexplained(made, folder):
        print(f"{page.name} does not say why this misses its aim: {name}")
    if not given.check:
        page.write_text(made, encoding="utf-8")
    elif made != text:
        print(f"{page.name} is not as python benchmarks/render.py makes it")
    return int(bool(unexplained(made, folder)) or (given.check and made != text))


if __name__ == "__main__":
    sys.exit(main())
