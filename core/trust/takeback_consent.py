"""What the rules say of the takebacks in a log: whether one needed the consent of the others."""

from __future__ import annotations

from attrs import define, field

from ..errors import KifuError, Message
from ..game import Seat
from ..log import Reading, read_bytes
from ..log.reader import Find
from ..match import AnyMatch
from ..match.fold import call_game
from ..match.takebacks import why_consent_is_needed
from .raw_log import RawLog


@define
class TakebackRules:
    """The rules, asked about a log that `engine` has recorded; of another engine's they say nothing."""

    log: RawLog
    reading: Reading
    data: bytes
    find: Find
    engine: str
    unchecked: list[str] = field(factory=list)
    """What could not be asked, and why."""
    _match: AnyMatch | None = None

    def why_consent_is_needed(self, seq: int, wisher: int, to: int) -> Message | None:
        """Say why the takeback that is event `seq` needed the others' consent; None if it did not, or nobody knows."""
        match = self._own_match()
        if match is not None and seq < len(match.events):
            try:
                return call_game(match.game, why_consent_is_needed, match, Seat(wisher), to, seq)  # type: ignore[no-any-return]
            except KifuError:
                pass  # the game fails on it, which accuses nobody
        english = "whether the takeback at event {seq} needed consent: its program knows, {engine}"
        recorder = ascii(self.log.header.get("engine"))[:60]
        self.unchecked.append(Message("consent-unchecked", english, seq=seq, engine=recorder))
        return None

    def _own_match(self) -> AnyMatch | None:
        """Return the match as this engine has recorded it, None if it has not."""
        header, game = self.log.header, self.reading.game
        if game is None or header.get("engine") != self.engine or header.get("rules") != game.rules:
            return None
        if self._match is None:
            self._match = self.reading.match or read_bytes(self.data, self.find).match
        return self._match
