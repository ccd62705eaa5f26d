"""The results of benchmarks: what is compared, what the docs show, and what an unexplained miss does."""

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "benchmarks"
MODULES = [each.stem for each in sorted(BENCHMARKS.glob("*.py"))]
TOOLS = {"results", "compare", "render", "all"}
PARTS = {"bot_times", "floods", "linked_logs"}
"""What benchmarks share."""


@pytest.fixture
def modules(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield [importlib.import_module(name) for name in ("results", "compare", "render", "all")]
    for name in TOOLS:
        sys.modules.pop(name, None)


@pytest.fixture
def saved(tmp_path, modules):
    """Return a function that writes results with the given ratios, and returns the path."""
    results = modules[0]

    def save(name, benchmark="speed", better="less", **ratios):
        figures = [results.Figure(key, 5.0, "s", ratio, "the floor", better, 2.0) for key, ratio in ratios.items()]
        path = tmp_path / f"{name}.json"
        results.Results(benchmark, figures, "2026-11-22T10:00+00:00", results.machine(), results.versions()).save(path)
        return str(path)

    return save


@pytest.mark.parametrize(
    ("better", "before", "after", "more", "code"),
    [
        ("less", 10.0, 11.4, (), 0),
        ("less", 10.0, 11.6, (), 1),
        ("less", 10.0, 11.6, ("--percent", "25"), 0),
        ("less", 10.0, 2.0, (), 0),
        ("more", 10.0, 8.8, (), 0),
        ("more", 10.0, 8.6, (), 1),
        ("more", 10.0, 30.0, (), 0),
        ("less", None, 9.0, (), 0),
    ],
)
def test_a_ratio_that_is_worse_by_more_than_15_percent_fails(saved, modules, capsys, better, before, after, more, code):
    files = [saved("before", "speed", better, fold=before, a=3.0), saved("after", "speed", better, fold=after, b=3.0)]
    assert modules[1].main([*files, *more]) == code
    output = capsys.readouterr().out
    assert ("WORSE" in output) == bool(code)
    assert output.count("only in the first") == output.count("only in the second") == 1


def test_a_game_of_ours_that_gets_slower_is_worse_and_a_library_that_does_is_a_gain(modules):
    stored = modules[0].load(modules[0].FOLDER / "peers.json")
    better = {figure.better for figure in stored.figures if figure.name.startswith("kifu")}
    assert better == {"less"}, "the ratio is to our main game, which is as many times as fast"
    assert next(each for each in stored.figures if each.name.startswith("PokerKit")).better == "more"


def test_what_is_no_result_or_of_another_benchmark_is_refused_in_one_line(saved, tmp_path, modules):
    with pytest.raises(SystemExit, match="is of speed"):
        modules[1].main([saved("a", fold=1.0), saved("b", benchmark="peers", fold=1.0)])
    path = tmp_path / "x.json"
    for content in ("{", "[]", '{"figures": [{}]}'):
        path.write_text(content)
        with pytest.raises(SystemExit, match="not the results of a benchmark"):
            modules[1].main([str(path), str(path)])


def test_results_come_back_as_they_were_written_and_name_no_machine(saved, modules):
    path = Path(saved("a", fold=1.5))
    assert modules[0].load(path).figures[0] == modules[0].Figure("fold", 5.0, "s", 1.5, "the floor", aim=2.0)
    assert set(json.loads(path.read_text())["machine"]) == {"python", "system", "processor", "cores", "load"}


def test_an_aim_is_of_the_ratio_or_of_the_value(modules):
    figure = modules[0].Figure
    assert figure("p99", 60.0, "ms", 1.0, "1 worker", aim=50.0, aims_at="value").is_missed
    assert not figure("p99", 60.0, "ms", 1.0, "1 worker", aim=50.0).is_missed
    assert figure("p99", 60.0, "ms", aim=50.0).is_missed


def test_a_page_has_its_tables_and_explains_a_missed_aim(saved, modules, tmp_path, capsys):
    saved("a", fold=1.5)
    page, table = tmp_path / "page.md", "<!-- results a -->\n"
    assert "| fold | 5.00 s | 1.50 | ≤2.00 |" in modules[2].rendered(table, tmp_path)
    saved("a", fold=2.5)
    for text, code in (("", 1), ("fold: too slow\n", 0)):
        page.write_text(text + table)
        assert modules[2].main([], page, tmp_path) == code
        assert code == 0 or "fold" in capsys.readouterr().out


def test_the_page_of_the_docs_explains_what_is_missed(modules, capsys):
    assert modules[2].main(["--check"]) == 0, capsys.readouterr().out


def test_the_picture_is_drawn_of_the_results(saved, modules, tmp_path, capsys):
    render, path = modules[2], tmp_path / "peers.svg"
    saved("peers", a=20.0, b=0.5)
    assert not render.is_drawn(tmp_path, path, check=True)
    assert render.is_drawn(tmp_path, path, check=False)
    assert render.is_drawn(tmp_path, path, check=True)
    saved("peers", a=21.0, b=0.5)
    assert not render.is_drawn(tmp_path, path, check=True)
    assert "peers.svg is not as" in capsys.readouterr().out


@pytest.mark.parametrize("name", [name for name in MODULES if name not in TOOLS | PARTS])
def test_each_benchmark_can_write_its_results(name):
    source = (BENCHMARKS / f"{name}.py").read_text("utf-8")
    assert "results.add_argument(parser)" in source or "results.add_argument(given)" in source
    assert f'results.report("{name}", ' in source


@pytest.fixture
def together(modules, saved, tmp_path, monkeypatch):
    """Return the command that runs all benchmarks, with one benchmark `quick` whose stored ratio is 1."""
    saved("quick", one=1.0)
    every = modules[3]
    monkeypatch.setattr(every, "FOLDER", tmp_path)
    monkeypatch.setattr(every, "__file__", str(tmp_path / "all.py"))
    monkeypatch.setattr(every, "QUICK", {"quick": []})
    return every


def test_the_logs_of_the_quick_run_fill_two_folders_so_that_two_calls_at_once_share_them(modules):
    given = modules[3].QUICK["many"]
    logs = int(given[given.index("--logs") + 1])
    assert logs > importlib.import_module("linked_logs").IN_A_FOLDER


@pytest.mark.parametrize(("ratio", "verdict", "code"), [(1.1, "-10 %", 0), (1.3, "WORSE by 30 %", 1)])
def test_all_benchmarks_are_compared_with_the_stored_results(together, saved, tmp_path, capsys, ratio, verdict, code):
    now = saved("now", one=ratio)
    script = f"import shutil, sys; shutil.copy({now!r}, sys.argv[-1])"
    (tmp_path / "quick.py").write_text(script)
    assert together.main([str(tmp_path / "out")]) == code
    said = capsys.readouterr().out
    assert verdict in said
    assert "compiled\nleft out" in said
    assert (tmp_path / "out" / "quick.json").exists()


@pytest.mark.parametrize(
    ("script", "said", "code"),
    [
        ("import no_such_package", "left out: ModuleNotFoundError: No module named 'no_such_package'", 0),
        ("raise SystemExit('broken')", "failed: broken", 1),
        ("", "failed: exit code 0, no results", 1),
    ],
)
def test_a_missing_package_is_told_and_left_out_and_a_failure_fails(together, tmp_path, capsys, script, said, code):
    (tmp_path / "quick.py").write_text(script)
    assert together.main([str(tmp_path / "out")]) == code
    assert said in capsys.readouterr().out


def test_the_stored_results_are_not_overwritten(together, tmp_path):
    with pytest.raises(SystemExit):
        together.main([str(tmp_path)])
