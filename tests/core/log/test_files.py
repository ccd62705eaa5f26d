"""Whoever writes a whole file: it is the old one or the new one, under its name, mode and owner, and nothing else."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import kifu
import pytest
from kifu.core.log import files
from kifu.core.log.files import write_whole

OLD, NEW = b"old" * 9000, b"new" * 40000
"""Contents of several pages, so that half of one can be seen."""

WRITER = """
import sys
from pathlib import Path
from kifu.core.log.files import write_whole
for _ in range(int(sys.argv[2])):
    write_whole(Path(sys.argv[1]), b"other" * 20000, durable=False)
"""


def rounds_of(path: Path, rounds: int) -> set[bytes]:
    """Write by two threads and another process, and return every content that a reader has seen meanwhile."""
    write_whole(path, OLD)
    other = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(rounds)])
    failed: list[BaseException] = []

    def write(content: bytes) -> None:
        try:
            for _ in range(rounds):
                write_whole(path, content, durable=False)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(content,)) for content in (OLD, NEW)]
    for thread in threads:
        thread.start()
    seen = set()
    while other.poll() is None or any(thread.is_alive() for thread in threads):
        seen.add(path.read_bytes())
    assert (failed, other.returncode) == ([], 0)
    return seen


@pytest.mark.parametrize("rounds", [20, pytest.param(500, marks=pytest.mark.ci)])
def test_whoever_reads_while_many_write_sees_a_whole_file(tmp_path: Path, rounds: int) -> None:
    assert rounds_of(tmp_path / "file", rounds) <= {OLD, NEW, b"other" * 20000}
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_of_many_that_write_a_new_file_one_does(tmp_path: Path) -> None:
    done: list[bytes] = []

    def write(content: bytes) -> None:
        try:
            write_whole(tmp_path / "file", content, new=True)
        except kifu.LogError:
            return
        done.append(content)

    threads = [threading.Thread(target=write, args=(bytes([number]) * 5000,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(tmp_path / "file").read_bytes()] == done
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "file", tmp_path / "link"
    link.symlink_to("there/file")
    for content in (OLD, NEW):  # at first it leads nowhere
        write_whole(link, content)
        assert (link.is_symlink(), target.read_bytes()) == (True, content)
    with pytest.raises(kifu.LogError, match="there already"):
        write_whole(link, OLD, new=True)
    circle = tmp_path / "circle"
    circle.symlink_to("circle")
    with pytest.raises(kifu.LogError, match="symbolic links"):
        write_whole(circle, OLD)
    with pytest.raises(kifu.LogError, match="there already"):
        write_whole(circle, OLD, new=True)


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o777])
def test_an_old_file_keeps_its_mode_and_owner(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "file"
    file.write_bytes(OLD)
    if os.getuid() == 0:
        os.chown(file, 12345, 23456)
    file.chmod(mode)
    before = file.stat()
    write_whole(file, NEW)
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert file.read_bytes() == NEW


def test_a_new_file_follows_the_umask_and_a_private_one_is_its_owners(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "any", OLD)
        write_whole(tmp_path / "own", OLD, private=True)
    finally:
        os.umask(before)
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("any", "own")] == [0o640, 0o600]


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_is_not_replaced(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "x")
    kind = (tmp_path / "x").lstat().st_mode
    for new in (False, True):
        with pytest.raises(kifu.LogError, match="cannot be written"):
            write_whole(tmp_path / "x", NEW, new=new)
    assert (tmp_path / "x").lstat().st_mode == kind
    with pytest.raises(kifu.LogError, match="a pipe or a device"):
        write_whole(Path("/dev/null"), NEW)


@pytest.mark.parametrize("name", ["n" * 255, "棋" * 85, "a b\nc", "-", ".hidden", "\udcff"])
def test_any_name_that_a_file_can_have(tmp_path: Path, name: str) -> None:
    for content in (OLD, NEW):
        write_whole(tmp_path / name, content)
        assert (tmp_path / name).read_bytes() == content
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["a\0b", "\ud800", "n" * 256, "", None, 3, b"x"])
def test_a_name_that_no_file_can_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: object) -> None:
    monkeypatch.chdir(tmp_path)
    for new in (False, True):
        with pytest.raises(kifu.LogError, match="cannot be written"):
            write_whole(name, NEW, new=new)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt(), ValueError("x")])
@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_what_fails_on_the_way_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException, call: str
) -> None:
    def fail(*_: object) -> None:
        raise failure

    write_whole(tmp_path / "file", OLD)
    monkeypatch.setattr(os, call, fail)
    with pytest.raises(kifu.LogError if isinstance(failure, OSError) else type(failure)):
        write_whole(tmp_path / "file", NEW)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == OLD


def test_where_a_reader_holds_the_old_file_it_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, refused = os.replace, iter([True, True, False])

    def replace_later(draft: Path, target: Path) -> None:
        if next(refused):
            raise PermissionError(13, "Access is denied")
        replace(draft, target)

    monkeypatch.setattr(files, "REPLACE_TRIES", 5)
    monkeypatch.setattr(os, "replace", replace_later)
    write_whole(tmp_path / "file", NEW)
    assert (tmp_path / "file").read_bytes() == NEW


@pytest.mark.parametrize("name", ["m.log", "m.json"])
def test_a_match_that_goes_on_is_for_its_owner_alone(tmp_path: Path, going: kifu.Match, name: str) -> None:
    """All cards are in its log."""
    path = tmp_path / name
    going.save(path)
    assert path.stat().st_mode & 0o777 == 0o600
    path.unlink()
    going.abandon()
    going.save(path)
    assert path.stat().st_mode & 0o777 == 0o666 & ~current_umask()


def current_umask() -> int:
    umask = os.umask(0)
    os.umask(umask)
    return umask
