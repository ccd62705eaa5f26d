"""A pipe is read as a file is; what is no log is named as what it is; a folder is gone through to its end."""

import gzip
import io
import json
import os
import shutil
import sys

import pytest
from kifu.core.log import read_bytes

from .conftest import FIXTURES

CAKE = sorted((FIXTURES / "cake").glob("*.log"))[0]
PALACE = sorted((FIXTURES / "palace").glob("*.log"))[0]


class Standard(io.TextIOWrapper):
    """A standard stream that holds bytes."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


CALLS = [
    *[("audit", "LOG", "--json"), ("show", "LOG", "--plain"), ("rate", "LOG", "--json"), ("diff", "LOG", str(CAKE))],
    *[("rules", "cake", "--coverage", "LOG"), ("impact", "LOG", "--option", "first=1")],
]


@pytest.mark.parametrize("call", CALLS, ids=" ".join)
def test_a_log_in_a_pipe_is_read_as_its_file_is(replay, monkeypatch: pytest.MonkeyPatch, call: tuple[str, ...]) -> None:
    of_file = replay(*(str(CAKE) if each == "LOG" else each for each in call))
    monkeypatch.setattr(sys, "stdin", Standard(CAKE.read_bytes()))
    in_pipe = replay(*("-" if each == "LOG" else each for each in call))
    assert (in_pipe.code, in_pipe.err) == (of_file.code, of_file.err)
    assert in_pipe.out == of_file.out.replace(str(CAKE), "-") or call[0] == "diff"


@pytest.mark.ci
@pytest.mark.parametrize(
    "call",
    [("trace", CAKE), ("export", CAKE), ("export", CAKE, "--anonymous"), ("export", CAKE, "--format", "json")],
    ids=str,
)
def test_what_is_written_to_a_pipe_is_the_file_and_nothing_else(replay, tmp_path, monkeypatch, call) -> None:
    file = tmp_path / ("m.log" if "--anonymous" in call else "m.html")
    assert replay(*call, "-o", file).code == 0
    out = Standard()
    monkeypatch.setattr(sys, "stdout", out)
    assert replay(*call, "-o", "-").code == 0
    assert out.buffer.getvalue() == file.read_bytes()


@pytest.fixture
def folder(tmp_path):
    """Two logs of two games, and much that is none."""
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(CAKE, folder / "a.log")
    (folder / "b-gzip.log").write_bytes(gzip.compress(CAKE.read_bytes()))
    (folder / "c-mark.log").write_bytes(b"\xef\xbb\xbf" + CAKE.read_bytes())
    (folder / "d-dangling.log").symlink_to("nowhere")
    os.mkfifo(folder / "e-pipe.log")
    shutil.copy(PALACE, folder / "f.log")
    return folder


NOT_READ = {
    "b-gzip.log": "packed by gzip",
    "c-mark.log": "a byte order mark",
    "d-dangling.log": "No such file",
    "e-pipe.log": "a pipe or a device",
}


@pytest.mark.parametrize(
    "call",
    [
        *[("audit", "DIR"), ("audit", "DIR", "--json"), ("stats", "DIR"), ("show", "DIR"), ("rate", "DIR")],
        *[("rules", "cake", "--coverage", "DIR"), ("rules", "cake", "--coverage", "DIR", "--json")],
        *[("table", "DIR", "-o", "OUT.parquet"), ("impact", "DIR", "--option", "first=1"), ("golden", "DIR")],
    ],
    ids=" ".join,
)
def test_a_folder_is_gone_through_whatever_is_in_it(replay, folder, call: tuple[str, ...]) -> None:
    for verb, library in (("rate", "choix"), ("table", "pyarrow")):
        if call[0] == verb:
            pytest.importorskip(library, reason="needs kifu[stats]")
    out = str(folder.parent / "out")
    called = replay(*(each.replace("DIR", str(folder)).replace("OUT", out) for each in call), exits=2)
    for name, why in NOT_READ.items():
        if (call[0], name) == ("golden", "d-dangling.log"):
            why = "a link to a file that is not there"
        assert name.removesuffix(".log") in called.out
        assert why in called.out, name


@pytest.mark.ci
def test_two_folders_are_compared_by_the_names_in_them(replay, folder, tmp_path) -> None:
    other = tmp_path / "other"
    (other / "sub").mkdir(parents=True)
    (folder / "sub").mkdir()
    for at in (folder, other):
        shutil.copy(PALACE, at / "sub" / "a.log")
        assert replay("trace", CAKE, "-o", at / "a.trace").code == 0
    called = replay("diff", folder, other, "--json", exits=2)
    assert [line for line in called.out.splitlines() if '"error"' not in line] != []
    for at in (folder, other):
        for each in at.glob("*.log"):
            each.unlink()
    called = replay("diff", folder, other, exits=0)
    assert "2 logs: 2 same" in called.out
    assert replay("diff", other / "sub", other / "nothing").code == 2


def test_a_log_that_was_copied_as_text_is_named_as_that() -> None:
    raw = CAKE.read_bytes()
    for spoilt in (raw.replace(b"\n", b"\r\n"), PALACE.read_bytes().replace(b"\n", b"\r\n")):
        if b"\n" in spoilt:
            (finding,) = read_bytes(spoilt).findings
            assert "copied as text" in finding.message
    assert "saved it as text" in read_bytes(raw.decode("utf-8", "replace").encode()).findings[0].message
    assert len(read_bytes(raw[:-40] + b"\r\n" + raw[-40:]).findings) > 0


def test_a_file_that_cannot_be_read_is_not_called_wrong(replay, tmp_path) -> None:
    called = replay("audit", tmp_path / "none.log")
    assert (called.code, "WRONG" in called.out) == (2, False)
    assert "cannot be read: No such file" in called.out
    assert '"kind": "file"' in replay("audit", tmp_path / "none.log", "--json").out


def test_a_file_name_that_is_not_utf_8_is_json_for_everybody(replay, tmp_path) -> None:
    shutil.copy(CAKE, os.path.join(os.fsencode(tmp_path), b"\xff.log"))
    called = replay("audit", tmp_path, "--json", exits=0)
    json.loads(called.out)["log"].encode()
