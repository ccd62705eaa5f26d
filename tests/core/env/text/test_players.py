"""Programs on a pipe and models behind an address as bots."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import kifu
import pytest
from kifu.core.env import text_table
from kifu.core.env.text import players
from kifu.core.env.text.players import KEY, SeatText
from kifu.core.errors import BotError
from kifu.core.game import Seat
from kifu.core.match.bot import ObservationHistory, Player, is_by_stand_in, random_bot
from kifu.core.match.registry import find_bot

PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if "observe" in told:
        print(json.dumps({"answer": %s}), flush=True)
"""


def played(bot, game="cake"):
    match = kifu.new(game, ["a", "b", "c"], seed=bytes(32))
    seated = [Player(match, Seat(0), bot, "it", random_bot(bytes(32)))]
    seated += [Player(match, Seat(seat), random_bot(bytes([seat]) * 32), "r", random_bot(bytes(32))) for seat in (1, 2)]
    while match.to_act:
        seated[min(match.to_act)].act()
        match.deal()
    return match


def program(tmp_path, answer):
    path = tmp_path / "player.py"
    path.write_text(PROGRAM % answer)
    return f"text:{sys.executable} {path}"


def test_a_program_plays(tmp_path):
    match = played(find_bot(program(tmp_path, "'I think.\\n#1'"))(bytes(32)))
    assert not any(is_by_stand_in(event) for event in match.events)
    assert {event.meta.by for event in match.events if event.seat == 0} == {"it"}


@pytest.mark.ci
def test_after_three_refusals_it_is_stood_in_for(tmp_path):
    match = played(find_bot(program(tmp_path, "'nonsense'"))(bytes(32)))
    assert {event.meta.by for event in match.events if event.seat == 0} == {"stand-in for it: 3 refusals, unread"}


@pytest.mark.parametrize("code", ["import sys; sys.exit()", "print('no json', flush=True); input()"])
def test_a_program_that_fails_loses_no_match(tmp_path, code):
    path = tmp_path / "player.py"
    path.write_text(code)
    match = played(find_bot(f"text:{sys.executable} {path}")(bytes(32)))
    assert match.result is not None


def test_a_program_that_never_answers_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(players, "SECONDS", 0.2)
    path = tmp_path / "player.py"
    path.write_text("import time; time.sleep(1000)")
    match = played(find_bot(f"text:{sys.executable} {path}")(bytes(32)))
    assert all(is_by_stand_in(event) for event in match.events if event.seat == 0)


def test_it_reads_what_a_table_shows():
    table = text_table("cake", seed=bytes(32))
    for seat in range(3):
        known = ObservationHistory(table.match, Seat(seat)).information_state()
        text = SeatText("en", bytes(32))
        assert text.rules(known) == table.rules(seat)
        if seat in table.to_act:
            assert text.present(known, 0, text.reader(known).listing) == table.observe(seat)


@pytest.mark.parametrize(
    "name", ["text:", "text", "openai:", "openai:model", "openai:model@ftp://x", "openai:@http://x"]
)
def test_what_cannot_be_is_refused(name):
    with pytest.raises(BotError):
        find_bot(name)


def test_a_model_plays_and_reads_no_key(monkeypatch):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, self.headers["Authorization"], body))
            answer = json.dumps({"choices": [{"message": {"content": "Well.\n**#1**"}}]}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv(KEY, "a-secret-key")
    try:
        match = played(find_bot(f"openai:some-model@http://127.0.0.1:{server.server_port}/v1")(bytes(32)))
    finally:
        server.shutdown()
        server.server_close()
    assert not any(is_by_stand_in(event) for event in match.events)
    path, key, body = asked[-1]
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer a-secret-key", "some-model")
    assert [each["role"] for each in body["messages"]][:3] == ["system", "user", "assistant"]
    assert "a-secret-key" not in json.dumps(body)


def test_a_program_that_is_not_there_is_refused_before_a_match_begins(tmp_path, capsys):
    from kifu.replay.app import run

    for program, why in (
        (str(tmp_path / "none"), "there is no program"),
        ("'python", "give a program"),
        (" ", "give a program"),
    ):
        assert run(["simulate", "cake", "-o", str(tmp_path / "logs"), "--bots", f"text:{program}"]) == 2
        assert why in capsys.readouterr().err
    assert not (tmp_path / "logs").exists()
