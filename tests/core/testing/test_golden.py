"""Golden logs as tests: they pass as they are, and fail when the log or what lies beside it has changed."""

import json

import pytest
from high_card import GAME
from kifu.core.log import read
from kifu.core.log.findings import audit_record
from kifu.core.testing import golden_logs
from kifu.core.testing.play import played
from kifu.core.trace import trace_log


@pytest.fixture
def path(tmp_path):
    """A log of High Card, with what an audit says of it beside it."""
    path = tmp_path / "short.log"
    played(GAME, 2, GAME.options(1), 0, 0.5).save(path)
    said = audit_record(read(path, lambda _: GAME))
    path.with_suffix(".json").write_text(json.dumps(said))
    path.with_suffix(".trace").write_bytes(trace_log(path.read_bytes(), lambda _: GAME))
    return path


def golden(path):
    return golden_logs(path.parent, GAME)


def test_each_log_of_the_folder_is_a_test(path):
    (mark,) = golden(path).pytestmark
    assert mark.args == ("path", [path])
    assert mark.kwargs["ids"] == ["short"]


def test_a_log_that_reads_as_it_did_passes_and_another_fails(path):
    """What else may be wrong `replay golden` tells by the same check."""
    golden(path)(path)
    beside = path.with_suffix(".json")
    beside.write_text(json.dumps({**json.loads(beside.read_text()), "points": [9, 9]}))
    with pytest.raises(AssertionError, match="points"):
        golden(path)(path)


def test_a_folder_without_logs_is_a_mistake(tmp_path):
    with pytest.raises(AssertionError, match="no golden logs"):
        golden_logs(tmp_path)
