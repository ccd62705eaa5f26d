"""The key of the host that a verdict is about, compared with what the user knows of hosts."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from ...core.trust.records import KnownHosts, Verdict, default_path, hold_to


@frozen
class HostKeyCheck:
    """What a user says of the host's key: the key or its fingerprint, a name among the known hosts, and their file."""

    key: str | None
    name: str | None
    path: Path | None

    def hold(self, found: Verdict) -> tuple[Verdict, str | None, bool]:
        """Return the verdict, with a finding for another key; the known name of the host; and whether it was added.

        A name that is not known yet is added with its key if all else is fine and signed. Raises `TrustError` for a
        key that is none, and for a file of known hosts that cannot be used.
        """
        known = KnownHosts.read(self.path or default_path())
        if self.key is not None:
            found = hold_to(found, self.key)
        added = False
        if self.name is not None and self.name.lower() in known.keys:
            found = known.hold(found, self.name)
        elif self.name is not None and found.host_key is not None and found.signed and found.ok:
            known, added = known.add(self.name, found.host_key), True
        return found, known.name_of(found.host_key), added
