"""Commands that reach a host at about the same time, submitted together by one task, as the web does it."""

from __future__ import annotations

from attrs import define, field

from ...errors import KifuError
from ...host import Answer, Host, Receipt, Submission
from .threads import SimulatedEvent
from .weather import Weather
from .world import World


@define(eq=False)
class _Gathered:
    """A command that waits to be submitted."""

    submission: Submission
    done: SimulatedEvent
    answer: Answer = None


@define(eq=False)
class Gathering:
    """The commands that wait at one host."""

    world: World
    weather: Weather
    host: Host
    _waiting: list[_Gathered] = field(factory=list)
    _is_led: bool = False

    def submit(self, submission: Submission) -> Receipt:
        """Return the receipt of a command that is submitted with others, or alone where that cannot be done."""
        own = _Gathered(submission, SimulatedEvent(self.world, "commands submitted together"))
        self._waiting.append(own)
        if self._is_led:
            own.done.wait()
        else:
            self._lead()
        if own.answer is None:
            each = submission
            return self.host.submit(each.match, each.key, each.command, each.expected_events, each.idempotency_key)
        if isinstance(own.answer, KifuError):
            raise own.answer
        return own.answer

    def _lead(self) -> None:
        """Submit what waits, until nothing does."""
        self._is_led = True
        self.world.sleep(60 * self.weather.latency_ms())  # others come meanwhile
        while self._waiting:
            batch, self._waiting = self._waiting, []
            answers = self.host.submit_together([each.submission for each in batch])
            for each, answer in zip(batch, answers, strict=True):
                each.answer = answer
                each.done.set()
        self._is_led = False
