"""Make the tables of docs/benchmarks.md, and the picture of the README, of the results in benchmarks/results.

    python benchmarks/render.py [--check]

A table stands between `<!-- results NAME -->` and `<!-- end -->`, NAME as in `results/NAME.json`. `--check` writes
nothing and fails where a table or the picture is not that of its results, or where the prose does not name a figure
that misses its aim: what was missed is to be explained.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from results import FOLDER, Figure, Results, load, number

PAGE = Path(__file__).parents[1] / "docs" / "benchmarks.md"
PICTURE = PAGE.parent / "pictures" / "peers.svg"
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


STYLE = """text { font: 13px sans-serif; fill: #1f2328 } .ground { fill: #ffffff } .grid { stroke: #d0d7de }
.one { stroke: #1f2328; stroke-width: 2 } .faster { fill: #2f81c7 } .slower { fill: #c4661f }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .ground { fill: #0d1117 } .grid { stroke: #30363d }
.one { stroke: #e6edf3 } }"""
LEFT, ROW, DECADE, TOP = 330, 20, 100, 64
LOWEST, HIGHEST = -2, 3  # the scale, as powers of ten


def place(ratio: float) -> float:
    """Return where a ratio lies on the scale."""
    return LEFT + DECADE * (min(max(math.log10(ratio), LOWEST), HIGHEST) - LOWEST)


def picture(peers: Results) -> str:
    """Return the ratios to the peers as SVG: one bar each, on a log scale, from where kifu is as fast."""
    shown = [each for each in peers.figures if each.ratio and not each.name.startswith("kifu")]
    width, bottom = LEFT + DECADE * (HIGHEST - LOWEST) + 20, TOP + ROW * len(shown)
    title = "How many times as many decisions a second kifu makes, log scale"
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom + 12}" role="img">',
        f"<title>{title}</title>\n<style>{STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{bottom + 12}"/>\n<text x="12" y="22">{title}</text>',
    ]
    for power in range(LOWEST, HIGHEST + 1):
        x = place(10**power)
        drawn.append(f'<line class="{"grid" if power else "one"}" x1="{x}" y1="{TOP - 8}" x2="{x}" y2="{bottom}"/>')
        drawn.append(f'<text x="{x}" y="{TOP - 14}" text-anchor="middle">{10**power:g} ×</text>')
    drawn += [bar(each, TOP + ROW * line) for line, each in enumerate(shown)]
    return "\n".join([*drawn, "</svg>\n"])


def bar(figure: Figure, y: int) -> str:
    """Return the name, bar and ratio of one peer."""
    ratio = figure.ratio or 1.0
    start, end = sorted((place(1), place(ratio)))
    x, anchor = (end + 5, "start") if ratio >= 1 else (start - 5, "end")
    return (
        f'<text x="{LEFT - 12}" y="{y + 13}" text-anchor="end">{escape(figure.name)}</text>'
        f'<rect class="{"faster" if ratio >= 1 else "slower"}" x="{start:.1f}" y="{y + 2}" '
        f'width="{end - start:.1f}" height="{ROW - 6}"/>'
        f'<text x="{x:.1f}" y="{y + 13}" text-anchor="{anchor}">{number(ratio)}</text>'
    )


def is_drawn(folder: Path, path: Path, *, check: bool) -> bool:
    """Draw the picture, or check it; return whether it is that of the results."""
    made = picture(load(folder / "peers.json"))
    if not check:
        path.write_text(made, encoding="utf-8")
    elif not path.exists() or path.read_text(encoding="utf-8") != made:
        print(f"{path.name} is not as python benchmarks/render.py draws it")
        return False
    return True


def main(arguments: list[str] | None = None, page: Path = PAGE, folder: Path = FOLDER) -> int:
    """Write page and picture, or check them; return the exit code."""
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
    drawn = folder != FOLDER or is_drawn(folder, PICTURE, check=given.check)
    return int(not drawn or bool(unexplained(made, folder)) or (given.check and made != text))


if __name__ == "__main__":
    sys.exit(main())
