"""Pack a source distribution again so that two builds of one commit give the same bytes.

    python .ci/repack.py dist/kifu-1.0.tar.gz SECONDS

setuptools writes the time of the build into it. Here every file gets the same time (seconds since 1970, that of the
commit), no owner, and its place by name.
"""

import gzip
import io
import sys
import tarfile
from pathlib import Path


def repacked(content: bytes, when: int) -> bytes:
    """Return the same archive with one time for all, in the order of names."""
    out = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(content)) as old,
        gzip.GzipFile("", "wb", 9, out, mtime=when) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for entry in sorted(old.getmembers(), key=lambda each: each.name):
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = when, 0, 0, "", ""
            entry.mode, entry.pax_headers = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644, {}
            new.addfile(entry, old.extractfile(entry) if entry.isfile() else None)
    return out.getvalue()


def main(file: str, when: str) -> None:
    """Write the archive anew."""
    path = Path(file)
    path.write_bytes(repacked(path.read_bytes(), int(when)))


if __name__ == "__main__":
    main(*sys.argv[1:])
