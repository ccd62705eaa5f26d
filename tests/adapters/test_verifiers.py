"""The adapter for `verifiers`, with its own runner and a scripted model behind 127.0.0.1. CI: a step of its own."""

import asyncio
import json
import shlex
import shutil
import subprocess
import sys
import threading
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from kifu.core.env import rewards
from kifu.core.log import log_bytes, read_bytes

vf = pytest.importorskip("verifiers.v1", reason="needs the extra `verifiers`")

import kifu_table  # noqa: E402
from verifiers.v1.clients import EvalClientConfig, ModelContext  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


class Model(BaseHTTPRequestHandler):
    """Answers each turn by a script: first nonsense, then the first command."""

    requests: ClassVar[list] = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        nonsense = len(body["messages"]) == 2
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": "?" if nonsense else "Well.\n#1"},
        }
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [choice],
            "usage": usage,
        }
        sent = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


@pytest.fixture
def address():
    Model.requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def env_of(game, roles=1, **more):
    config = kifu_table.KifuEnvConfig(taskset={"id": "kifu_table", "game": game, **more}, roles=roles)
    return kifu_table.KifuEnv(config)


def run(env, address, number=0):
    async def inside():
        context = ModelContext(model="scripted", client=EvalClientConfig(base_url=address, api_key_var="NO_SUCH_KEY"))
        async with env.serving():
            (task,) = env.taskset.skip(number).take(1)
            (slot,) = env.slots(task)
            return await env.run_slot(slot, context)

    return asyncio.run(inside())


@pytest.mark.parametrize(("game", "roles"), [("cake", 1), ("cake", 3), ("take_and_share", 1), ("gosne", 4)])
def test_an_episode_is_a_match_with_rewards_from_its_log(game, roles, address):
    episode = run(env_of(game, roles, reward="placing", bots="greedy,random"), address)
    assert episode.ok, episode.errors
    assert len(episode.traces) == roles
    logs = {trace.info[kifu_table.LOG] for trace in episode.traces}
    (raw,) = logs
    reading = read_bytes(b64decode(raw))
    assert reading.findings == []
    earned = rewards(reading.result, "placing")
    for trace in episode.traces:
        seat = trace.info[kifu_table.SEAT]
        assert trace.agent.name == f"seat_{seat}"
        assert trace.rewards["placing"].score == earned[seat]
        assert trace.metrics["refused"] == 1
        assert trace.metrics["stood_in"] == 0
    assert not any(reading.header.seed.hex() in json.dumps(each) for each in Model.requests)


def test_the_same_task_is_the_same_match(address):
    one, same, other = (run(env_of("cake"), address, number) for number in (0, 0, 1))
    logs = [episode.traces[0].info[kifu_table.LOG] for episode in (one, same, other)]
    assert logs[0] == logs[1] != logs[2]


def test_a_reward_that_its_log_does_not_give_fails_the_episode(address, monkeypatch):
    monkeypatch.setattr(kifu_table.TextTable, "rewards", lambda self, kind: (0.9, 0.9, 0.9))
    episode = run(env_of("cake"), address)
    assert not episode.ok
    assert "is not what its log gives" in str(episode.errors)


def test_a_log_that_does_not_audit_clean_fails_the_episode(address, monkeypatch):
    def damaged(match):
        return log_bytes(match)[:-40]

    monkeypatch.setattr(kifu_table, "log_bytes", damaged)
    assert b64encode(b"") == b""
    assert not run(env_of("cake"), address).ok


def test_a_role_without_a_seat_is_refused(address):
    episode = run(env_of("cake", 4), address)
    assert "a match of 3 seats has 1 to 3 roles, not 4" in str(episode.errors)


def test_their_command_knows_the_taskset_as_the_docs_have_it(tmp_path):
    """`docs/agents.md` is not beside this file where it is run, but what its docstring says is the same."""
    line = next(line for line in kifu_table.__doc__.splitlines() if "vf-eval" in line)
    command = shutil.which("vf-eval", path=str(Path(sys.executable).parent))
    assert command is not None
    args = shlex.split(line)[1:]
    done = subprocess.run([command, *args, "--dry-run"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    resolved = json.loads(next(tmp_path.rglob("eval.json")).read_text())
    assert resolved["env"]["taskset"]["game"] == "cake"
    assert resolved["env"]["taskset"]["bots"] == "greedy"
