"""A seat over the Model Context Protocol: a scripted client plays, and nothing secret is in an answer."""

import json
import sys

import kifu
import pytest
from fireworks import GAME as FIREWORKS
from goofspiel import GAME as GOOFSPIEL
from hearts import GAME as HEARTS
from kifu.core.env import text_table
from kifu.core.log import read_bytes
from kifu.core.match.registry import find_bot
from reversi import GAME as REVERSI

mcp = pytest.importorskip("mcp", reason="needs the extra `mcp`")
anyio = pytest.importorskip("anyio", reason="needs the extra `mcp`")
pytestmark = pytest.mark.filterwarnings("ignore")

from kifu.core.env.text.mcp import SeatServer, mcp_server  # noqa: E402
from kifu.core.errors import MatchError  # noqa: E402

SEED = bytes(range(32))
GAMES = kifu.games.names()
EXAMPLES = [pytest.param(game, id=game.name) for game in (HEARTS, REVERSI, GOOFSPIEL, FIREWORKS)]


def served(game, lang="en", **how):
    table = text_table(game, seed=SEED, lang=lang, tries=0, **how)
    others = range(1, len(table.match.header.seats))
    return SeatServer(table, 0, {seat: ("random", find_bot("random")) for seat in others})


async def play(client, number=lambda turn: "#1"):
    """Play to the end; return all texts that the client read."""
    result = await client.call_tool("look", {})
    texts, turn = [text_of(result)], 0
    while result.structured_content["result"] is None:
        result = await client.call_tool("act", {"command": number(turn), "id": str(turn)})
        texts.append(text_of(result))
        assert not result.is_error
        turn += 1
    return texts


def text_of(result):
    return result.content[0].text


@pytest.mark.parametrize("game", [*GAMES, *EXAMPLES])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_plays_each_game_to_its_end(game, mode):
    seat = served(game)

    async def run():
        async with mcp.Client(mcp_server(seat), mode=mode) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert names == {"rules", "look", "act", "find"}
            assert text_of(await client.call_tool("rules", {})) == seat.table.rules(0)
            texts = await play(client)
            assert "The match is over." in texts[-1]
            log = (await client.read_resource("kifu://log")).contents[0]
            return texts, log

    texts, _ = anyio.run(run)
    assert seat.table.match.result is not None
    for secret in (SEED.hex(), seat.table.match.header.match):
        assert not any(secret in text for text in texts)
    assert {event.meta.by for event in seat.table.match.events if event.seat == 0} == {"mcp"}
    assert read_bytes(seat.log(), lambda _: seat.table.match.game).ok


def test_a_call_that_comes_again_plays_nothing_twice():
    seat = served("take_and_share")
    first = seat.act("#1", "a")
    count = seat.table.count
    assert seat.act("#1", "a") is first
    assert seat.act("#1", "a") is first
    assert seat.table.count == count
    seat.act("#1", "b")
    assert seat.table.count > count


def test_the_id_of_a_call_that_was_refused_is_free():
    seat = served("cake")
    assert seat.act("no such words", id="1").is_error
    assert not seat.act("#1", id="1").is_error
    assert seat.act("no such words", id="1") == seat.act("#1", id="1")


def test_a_refusal_is_an_error_of_the_tool_with_kind_and_rule():
    seat = served("take_and_share")
    refused = seat.act('{"tag":"play","card":999}')
    assert refused.is_error
    assert refused.structured_content["kind"] == "rule"
    assert seat.act("nonsense").structured_content["rule"] is None
    assert seat.table.match.events[1:] == []


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("act", {}, "act: command: Field required"),
        (
            "act",
            {"command": 1, "id": []},
            "act: command: Input should be a valid string; id: Input should be a valid string",
        ),
        ("find", {"tag": "draw", "limit": "many"}, "find: limit: Input should be a valid integer, "),
    ],
)
def test_what_is_wrong_with_the_arguments_of_a_tool_is_one_line(tool, arguments, said):
    async def run():
        async with mcp.Client(mcp_server(served("cake"))) as client:
            return await client.call_tool(tool, arguments)

    result = anyio.run(run)
    assert result.is_error
    assert text_of(result).startswith(said)
    assert "\n" not in text_of(result)
    assert "pydantic" not in text_of(result)


def test_find_lists_commands_and_what_a_seat_has_seen_can_be_read_again():
    seat = served("take_and_share")
    assert seat.find("play").count("\n") == 14
    assert seat.find("share") == "No legal command fits."
    before = seat.seen()
    seat.look()
    assert seat.seen() == before


def test_a_second_look_shows_what_the_first_did():
    seat = served("take_and_share")
    seat.act("#1")
    first = seat.look()
    assert "Nothing has happened" not in text_of(first)
    assert seat.look() == first


def test_the_server_says_who_it_is_and_what_its_tools_do():
    seat = served("cake")

    async def run():
        async with mcp.Client(mcp_server(seat)) as client:
            with pytest.raises(mcp.MCPError, match="once the match is over"):
                await client.read_resource("kifu://log")
            listed = [
                *(await client.list_tools()).tools,
                *(await client.list_resources()).resources,
                *(await client.list_prompts()).prompts,
            ]
            assert all(each.title and each.description for each in listed)
            given = [value for tool in listed[:4] for value in tool.input_schema["properties"].values()]
            assert len(given) == 5
            assert all(each["description"] for each in given)
            assert client.instructions.startswith("You play a seat")
            assert [each.name for each in listed[4:]] == ["rules", "seen", "log", "play"]
            return client.server_info, {tool.name: tool.annotations for tool in listed[:4]}

    info, tools = anyio.run(run)
    assert (info.title, info.version) == ("kifu: a seat at a table", kifu.__version__)
    assert tools["look"].read_only_hint
    assert tools["look"].idempotent_hint
    assert tools["act"].destructive_hint
    assert not tools["act"].idempotent_hint


def test_what_tools_give_as_data_fits_their_schema_and_is_little():
    """Any client checks that; and in a match the data beside the text are less than a fifth of the characters."""
    from jsonschema import validate

    seat = served("take_and_share")

    async def run():
        async with mcp.Client(mcp_server(seat)) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            assert {name for name, tool in tools.items() if tool.output_schema} == {"look", "act"}
            assert {"since", "legal", "refused", "result"} <= tools["act"].output_schema["properties"].keys()
            results = [("look", await client.call_tool("look", {}))]
            for command in ("nonsense", *["#1"] * 40):
                results.append(("act", await client.call_tool("act", {"command": command})))
                if results[-1][1].structured_content.get("result"):
                    return tools, results
            raise AssertionError("the match has no end")

    tools, results = anyio.run(run)
    for name, result in results:
        validate(result.structured_content, tools[name].output_schema)
        assert set(result.structured_content) <= set(tools[name].output_schema["properties"])
    assert {"seen", "view", "legal"} <= results[0][1].structured_content.keys()
    acts = [result for name, result in results if name == "act"]
    data = sum(len(json.dumps(each.structured_content)) for each in acts)
    assert data < 0.2 * sum(len(text_of(each)) for each in acts)


def test_every_seat_needs_a_player():
    with pytest.raises(MatchError, match="seat 1 has no bot"):
        SeatServer(text_table("cake"), 0, {})


@pytest.mark.parametrize(
    "game", ["cake", *[pytest.param(each, marks=pytest.mark.long) for each in GAMES if each != "cake"]]
)
def test_over_standard_input_and_output(tmp_path, game):
    log, others = tmp_path / "game.log", kifu.games.find(game).seats[0] - 1
    bots = ",".join(["greedy", "random", "random"][:others])
    args = ["-m", "kifu.replay", "mcp", game, "--bots", bots, "--seed", "07" * 32, "-o", str(log)]
    server = mcp.StdioServerParameters(command=sys.executable, args=args)

    async def run(errors):
        async with mcp.Client(mcp.stdio_client(server, errlog=errors)) as client:
            with pytest.raises(mcp.MCPError):
                await client.read_resource("kifu://log")
            assert (await client.call_tool("act", {})).is_error
            assert (await client.call_tool("act", {"command": "nonsense"})).is_error
            return await play(client)

    with (tmp_path / "errors.txt").open("w+") as errors:
        texts = anyio.run(run, errors)
    assert (tmp_path / "errors.txt").read_text() == "", "what a client does wrongly is no line of a log"
    assert "07" * 32 not in "".join(texts)
    assert "The match is over." in texts[-1]
    reading = read_bytes(log.read_bytes())
    assert reading.ok
    assert reading.match.result is not None


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--seat", "7"], "--seat 7: give 0 to 2"),
        (["--bots", "nobody"], "not installed"),
        (["--seed", "one"], "64 hex"),
    ],
)
def test_what_is_wrong_with_a_call(args, says, capsys):
    from kifu.replay.app import run

    assert run(["mcp", "cake", *args]) == 2
    assert says in capsys.readouterr().err
