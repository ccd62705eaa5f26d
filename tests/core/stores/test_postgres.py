"""The store in PostgreSQL keeps the contract, also when its server is killed."""

import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote
from zlib import crc32

import pytest
from kifu.core.errors import MissingExtra, StoreError
from kifu.core.stores import Append, Create, Store, commit_one, open_store

from ..testing.host_laws import host_contract
from .killing import check, killed
from .migration_laws import migration_contract
from .store_laws import ROW, store_contract

try:
    import psycopg
    from kifu.core.stores.postgres import MAX_CONNECTIONS, STEPS, PostgresStore
    from kifu.core.stores.postgres_connections import CALL_S, CHECK_S, CONNECT_S, LAST_PAUSE_S, RESTED_S
except (ImportError, MissingExtra):
    WHY = "needs kifu[postgres]"
else:
    from .cluster import Cluster, binaries

    PROGRAMS = binaries()
    WHY = "" if PROGRAMS else "needs PostgreSQL's server"

pytestmark = pytest.mark.skipif(bool(WHY), reason=WHY or "all is there")

running: list[Any] = []


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[Any]:
    running.append(Cluster(PROGRAMS))
    yield running[0]
    running.pop().stop()


def address_of(place: Path) -> str:
    return str(running[0].address(f"test{crc32(str(place).encode()):x}"))


def open_again(place: Path) -> Store:
    return open_store(address_of(place))


TestPostgres = store_contract(open_again)
TestHostsOnPostgres = pytest.mark.long(host_contract(open_again, seeds=range(8, 10)))


def tables(place: Path) -> set[str]:
    with psycopg.connect(address_of(place)) as db:
        found = db.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()")
        return {str(name) for (name,) in found}


NAMES = (("kifu_matches", "kifu_logs"), ("kifu_events", "kifu_lines"))


def open_renamed(place: Path) -> Store:
    """Open a store whose tables had other names before its last step."""
    first = tuple(each.replace(*NAMES[0]).replace(*NAMES[1]) for step in STEPS for each in step)
    last = tuple(f"ALTER TABLE {old} RENAME TO {new}" for new, old in NAMES)
    return PostgresStore(address_of(place), steps=(first, last))


def change(place: Path, *statements: str) -> None:
    """Execute statements, as another program would."""
    with psycopg.connect(address_of(place)) as db:
        for statement in statements:
            db.execute(statement)


def make_older(place: Path) -> None:
    change(place, *(f"ALTER TABLE {new} RENAME TO {old}" for new, old in NAMES), "UPDATE kifu_schema SET version = 1")


def make_newer(place: Path) -> Callable[[], None]:
    change(place, "UPDATE kifu_schema SET version = 3")
    return lambda: change(place, "UPDATE kifu_schema SET version = 2")


TestMigrationOfPostgres = migration_contract(open_renamed, make_older, make_newer)


def test_a_migration_that_fails_changes_nothing_and_a_newer_schema_is_refused(tmp_path: Path) -> None:
    address = address_of(tmp_path)
    PostgresStore(address, steps=STEPS[:2]).close()
    with pytest.raises(StoreError, match="does not exist"):
        PostgresStore(address, steps=(*STEPS, ("DROP TABLE kifu_events", "DROP TABLE of_which_there_is_none")))
    assert tables(tmp_path) == {"kifu_schema", "kifu_matches", "kifu_events", "kifu_places"}
    PostgresStore(address, steps=(*STEPS, (), ())).close()
    with pytest.raises(StoreError, match="version 5, this kifu knows 3: use a newer one"):
        open_store(address)


def test_a_change_without_notification_is_found_by_polling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kifu.core.stores.postgres.POLL_S", 0.1)
    store = open_again(tmp_path)
    commit_one(store, Create("m1", b"head", ROW))
    notified = Event()
    store.subscribe("m1", notified.set)
    for version in range(1, 4):
        change(tmp_path, f"UPDATE kifu_matches SET version = {version}")
        while store.read("m1").row.version < version or not notified.is_set():
            assert notified.wait(60)
        notified.clear()
    store.close()


def test_a_server_that_cannot_be_reached_is_named_without_the_password(tmp_path: Path) -> None:
    for address in (
        f"postgresql:///none?host={tmp_path}&password=geheim",
        "postgresql://u:geheim@[/x",
        "postgresql://a:geheim@/?x=1",
        "postgres://u:p geheim@localhost:1/x",
        "postgresql://u:a/geheim@localhost:1/x",
        "postgresql://u:a@geheim@localhost:1/x",
        "postgresql://u:a?geheim@localhost:1/x",
        "postgresql://u:%geheim@localhost:1/x",
        "postgresql://u:geheim@localhost:1/x\ud800",
    ):
        with pytest.raises(StoreError) as caught:
            open_store(address)
        assert "geheim" not in f"{caught.value}"
        assert "\n" not in f"{caught.value}"


def test_commits_are_durable_whatever_the_server_s_setting(tmp_path: Path) -> None:
    address = address_of(tmp_path).replace("options=", "options=-csynchronous_commit%3Doff%20")
    store = PostgresStore(address)
    with store._connection() as db:
        assert db.execute("SHOW synchronous_commit").fetchone() == ("on",)
    store.close()


NO_CONNECTION = ("08006", "57P01")
"""`connection_failure`, and the server's own `admin_shutdown`."""


def all_connections_of(store: Any) -> ExitStack:
    """Take all connections that there can be; return what gives them back."""
    held = ExitStack()
    for _ in range(MAX_CONNECTIONS):
        held.enter_context(store._connections.connection())
    return held


def test_failures_that_no_server_tells_have_a_state_by_name(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as failed:
        PostgresStore(f"postgresql:///x?host={tmp_path}")
    assert getattr(failed.value.__cause__, "sqlstate", None) == "08006"
    store = PostgresStore(address_of(tmp_path), timeout_s=0.2)
    with all_connections_of(store), pytest.raises(StoreError) as failed:
        store.probe()
    assert getattr(failed.value.__cause__, "sqlstate", None) == "53300", "too_many_connections"
    store.close()


def test_a_probe_finds_bytes_that_are_others(tmp_path: Path) -> None:
    store = open_again(tmp_path)
    store.probe()
    change(
        tmp_path,
        "CREATE FUNCTION f() RETURNS trigger AS $$ BEGIN NEW.content = 'x'; RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER t BEFORE INSERT ON kifu_probes FOR EACH ROW EXECUTE FUNCTION f()",
    )
    with pytest.raises(StoreError, match="other bytes"):
        store.probe()
    store.close()


class Proxy:
    """A socket before the server's; the conversations that there are can go silent, while new ones are served."""

    def __init__(self, folder: Path, server: Path) -> None:
        self._server, self._silent, self._talking = server, Event(), Event()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / server.name))
        self._listener.listen(50)
        Thread(target=self._accept, daemon=True).start()

    def silence(self) -> None:
        """Let no conversation that there is go on."""
        self._silent.set()
        self._silent = Event()

    def _accept(self) -> None:
        while True:
            with suppress(OSError):
                here, there = self._listener.accept()[0], socket.socket(socket.AF_UNIX)
                there.connect(str(self._server))
                for ends in ((here, there), (there, here)):
                    Thread(target=self._pass, args=(*ends, self._silent), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, silent: Event) -> None:
        with suppress(OSError):  # an end that its own program has closed
            while data := source.recv(1 << 16):
                if silent.is_set():
                    Event().wait()
                target.sendall(data)
        target.close()


def _ask_the_silent(proxy: Proxy, db: Any) -> None:
    proxy.silence()
    db.execute("SELECT 1")


def test_connections_that_go_silent_cost_no_more_than_a_deadline(
    tmp_path: Path, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of many that rest one alone is asked; what waits for an answer fails; whoever comes then has a new one."""
    with TemporaryDirectory() as short:
        proxy = Proxy(Path(short), cluster.folder / ".s.PGSQL.5432")
        store = PostgresStore(address_of(tmp_path).replace(quote(str(cluster.folder)), quote(short)))
        commit_one(store, Create("m1", b"head", ROW))
        several = [Thread(target=store.read, args=("m1",)) for _ in range(MAX_CONNECTIONS)]
        all_connections_of(store).close()
        for each in several:
            each.start()
        for each in several:
            each.join()
        sleep(RESTED_S)
        proxy.silence()
        began_s = monotonic()
        assert store.read("m1").count == 0
        assert monotonic() - began_s < 2 * CHECK_S + CONNECT_S
        monkeypatch.setattr("kifu.core.stores.postgres_connections.CALL_S", 1.0)
        with pytest.raises(StoreError) as failed, store._connection() as db:
            _ask_the_silent(proxy, db)
        assert getattr(failed.value.__cause__, "sqlstate", None) == "08006"
        assert monotonic() - began_s + CALL_S - 1.0 < 10
        commit_one(store, Append("m1", 0, [b"event"]))
        store.close()


def test_whoever_waits_for_the_server_tries_again_soon() -> None:
    assert LAST_PAUSE_S <= 2


def test_a_restored_store_has_another_epoch(tmp_path: Path) -> None:
    epochs = []
    for restored in (False, False, True):
        if restored:
            tables_again = "CREATE TABLE again AS TABLE kifu_schema"
            change(tmp_path, tables_again, "DROP TABLE kifu_schema", "ALTER TABLE again RENAME TO kifu_schema")
        store = open_again(tmp_path)
        epochs.append(store.epoch)
        store.close()
    assert epochs[0] == epochs[1] != epochs[2]


def test_a_store_survives_a_restart_of_the_server(tmp_path: Path, cluster: Any) -> None:
    """Subscriptions go on, and a write that waits is made once the server is back."""
    address = address_of(tmp_path)
    patient, hasty = PostgresStore(address, timeout_s=120), PostgresStore(address, timeout_s=0.2)
    commit_one(patient, Create("m1", b"head", ROW))
    notified = Event()
    patient.subscribe("m1", notified.set)
    cluster.kill()
    for _ in range(3):  # the connection is lost, then there is none
        with pytest.raises(StoreError) as failed:
            commit_one(hasty, Append("m1", 0, [b"lost"]))
        assert getattr(failed.value.__cause__, "sqlstate", None) in NO_CONNECTION
    writing = Thread(target=commit_one, args=(patient, Append("m1", 0, [b"event"])))
    writing.start()
    cluster.start()
    writing.join()
    other = open_again(tmp_path)
    assert other.read("m1").events == (b"event",)
    for seq in range(1, 5):
        notified.clear()
        commit_one(other, Append("m1", seq, [b"event"]))
        assert notified.wait(60)
    for each in (patient, hasty, other):
        each.close()


@pytest.mark.parametrize("of_the_server", [True, False])
def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path, cluster: Any, of_the_server: bool) -> None:
    def kill(process: subprocess.Popen[str]) -> None:
        if of_the_server:
            cluster.kill()
        process.kill()  # it would wait for the server

    output = killed(address_of(tmp_path), 200, kill)
    if of_the_server:
        cluster.start()
    check(address_of(tmp_path), output)
