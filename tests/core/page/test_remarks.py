"""Remarks of an analysis on the page: a viewer reads those on its own decisions alone."""

import json

import pytest
from kifu.core.game import TABLE, Seat
from kifu.core.page import everyone, export, page
from kifu.core.page.remarks import Remark

from .conftest import embedded, played
from .test_export import SCHEMA

MATCH = played("take_and_share", "Aki", "Ren", "Mio", most=9)


def remark(seq: int, *, swing: bool = False, turning_point: bool = False) -> Remark:
    seat = MATCH.events[seq].seat
    text = [["of ", seat, f" at {seq}"], [seat, f"の{seq}"]]
    return Remark(seq, seat, swing, turning_point, text)


REMARKS = [remark(1), remark(2, swing=True), remark(3, swing=True, turning_point=True)]


def test_the_table_reads_all_remarks_and_a_seat_its_own():
    data = export(MATCH, everyone(MATCH), remarks=REMARKS)["analysis"]
    assert [each["step"] for each in data] == [1, 2, 3]
    assert data[2] == {
        "step": 3, "seat": REMARKS[2].seat, "swing": True, "turning_point": True, "text": REMARKS[2].text
    }  # fmt: skip
    for seat in range(3):
        read = export(MATCH, [Seat(seat)], remarks=REMARKS)["analysis"]
        assert [each["seat"] for each in read] == [each.seat for each in REMARKS if each.seat == seat]
    assert export(MATCH, [None], remarks=REMARKS)["analysis"] == []


def test_without_an_analysis_an_export_is_as_before():
    assert "analysis" not in export(MATCH, [TABLE])
    assert page(MATCH) == page(MATCH, remarks=None)


def test_the_schema_has_remarks():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(embedded(page(MATCH, remarks=REMARKS)))
