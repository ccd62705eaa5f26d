"""A temporary PostgreSQL cluster, of the installed binaries."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

TIMEOUT_S = 120


def binaries() -> Path | None:
    """Return the folder of the newest server's programs, in Debian's place or on the path; None: there are none."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    found = debian[-1] if debian else shutil.which("initdb")
    return Path(found).parent if found else None


class Cluster:
    """A server that listens on a socket in a folder of its own; each schema in it is a store of its own."""

    def __init__(self, programs: Path) -> None:
        self.programs = programs
        self.folder = Path(tempfile.mkdtemp(prefix="kifu-pg-"))
        self.user = "postgres" if os.geteuid() == 0 else None  # the server does not run as root
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        data = ["-D", str(self.folder / "data")]
        self._run("initdb", *data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8")
        self.server: subprocess.Popen[bytes] | None = None
        self.start()

    def _run(self, program: str, *args: str) -> None:
        run = [str(self.programs / program), *args]
        done = subprocess.run(run, user=self.user, group=self.user, cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start the server and wait until it answers."""
        run = [str(self.programs / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder)]
        with (self.folder / "server.txt").open("ab") as output:
            self.server = subprocess.Popen(
                [*run, "-c", "listen_addresses=", "-c", "fsync=off"],  # SIGKILL loses nothing that is not on the disk
                user=self.user,
                group=self.user,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        limit = time.monotonic() + TIMEOUT_S
        while True:
            try:
                psycopg.connect(self.address()).close()
            except psycopg.OperationalError:
                assert time.monotonic() < limit, (self.folder / "server.txt").read_text()
                assert self.server.poll() is None, (self.folder / "server.txt").read_text()
                time.sleep(0.05)
            else:
                return

    def kill(self) -> None:
        """Kill the server and all of its processes (SIGKILL)."""
        assert self.server is not None
        children = children_of(self.server.pid)
        for pid in (self.server.pid, *children):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.server.wait()
        limit = time.monotonic() + TIMEOUT_S
        while any(Path(f"/proc/{pid}").exists() for pid in children):
            assert time.monotonic() < limit
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop the server and delete its folder."""
        if self.server is not None and self.server.poll() is None:
            self.kill()
            self.server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, schema: str | None = None) -> str:
        """Return the address of the server, or of the store in a schema, which is created if need be."""
        address = f"postgresql:///postgres?host={quote(str(self.folder))}&user=postgres"
        if schema is None:
            return address
        with psycopg.connect(address) as db:
            db.execute(f'CREATE SCHEMA IF NOT EXISTS "{schema}"')
        return f"{address}&options={quote(f'-csearch_path={schema}')}"


def children_of(pid: int) -> list[int]:
    children = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(path.read_text().rpartition(")")[2].split()[1]) == pid:
                children.append(int(path.parent.name))
    return children
