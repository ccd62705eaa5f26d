"""Bugs to plant into hosts: what a simulation must find."""

from __future__ import annotations

from contextlib import suppress
from secrets import token_bytes
from typing import Any

from attrs import evolve
from kifu.core.errors import KifuError, NewerRules, StoreError
from kifu.core.game import RulesChange
from kifu.core.host import fair_deal, host, lifecycle, live_match, rules_update, scheduler, watching
from kifu.core.host.live_match import LiveMatch
from kifu.core.host.match_cache import MatchCache
from kifu.core.host.scheduler import Scheduler
from kifu.core.host.writer import Writer
from kifu.core.match import Fold
from kifu.core.stores.store import Append, Due, Schedule, commit_one
from kifu.core.trust.evidence import Evidence

HOUR_MS = 3_600_000


def an_id_that_is_not_remembered(patch: Any) -> None:
    """A command that is sent again is a new one."""
    patch.setattr(LiveMatch, "_index", lambda self, event: None)


def a_claim_kept_after_a_crash(patch: Any) -> None:
    """What a dead host has claimed nobody else gets."""
    for name in ("LEASE_MS", "BOT_LEASE_MS"):
        patch.setattr(scheduler, name, HOUR_MS)


def a_cache_not_dropped(patch: Any) -> None:
    """A match that could not be stored stays in memory."""
    patch.setattr(MatchCache, "discard", lambda self, live, failure=None: None)


def an_answer_before_the_write(patch: Any) -> None:
    """The receipt goes out while the store still works."""

    def hasty(self: Any) -> None:
        waiting, self._waiting = self._waiting, []
        changes = [change for _, live in waiting for change in live.changes]
        self._threads.start(lambda: self._store.commit(changes), "behind")
        for call, live in waiting:
            self._settle(call, live, None)
        self._tell([call for call, _ in waiting])

    patch.setattr(Writer, "_store_all", hasty)


def a_write_acknowledged_after_an_error(patch: Any) -> None:
    """An error of the store is taken for a success."""
    settle = Writer._settle

    def careless(self: Any, call: Any, live: Any, failure: Any) -> None:
        settle(self, call, live, None if isinstance(failure, StoreError) else failure)

    patch.setattr(Writer, "_settle", careless)


def an_event_missed_when_a_watcher_comes_again(patch: Any) -> None:
    """The event after the last one that was fetched is taken for known."""
    after = watching.page_after

    def late(where: Any, match: str, key: str | None, since: int) -> Any:
        return after(where, match, key, since + 1 if since else 0)

    patch.setattr(watching, "page_after", late)


def a_clock_of_its_own(patch: Any) -> None:
    """A host judges by the clock of its machine."""
    patch.setattr(host.StoreClock, "__call__", lambda self: self._wall_ns() // 1_000_000)


def a_veil_drawn_anew(patch: Any) -> None:
    """Each host marks what it tells under a veil of its own."""
    log_trust = live_match.log_trust

    def veiled(game: Any, header: bytes, *more: Any) -> Any:
        trust = log_trust(game, header, *more)
        if trust is None:
            return None
        veil = token_bytes(32)
        return evolve(trust, evidence=Evidence(game, trust.roster.match, veil, header))

    patch.setattr(live_match, "log_trust", veiled)


def a_secret_that_is_not_kept(patch: Any) -> None:
    """The deal is drawn by the host after all."""
    begin = lifecycle.begin

    def begins(where: Any, live: Any, metadata: Any) -> None:
        plain = evolve(
            metadata,
            terms=evolve(metadata.terms, fair=False),
            preparation=metadata.preparation and evolve(metadata.preparation, who=None, deal=None),
        )
        begin(where, live, plain)

    patch.setattr(fair_deal, "begin", begins)


def a_witness_that_is_not_checked(patch: Any) -> None:
    """A match goes on under newer rules though somebody would have other than he had."""
    patch.setattr(rules_update, "first_difference", lambda *_: None)


def an_older_host_that_writes_over_newer_rules(patch: Any) -> None:
    """A host of an older version does not look at which version a match goes on under."""
    apply_format = Fold._apply_format

    def careless(self: Any, seat: Any, command: Any) -> Any:
        if isinstance(command, RulesChange) and command.to > self.game.version:
            return self.state
        return apply_format(self, seat, command)

    patch.setattr(Fold, "_apply_format", careless)


def an_older_host_that_keeps_what_is_due(patch: Any) -> None:
    """A host of an older version claims what it cannot do, and leaves it to nobody."""
    rest = Scheduler._rest

    def keeps(self: Any, match: str, cause: Any) -> None:
        if not isinstance(cause, NewerRules):
            rest(self, match, cause)
            return
        store = self._context.store
        with suppress(KifuError):
            commit_one(store, Schedule(match, store.read(match).count, Due(self._context.clock() + HOUR_MS)))

    patch.setattr(Scheduler, "_rest", keeps)


def a_claim_that_is_not_renewed(patch: Any) -> None:
    """A host lets its claim lapse while a bot thinks."""
    patch.setattr(scheduler, "RENEW_S", HOUR_MS)


def a_row_that_is_not_expected(patch: Any) -> None:
    """A host appends under the keys that it has read once, whatever has become of them."""

    def careless(change: Any, log_head: Any) -> None:
        checks(evolve(change, expected_version=None), log_head)

    checks = Append.check
    patch.setattr(Append, "check", careless)
