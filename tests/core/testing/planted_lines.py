"""Thirty bugs of a line each, planted into the source of hosts and of the store in memory: what a simulation must find.

They were written by somebody who looked for what could go wrong in the code, not in the checks.
"""

from __future__ import annotations

import inspect
import sys
from importlib import import_module
from textwrap import dedent
from typing import Any

from attrs import frozen


@frozen
class Line:
    """A bug: in the source of a function or method, one text is replaced by another."""

    name: str
    where: str
    """`room.module:function` or `room.module:Class.method`."""
    old: str
    new: str

    def plant(self, patch: Any) -> None:
        """Replace the function wherever its own module looks it up."""
        module_name, path = self.where.split(":")
        module = import_module(f"kifu.core.{module_name}")
        *owners, name = path.split(".")
        owner: Any = getattr(module, owners[0]) if owners else module
        found = inspect.getattr_static(owner, name)
        source = dedent(inspect.getsource(getattr(found, "fget", found)))
        assert source.count(self.old) == 1, f"{self.where} has {self.old!r} {source.count(self.old)} times"
        made: dict[str, Any] = {}
        exec(compile(source.replace(self.old, self.new), module.__file__ or name, "exec"), module.__dict__, made)
        patch.setattr(owner, name, made[name])
        for each in [each for key, each in sys.modules.items() if key.startswith("kifu.core.") and not owners]:
            for known, value in list(vars(each).items()):
                if value is found:
                    patch.setattr(each, known, made[name])


LINES = (
    Line(
        "a batch whose answers are those of its first match",
        "host.judge:Judge._answer",
        "place += len(live.changes)",
        "pass",
    ),
    Line("a refusal of a match as it was once known", "host.judge:Judge._work", "job.reads = True", "break"),
    Line(
        "a conflict taken for done",
        "host.judge:Judge._settle",
        "isinstance(failure, Conflict | NoMatch)",
        "False",
    ),
    Line(
        "a conflict that nobody is told of",
        "host.judge:Judge._settle",
        "job.error = failure\n",
        "job.error = None\n",
    ),
    Line(
        "what is shown of a match as it was once known",
        "host.match_cache:MatchCache.locked",
        "live.catch_up()",
        "live.is_read or live.catch_up()",
    ),
    Line(
        "ids of what other hosts have stored are not known",
        "host.live_match:LiveMatch._add",
        "self._index(step.event)",
        "pass",
    ),
    Line(
        "ids of before a restart are not known",
        "host.live_match:LiveMatch._read",
        "self._index(event)",
        "pass",
    ),
    Line(
        "marks without what other hosts have stored",
        "host.live_match:LiveMatch._add",
        "self._bind(None, (raw,), None)",
        "pass",
    ),
    Line(
        "an end that is not stored",
        "host.live_match:LiveMatch.record",
        "header, end, row, version, due",
        "header, None, row, version, due",
    ),
    Line(
        "a row that is not stored with its events",
        "host.live_match:LiveMatch.record",
        "self._set_row(row, metadata)\n    count",
        "self._set_row(row, metadata)\n        row = None\n    count",
    ),
    Line(
        "a takeback that nothing makes old",
        "host.live_match:current_proposal",
        "proposal.count != live.count",
        "False",
    ),
    Line(
        "new keys leave the old proposal open",
        "host.lifecycle:rotate_keys",
        'proposal = evolve(proposal, state="expired", fork=None)',
        "pass",
    ),
    Line(
        "new keys are not written down",
        "host.lifecycle:rotate_keys",
        "hash_key(issued[seat]) if seat in issued else key for",
        "key for",
    ),
    Line(
        "all seats get new keys",
        "host.lifecycle:rotate_keys",
        "selected = held if seats is None else",
        "selected = held if True else",
    ),
    Line(
        "a takeback that needs nobody",
        "host.proposals:propose_takeback",
        "why_consent_is_needed(match, seat, to) is None",
        "live.count % 2",
    ),
    Line(
        "two consents suffice",
        "host.proposals:_accept",
        "if each != seat)",
        "if each != seat)[1:]",
    ),
    Line(
        "a proposal that was rejected is carried out",
        "host.proposals:respond",
        'if proposal.state != "pending":',
        'if proposal.state not in ("pending", "rejected"):',
    ),
    Line(
        "a rejection is an acceptance",
        "host.proposals:respond",
        "if accepts:",
        "if accepts or True:",
    ),
    Line(
        "a seat acts on an old view",
        "host.submission:submit",
        "expected_events != live.count and",
        "expected_events > live.count and",
    ),
    Line(
        "an idempotency key of anybody's",
        "host.submission:submit",
        "return receipt(live, seat, live.ids[seat, idempotency_key])",
        "return receipt(live, seat, max(live.ids.values()))",
    ),
    Line(
        "the receipt names the last event",
        "host.submission:receipt",
        "return Receipt(seq,",
        "return Receipt(live.count - 1,",
    ),
    Line(
        "a stand-in before its time",
        "host.deadlines:deadline_of",
        "to_act_since(live, seat) + terms.turn_limit_ms",
        "to_act_since(live, seat) + terms.turn_limit_ms // 2",
    ),
    Line(
        "bots are due as players are",
        "host.deadlines:due_of",
        "is_bot=earliest[1] in terms.bots",
        "is_bot=False",
    ),
    Line(
        "the turn limit of the seat that acted last",
        "host.deadlines:to_act_since",
        "if event.seat == seat or seat not in to_act:",
        "if seat not in to_act:",
    ),
    Line(
        "a deal in which one secret is missing",
        "host.fair_deal:reveal",
        "if not ceremony.waits_for:",
        "if len(ceremony.waits_for) < 2:",
    ),
    Line(
        "an attempt that never fails",
        "host.fair_deal:fail_if_due",
        "if now < preparation.deadline_at_ms:",
        "if now > 0:",
    ),
    Line(
        "a spectator sees what the table sees",
        "host.projections:observe",
        "view = game.view(state, seat)",
        "view = game.view(state, -1 if seat is None else seat)",
    ),
    Line(
        "a seat reads what all have laid",
        "host.projections:readable",
        "command, notes = live.seen(seq, seat)",
        "command, notes = live.match.steps[seq].event.command, live.seen(seq, seat)[1]",
    ),
    Line(
        "each seat is told what it may do, whoever is to act",
        "host.projections:observe",
        "acts = seat is not None and seat in to_act",
        "acts = seat is not None",
    ),
    Line(
        "watchers are told before they ask, not after",
        "host.watching:watch",
        "+ len(new)",
        "+ len(new) + (len(new) > 3)",
    ),
    Line(
        "a claim forgotten by the store",
        "stores.memory:MemoryStore.claim",
        "for claim in claimed:",
        "for claim in claimed[1:]:",
    ),
    Line(
        "the length of a log is not looked at",
        "stores.store:Append.check",
        "self.expected_events != there.count or",
        "",
    ),
    Line(
        "a row that was written meanwhile",
        "stores.store:_check_row",
        "row.version != there.version + 1",
        "row.version < there.version",
    ),
    Line(
        "a match at the end of its rules that goes on",
        "host.rules_update:is_to_end",
        "return not live.ended and",
        "return False and not live.ended and",
    ),
    Line(
        "new rules that are not noted",
        "host.rules_update:update_rules",
        "live.record(now_ms)",
        "pass",
    ),
)


FRESH = (
    Line(
        "a rejection that is answered and not stored",
        "host.proposals:respond",
        "    live.update_metadata(evolve(live.metadata, proposal=rejected), context.clock())\n",
        "",
    ),
    Line(
        "an event of another host without its idempotency key",
        "host.live_match:LiveMatch._add",
        "    self._index(step.event)\n",
        "",
    ),
    Line(
        "a receipt that counts what came later",
        "host.submission:receipt",
        "return Receipt(seq, readable(live, seat, seq)[1], count,",
        "return Receipt(seq, readable(live, seat, seq)[1], live.count,",
    ),
    Line(
        "a command from the future",
        "host.submission:submit",
        "expected_events != live.count",
        "expected_events < live.count",
    ),
    Line(
        "a bot's turn shown as a deadline",
        "host.deadlines:seat_deadline",
        " and seat not in live.metadata.terms.bots",
        "",
    ),
    Line(
        "a bot shown as absent",
        "host.deadlines:absent",
        "is_stand_in(by) and event.seat not in live.metadata.terms.bots",
        "by is not None",
    ),
    Line(
        "a taken seat taken again",
        "host.lifecycle:_free_seat",
        "if seat not in free:",
        "if seat not in range(len(live.metadata.names)):",
    ),
    Line(
        "the key of who has left",
        "host.lifecycle:remove_player",
        "replace_at(metadata.keys, taken, None)",
        "metadata.keys",
    ),
    Line(
        "new keys at the cost of others",
        "host.lifecycle:rotate_keys",
        "in issued else key for",
        "in issued else None for",
    ),
    Line("a consent to any proposal", "host.proposals:respond", " or proposal.number != number", ""),
    Line("a consent after the rejection", "host.proposals:respond", 'state != "pending"', 'state == "accepted"'),
    Line("a fork made again", "host.proposals:_forked", "HEADER_ALONE).header", "HEADER_ALONE).end"),
    Line("a fork with one event more", "match.fork:fork_match", "[: fork.seq + 1]", "[: fork.seq + 2]"),
    Line("a fork with its parent's proposal", "host.proposals:_forked", "result=None, proposal=None", "result=None"),
    Line(
        "a fork that is not dealt",
        "host.proposals:_forked",
        "match.deal(Meta(context.elapsed_ms(live)), context.entropy)",
        "pass",
    ),
    Line("a fork without its bots", "host.proposals:_forked", "fair=False)", "fair=False, bots={})"),
    Line("a fork in which nothing is due", "host.lifecycle:log_changes", "due = Due(now_ms)", "due = Due(None)"),
    Line(
        "a fork that expires while it is made",
        "host.live_match:current_proposal",
        " and len(proposal.waiting_for) > 0",
        "",
    ),
    Line(
        "a revealed secret that is not kept",
        "host.fair_deal:reveal",
        "ceremony.revealed != known",
        "ceremony.revealed == known",
    ),
    Line(
        "a refusal of a match as it was",
        "host.judge:Judge._work",
        "if live.changes or job.reads",
        "if True or job.reads",
    ),
    Line("a match that rests for ever", "host.scheduler:Scheduler._rest", "Due(again_ms)", "Due(None)"),
    Line(
        "a proposal that stops the clock",
        "stores.memory:MemoryStore._make",
        "change.due or log.due",
        "change.due or NOTHING",
    ),
    Line(
        "a clock that restarts after a private undo",
        "host.deadlines:_is_private_to_one_seat",
        "return all(isinstance(each, RedactedCommand) and not each.fields for each in shown)",
        "return False",
    ),
    Line("late witnesses that nobody notes", "host.witnessing:WitnessWriter.stored", "self.note(live.id)", "pass"),
    Line(
        "a fork whose last consent is not stored first",
        "host.proposals:_store_or_execute",
        "live.metadata.proposal != proposal",
        "False",
    ),
    Line(
        "a bot's command after others",
        "host.scheduler:Scheduler._append",
        "live.count == count and not live.ended",
        "live.count >= count and not live.ended",
    ),
)
"""Planted by somebody who had not read the checks: of these the simulation of that day saw four within fifty seeds."""
