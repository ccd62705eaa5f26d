"""The engine in a header says which program has recorded a log, and of a guest's game which package, as it was then."""

import re
from pathlib import Path

import kifu
import nim
import pytest
from kifu.core.match import engine
from kifu.core.match.engine import engine_name, engine_of
from nim import GAME as NIM


def test_a_log_of_kifu_s_own_game_names_kifu_alone() -> None:
    assert kifu.new("cake", ["Aki", "Ren", "Mio"]).header.engine == engine_name()


def test_a_log_of_a_guest_names_its_package_and_a_digest_of_its_sources() -> None:
    assert re.fullmatch(r"kifu [\w.]+\+[0-9a-f]{8}, nim\+[0-9a-f]{8}", kifu.new(NIM, ["Aki", "Ren"]).header.engine)
    assert engine_of(NIM, "kifu of today").startswith("kifu of today, nim+")


def test_the_digest_is_another_one_once_the_sources_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(nim.__file__)
    names = []
    for change in ("", "\n# another reading\n"):
        (tmp_path / "nim.py").write_text(source.read_text("utf-8") + change, "utf-8")
        monkeypatch.setattr("nim.__file__", str(tmp_path / "nim.py"))
        engine._package_of.cache_clear()
        names.append(engine_of(NIM))
    engine._package_of.cache_clear()
    assert names[0] != names[1]
