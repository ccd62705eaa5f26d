"""What a finger does at the page: it scrolls, opens and closes, and what it taps stays where it was."""

import pytest

from .browsing import open_match

pytest.importorskip("msgspec", reason="needs kifu[web]")
pytest.importorskip("playwright", reason="needs kifu[dev]")

UPRIGHT = {"has_touch": True, "is_mobile": True, "locale": "ja-JP", "size": {"width": 360, "height": 740}}
SIDEWAYS = {**UPRIGHT, "size": {"width": 844, "height": 390}}


def swipe_up(tab, wanted: str) -> None:
    box, touch = tab.locator(wanted).bounding_box(), tab.context.new_cdp_session(tab)
    x, y = box["x"] + box["width"] / 2, tab.viewport_size["height"] * 0.8
    for kind, up in [("touchStart", 0), *(("touchMove", 20 * step) for step in range(1, 11)), ("touchEnd", None)]:
        points = [] if up is None else [{"x": x, "y": y - up}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("device", [UPRIGHT, SIDEWAYS], ids=["upright", "sideways"])
def test_a_finger_on_the_result_scrolls_to_the_sheet(opened, device):
    tab = opened(**device)
    open_match(tab, "gosne", *["bot random"] * 4)
    tab.locator(".sheet table").wait_for()
    swipe_up(tab, ".bar")
    tab.wait_for_function("() => scrollY > 90", timeout=9000)
