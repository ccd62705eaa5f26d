"""The bar of a long run: on the terminal, and never in what is written elsewhere."""

import re
from contextlib import closing
from pathlib import Path

import pytest
from kifu.core.host import Host, Terms
from kifu.core.stores import open_store

pytestmark = pytest.mark.ci
CAKE = Path(__file__).parents[2] / "fixtures" / "cake"


@pytest.mark.parametrize(
    "call",
    [
        "stats LOGS",
        "stats LOGS --json",
        "rate LOGS",
        "golden LOGS",
        "rules cake --coverage LOGS",
        "store check sqlite:STORE",
    ],
)
def test_who_waits_at_a_terminal_for_many_logs_sees_how_far_it_is(at_terminal, call: str, tmp_path: Path) -> None:
    if "STORE" in call:
        with closing(open_store(f"sqlite:{tmp_path}/store")) as store:
            Host(store).import_log((CAKE / "three_seats.log").read_bytes(), Terms())
    code, written = at_terminal(*call.replace("LOGS", str(CAKE)).replace("STORE", f"{tmp_path}/store").split())
    assert code == 0
    assert re.search(rf"{call.split()[0]}[a-z ]* ━", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", written))


@pytest.mark.parametrize("more", [(), ("--bots", "random", "--jobs", "1", "--json")])
def test_who_sends_the_output_into_a_file_sees_how_far_it_is(at_terminal, tmp_path, capsys, more) -> None:
    code, written = at_terminal(
        "simulate", "take_and_share", "--games", "3", *more, "-o", tmp_path, streams=("stderr",)
    )
    assert (code, "━" in written, "\x1b" in capsys.readouterr().out) == (0, True, False)
