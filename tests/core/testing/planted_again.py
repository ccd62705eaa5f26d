"""More bugs of a line or a few, planted as those of `planted_lines`: by somebody who had not read the checks."""

from __future__ import annotations

from .planted_lines import Line

SECOND = (
    Line(
        "a row that another host wrote beside events is not read",
        "host.live_match:LiveMatch.catch_up",
        "if stored.row.version != self._version:",
        "if not self.is_read or (stored.count == self.count and stored.row.version != self._version):",
    ),
    Line(
        "a result that the public facts lack",
        "host.live_match:LiveMatch.record",
        "result=result, preparation=None",
        "result=None, preparation=None",
    ),
    Line(
        "a proposal that outlives its match",
        "host.live_match:current_proposal",
        "(live.ended or (of_the_moment and proposal.count != live.count))",
        "of_the_moment and not live.ended and proposal.count != live.count",
    ),
    Line(
        "what one seat saw of an event is shown to whoever asks next",
        "host.live_match:LiveMatch.seen",
        "self._seen.get((seq, viewer))",
        "next((each for (at, _), each in self._seen.items() if at == seq), None)",
    ),
    Line(
        "a match that was rolled back is shown to who waited for it",
        "host.match_cache:MatchCache._acquire",
        "if not live.discarded:",
        "if True:",
    ),
    Line(
        "a change is given up when another host was first once",
        "host.judge:Judge._settle",
        "job.attempts + 1 < MAX_ATTEMPTS",
        "job.attempts + 1 < 1",
    ),
    Line(
        "a fork that is made and not noted",
        "host.proposals:_fork",
        "Then(lambda live: _note_fork(context, live, proposal))",
        "proposal",
    ),
    Line(
        "a fork that says it deals fairly",
        "host.proposals:_forked",
        "terms = evolve(live.metadata.terms, fair=False)",
        "terms = live.metadata.terms",
    ),
    Line(
        "a new proposal has the number of the last one",
        "host.proposals:_propose",
        "else last.number + 1",
        "else last.number",
    ),
    Line(
        "a fork of a match that goes on needs nobody",
        "host.proposals:_propose",
        'if kind == "fork" and live.ended else',
        'if kind == "fork" else',
    ),
    Line(
        "who joins finds a proposal that he was not asked about",
        "host.lifecycle:join",
        "proposal=_expired(live.metadata),",
        "",
    ),
    Line(
        "any player may remove any other",
        "host.lifecycle:remove_player",
        "[live.metadata.opener_key, own]",
        "[live.metadata.opener_key, *live.metadata.keys]",
    ),
    Line(
        "who takes a seat that was left is held to the secret of who left it",
        "host.preparation:dismiss",
        "ceremony.withdraw(seat)",
        "pass",
    ),
    Line(
        "who asks for a seat gets the first that is free",
        "host.lifecycle:_free_seat",
        "return Seat(seat)",
        "return free[0]",
    ),
    Line(
        "every takeback is told as the first seat's",
        "host.context:HostContext.append_takeback",
        'by=f"seat {by}"',
        'by="seat 0"',
    ),
    Line(
        "a command that was chosen before the seat's turn came",
        "host.submission:is_still_to_act",
        "(seat, TABLE) or seat not in match.game.to_act(match.states[event.seq]):",
        "(seat, TABLE):",
    ),
    Line(
        "a command that is sent again is known only until others act",
        "host.submission:submit",
        "(seat, idempotency_key) in live.ids:",
        "live.ids.get((seat, idempotency_key)) == live.count - 1:",
    ),
    Line(
        "a bot waits for a clock that is behind",
        "host.deadlines:deadline_of",
        "return since + terms.bot_delay_ms if since <= now_ms else now_ms",
        "return since + terms.bot_delay_ms",
    ),
    Line(
        "a player who came back is shown as absent",
        "host.deadlines:absent",
        "if event.seat not in away and event.seat != TABLE:",
        "if event.seat != TABLE:",
    ),
    Line(
        "a match that was abandoned still asks its seats",
        "host.projections:observe",
        "if live.ended or stopped else",
        "if stopped else",
    ),
    Line(
        "what could be read for a moment can be read for ever",
        "host.projections:_shows_momentary",
        "return seq >= last",
        "return True",
    ),
    Line(
        "nobody is told that a bot or a stand-in acted",
        "host.projections:history_entry",
        "(meta.at, meta.by)",
        "(meta.at, None)",
    ),
    Line(
        "a host meets sixteen deadlines and no more",
        "host.scheduler:Scheduler._meet_deadline",
        "self._acting -= 1",
        "pass",
    ),
    Line(
        "of all matches of bots alone one turn is made",
        "host.fair_queue:FairQueue.done",
        "self._alone = None",
        "pass",
    ),
    Line(
        "a witness that the store refused once is never written",
        "host.witnessing:WitnessWriter._write",
        "late[match] = self._context.threads.monotonic()\n            late.move_to_end(match)",
        "late.pop(match, None)",
    ),
    Line(
        "a lobby lists what is not public",
        "host.about:lobby",
        "evolve(query, public=True)",
        "query",
    ),
    Line(
        "the log of a match that goes on is told",
        "host.host:Host.log",
        "if stored.end is None:",
        "if not stored.events:",
    ),
    Line(
        "a due time is stored over that of a later event",
        "stores.store:Schedule.check",
        "if self.expected_events != there.count:",
        "if False:",
    ),
    Line(
        "a fork that two hosts make begins anew with the second",
        "stores.store:Create.check",
        "if log_head is not None:",
        "if False:",
    ),
    Line(
        "a match whose last witness comes late is not looked at again",
        "host.deadlines:due_of",
        "if why_unproven(live) is not None and now_ms < last_event_at_ms(live) + LATE_MS:",
        "if False:",
    ),
    Line(
        "a receipt that is sent again has the mark of a later moment",
        "host.submission:receipt",
        "live.trust.evidence.marks[count]",
        "live.trust.mark",
    ),
    Line(
        "a bot's seat has a key, and its consent is waited for",
        "host.lifecycle:open_match",
        "if name is not None and Seat(seat) not in terms.bots",
        "if name is not None",
    ),
    Line(
        "a match that was abandoned before it began stays open",
        "host.proposals:_abandon",
        'live.update_metadata(metadata, context.clock(), "abandoned")',
        "live.update_metadata(metadata, context.clock())",
    ),
    Line(
        "those who wait for a match that could not be stored are told that it was",
        "host.judge:Judge._fail_others",
        "job.error, job.is_done = failure, True",
        "job.is_done = True",
    ),
    Line(
        "what becomes of a match under newer rules is judged once",
        "host.rules_update:_judgement",
        "if live.judgement is None or live.judgement[0] != live.judged_of:",
        "if live.judgement is None:",
    ),
)
