"""The adapter for OpenEnv, with its own server and its generic client. CI: a step of its own."""

import threading
import time

import pytest
from kifu.core.env import rewards
from kifu.core.log import read_bytes

pytest.importorskip("openenv.core", reason="needs the extra `openenv`")

from kifu.core.env.openenv import KifuAction, KifuEnvironment, app
from kifu.core.errors import MatchError

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def address():
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app(), port=0, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True


@pytest.mark.parametrize("game", ["cake", "gosne", "palace", "take_and_share"])
def test_their_client_plays_a_match_with_a_reward_from_its_log(game, address):
    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url=address).sync() as client:
        result = client.reset(seed=3, game=game, opponents="greedy,random", reward="placing")
        assert "You are seat 0." in result.observation["rules"]
        refused = client.step({"command": "nonsense"})
        assert refused.observation["refused"] == "unread"
        texts = [result.observation["text"], refused.observation["text"]]
        while not result.done:
            result = client.step({"command": "I think.\n#1"})
            texts.append(result.observation["text"])
        log = bytes.fromhex(client.state()["log"])
    reading = read_bytes(log)
    assert reading.findings == []
    assert result.reward == rewards(reading.result, "placing")[0]
    assert not any(reading.header.seed.hex() in text for text in texts)


def test_the_metadata_say_what_it_is(address):
    import httpx
    import kifu

    told = httpx.get(f"{address}/metadata").json()
    assert (told["name"], told["version"]) == ("kifu", kifu.__version__)
    assert all(game in told["description"] for game in kifu.games.names())
    assert "environment" in told["readme_content"]


def test_two_sessions_are_two_matches(address):
    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url=address).sync() as one, GenericEnvClient(base_url=address).sync() as other:
        first = one.reset(seed=1, game="gosne").observation["text"]
        assert other.reset(seed=2, game="gosne").observation["text"] != first
        assert other.reset(seed=1, game="gosne").observation["text"] == first
        one.step({"command": "#1"})
        assert other.state()["log"] == ""


def test_what_is_wrong_with_a_call():
    env = KifuEnvironment()
    with pytest.raises(MatchError, match="call reset first"):
        env.step(KifuAction(command="#1"))
    with pytest.raises(MatchError, match="a seat is 0 to 2, not 3"):
        env.reset(seat=3)
