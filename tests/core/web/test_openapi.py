"""`/openapi.json` is true of the responses, to our requests and to those that schemathesis generates."""

import json
import re
from importlib import import_module

import pytest

from .conftest import NAMES, bearer


@pytest.fixture
def description(client):
    return client.get("/openapi.json").json()


def test_it_is_encoded_once_for_all_who_ask(client, monkeypatch, description):
    app = import_module("kifu.core.web.app")

    monkeypatch.setattr(app, "openapi_document", lambda: pytest.fail("it is put together anew"))
    assert client.get("/openapi.json").json() == description


def fits(description, method: str, path: str, response) -> None:
    from jsonschema import Draft202012Validator

    operation = description["paths"][path][method]
    described = operation["responses"][str(response.status_code)]
    kind = response.headers["content-type"]
    assert kind in described["content"], f"{method} {path}: {kind}"
    schema = described["content"][kind].get("schema")
    if schema is not None:
        whole = {**schema, "components": description["components"]}
        Draft202012Validator(whole).validate(response.json())


def test_responses_are_as_they_are_described(client, open_table, description):
    table = open_table("palace", 3, public=True, turn_limit_ms=60_000)
    table.play_on(12)
    table.post("/proposals", 0, {"kind": "abandon"})
    place = "/api/matches/{match}"
    accepted = table.play()
    stale = {**json.loads(accepted.request.content), "idempotency_key": "f" * 32}
    for method, path, response in (
        ("get", "/api/games", client.get("/api/games")),
        ("get", "/api/matches", client.get("/api/matches")),
        ("get", place, table.get()),
        *(("get", f"{place}/{each}", table.get(f"/{each}", 1)) for each in ("observation", "history", "log")),
        *(("get", f"{place}/{each}", table.get(f"/{each}")) for each in ("observation", "history", "log")),
        ("get", f"{place}/observation", client.get("/api/matches/none/observation")),
        ("post", f"{place}/commands", accepted),
        ("post", f"{place}/commands", table.post("/commands", 0, {})),
        ("post", f"{place}/commands", table.post("/commands", 0, stale)),
        ("post", f"{place}/commands", table.post("/commands", 0, {**stale, "expected_events": 2})),
        ("post", f"{place}/proposals", table.post("/proposals", 1, {"kind": "fork", "target": 1})),
        ("post", f"{place}/proposals/{{number}}", table.post("/proposals/1", 1, {"accept": False})),
        ("post", f"{place}/seats", table.post("/seats", None, {"name": "x"})),
    ):
        fits(description, method, path, response)


def test_the_values_of_a_game_are_sent_as_they_are_and_all_of_their_fields_are_there(description):
    from kifu.core.errors import Message
    from kifu.core.game import Fact, Thing
    from kifu.core.web.http_codec import encode_json

    for value in (Thing(), Fact("score", Message("a-text", "five"))):
        sent = json.loads(encode_json(value))
        described = description["components"]["schemas"][type(value).__name__]
        assert described["required"] == list(described["properties"]) == list(sent)
        assert not any("default" in each for each in described["properties"].values())
    assert sent == {"label": "score", "value": "five", "of": None}


def test_every_route_and_no_other_is_described(client, description):
    from kifu.core.web.routes import ROUTES

    described = {(method.upper(), path) for path, methods in description["paths"].items() for method in methods}
    assert described == {(route.method, route.path) for route in ROUTES}
    for path, methods in description["paths"].items():
        for operation in methods.values():
            named = [each["name"] for each in operation["parameters"] if each["in"] == "path"]
            assert named == re.findall(r"{(\w+)}", path)
    for schema in re.findall(r'"#/components/schemas/(\w+)"', json.dumps(description)):
        assert schema in description["components"]["schemas"]


def test_every_error_of_kifu_is_a_kind_of_problem():
    from kifu.core import errors
    from kifu.core.game import RuleViolation
    from kifu.core.text.texts import Texts
    from kifu.core.web.problem import KINDS, STATUS

    kinds = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.KifuError)}
    assert kinds - {errors.KifuError} | {RuleViolation} == set(KINDS)
    for kind in STATUS:
        titles = [Texts(lang, "kifu.core.web").find(f"problem-{kind}") for lang in ("en", "ja")]
        assert all(titles)
        assert titles[0] != titles[1], kind


@pytest.mark.parametrize("examples", [2, pytest.param(40, marks=pytest.mark.long)])
def test_the_description_is_true_of_generated_requests(make_client, examples):
    schemathesis = pytest.importorskip("schemathesis", reason="needs kifu[dev]")
    from hypothesis import given, settings
    from schemathesis import checks
    from schemathesis.specs.openapi import checks as openapi

    client = make_client()
    opened = client.post("/api/matches", json={"game": "cake", "seats": [{"name": each} for each in NAMES[:3]]}).json()
    host = client.app.state.context.host
    ended = host.open("cake", 3).match
    host.force_abandon(ended)  # whose stream ends
    schema = schemathesis.openapi.from_asgi("/openapi.json", client.app)
    wanted = [
        *[checks.not_a_server_error, openapi.status_code_conformance, openapi.content_type_conformance],
        *[openapi.response_schema_conformance, openapi.negative_data_rejection],
    ]
    tried = []

    def call(case):
        if "match" in (case.path_parameters or {}) and len(tried) % 2:
            case.path_parameters["match"] = ended if case.path.endswith("/events") else opened["match"]
        tried.append(case)
        case.call_and_validate(headers=bearer(opened["keys"][0]["key"]), checks=wanted)

    for operation in schema.get_all_operations():
        each = settings(max_examples=examples, deadline=None, derandomize=True, database=None)
        each(given(case=operation.ok().as_strategy())(call))()
    assert len(tried) > 10 * examples


def test_a_server_of_older_rules_sends_a_client_to_another_one():
    """A proxy tries the next server at 503."""
    from kifu.core.errors import NewerRules
    from kifu.core.text.texts import Texts
    from kifu.core.web.problem import problem_response

    answer = problem_response(NewerRules(2, 1), Texts("ja", "kifu.core.web"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    body = json.loads(answer.body)
    assert body["type"] == "urn:kifu:problem:newer-rules"
    assert "第2版で続いている" in body["detail"]
