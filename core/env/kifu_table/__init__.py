"""Every game of kifu for `verifiers` (extra `kifu[verifiers]`): tasks, matches between models and bots, and rewards.

    vf-eval kifu_table --env.taskset.game cake --env.taskset.bots greedy -n 20 -m MODEL --no-push

A task is a match: game, options, and a seed of its number. `seat_0` … are roles; the other seats are bots. All roles
share one match, and who acts at the same time is asked at the same time. Each trace has the match's log, and the
episode fails if a reward is not what that log gives.
"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import AsyncExitStack
from hashlib import blake2b
from itertools import count
from typing import Any

import httpx
import verifiers.v1 as vf
from kifu.core.env.reward import check_reward, rewards
from kifu.core.env.text import Refused, TextTable, text_table
from kifu.core.errors import MatchError
from kifu.core.game import Seat
from kifu.core.log import log_bytes, read_bytes
from kifu.core.match.bot import Player, random_bot
from kifu.core.match.registry import find_bot
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.runtimes import ProgramResult, SubprocessConfig

__all__ = ["KifuEnv", "KifuHarness", "KifuTaskset"]

ROLES = tuple(f"seat_{seat}" for seat in range(6))
LOG, SEAT = "kifu_log", "kifu_seat"
"""The keys of `trace.info` with the log in base64 and the role's seat."""


class KifuConfig(vf.TasksetConfig):
    """Which matches are played, and how they are rewarded."""

    game: str = "cake"
    seats: int | None = None
    """How many seats; None: the fewest."""
    options: dict[str, Any] = {}  # noqa: RUF012 (pydantic copies it)
    bots: str = "random"
    """The bots of the seats that are no roles, in turn: `greedy,random`."""
    reward: str = "victory"
    lang: str = "en"
    tries: int = 3
    """After how many refusals in a turn a stand-in plays."""


class KifuData(vf.TaskData):
    """One match: its game, and the seed of its deals in hex."""

    info: dict[str, Any]


class KifuTask(vf.Task[KifuData, vf.State, vf.TaskConfig]):
    """One match."""


class KifuTaskset(vf.Taskset[KifuTask, KifuConfig]):
    """Matches without end; number i has the seed BLAKE2 of the game's name and i."""

    INFINITE = True

    def load(self) -> Iterator[KifuTask]:
        """Yield the tasks."""
        asked = self.config
        check_reward(asked.reward)
        for number in count():
            seed = blake2b(f"kifu {asked.game} {number}".encode(), digest_size=32).hexdigest()
            named = ("game", "seats", "options", "bots", "reward", "lang", "tries")
            info = {name: getattr(asked, name) for name in named} | {"seed": seed}
            yield KifuTask(KifuData(name=f"{asked.game}#{number}", info=info), asked.task)


class KifuHarnessConfig(vf.HarnessConfig):
    """Nothing to be set."""


class KifuHarness(vf.Harness[KifuHarnessConfig]):
    """A plain chat, in this process: one request to the model a turn."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,  # noqa: ARG002 (theirs)
        runtime: Any,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: Any,
    ) -> ProgramResult:
        """Send the conversation to the model; the trace records what it answers."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(message) for message in prompt or []]
        async with httpx.AsyncClient(timeout=None) as client:  # noqa: S113 (the rollout has its own)
            answer = await client.post(
                f"{endpoint.rstrip('/')}/chat/completions",
                headers={"Authorization": f"Bearer {secret}"},
                json={"model": ctx.model, "messages": messages},
            )
        return ProgramResult(int(answer.is_error), "", answer.text if answer.is_error else "")


def _role() -> vf.AgentConfig:
    return vf.AgentConfig(runtime=SubprocessConfig())


class KifuEnvConfig(vf.EnvConfig):
    """The models at the first seats; `--env.roles 2 --env.seat_1.model NAME` sits another beside the first."""

    roles: int = 1
    """How many seats are models, from seat 0 on; the others are bots."""
    seat_0: vf.AgentConfig = _role()
    seat_1: vf.AgentConfig = _role()
    seat_2: vf.AgentConfig = _role()
    seat_3: vf.AgentConfig = _role()
    seat_4: vf.AgentConfig = _role()
    seat_5: vf.AgentConfig = _role()


class KifuEnv(vf.Env[KifuEnvConfig]):
    """A match between the roles and bots."""

    async def run(self, task: KifuTask, agents: Any) -> None:
        """Play the match, and record its log and a reward on each trace."""
        info = task.data.info
        table = text_table(
            info["game"],
            info["seats"],
            info["options"],
            seed=bytes.fromhex(info["seed"]),
            lang=info["lang"],
            tries=0,
        )
        seats, asked = len(table.match.header.seats), self.config.roles
        if not 1 <= asked <= seats:
            raise MatchError(f"a match of {seats} seats has 1 to {seats} roles, not {asked}")
        roles = dict(enumerate(ROLES[:asked]))
        async with AsyncExitStack() as open_roles:
            talks = {}
            for seat, name in roles.items():
                own = task.data.model_copy(update={"prompt": None, "system_prompt": table.rules(seat)})
                interaction = getattr(agents, name).interaction(KifuTask(own, task.config))
                talks[seat] = await open_roles.enter_async_context(interaction)
            await _Playing(table, talks, info).play()
        earned = table.rewards(info["reward"])
        for seat, talk in talks.items():
            talk.trace.info.update({LOG: b64encode(log_bytes(table.match)).decode(), SEAT: seat})
            talk.trace.record_reward(info["reward"], earned[seat])
            talk.trace.record_metrics({"refused": table.refused[seat], "stood_in": table.stood_in[seat]})

    async def finalize(self, task: KifuTask, episode: Any) -> None:
        """Compute each reward again from the log on its trace; raises `MatchError` if one differs."""
        kind = task.data.info["reward"]
        for trace in episode.traces:
            reading = read_bytes(b64decode(trace.info[LOG]))
            if reading.findings:
                raise MatchError(f"the log of {trace.agent.name} does not audit clean")
            earned = rewards(reading.result, kind, len(reading.header.seats))[trace.info[SEAT]]
            if trace.rewards[kind].score != earned:
                raise MatchError(f"the reward of {trace.agent.name} is not what its log gives: {earned}")


class _Playing:
    """One match as it is played."""

    def __init__(self, table: TextTable, talks: dict[int, Any], info: dict[str, Any]) -> None:
        self._table, self._talks, self._tries = table, talks, info["tries"]
        names = [name.strip() for name in info["bots"].split(",")]
        seed = bytes.fromhex(info["seed"])
        others = [seat for seat in range(len(table.match.header.seats)) if seat not in talks]
        self._bots = {
            seat: Player(
                table.match,
                Seat(seat),
                find_bot(names[place % len(names)])(blake2b(b"bot %d" % seat, key=seed, digest_size=32).digest()),
                names[place % len(names)],
                random_bot(blake2b(b"stand-in %d" % seat, key=seed, digest_size=32).digest()),
            )
            for place, seat in enumerate(others)
        }

    async def play(self) -> None:
        """Play to the end: all who are to act are asked before the command of one is played."""
        table = self._table
        while table.to_act:
            asked = [seat for seat in sorted(table.to_act) if seat in self._talks]
            answers = await asyncio.gather(*(self._ask(seat, table.observe(seat)) for seat in asked))
            for seat in sorted(table.to_act - {*asked}):
                self._bots[seat].act()
            for seat, answer in zip(asked, answers, strict=True):
                if answer is None:
                    table.stand_in(seat, f"{self._tries} refusals, or no answer")
                else:
                    table.act(seat, answer)
            table.match.deal()

    async def _ask(self, seat: int, text: str) -> str | None:
        """Return an answer that gives a command; None after too many that give none, or if the model has stopped."""
        for _ in range(max(self._tries, 1)):
            segment = await self._talks[seat].turn(text)
            if segment.terminated:
                return None
            try:
                self._table.parse(seat, segment.last_reply)
            except Refused as refused:
                self._table.refused[seat] += 1
                text = str(refused)
            else:
                return str(segment.last_reply)
        return None
