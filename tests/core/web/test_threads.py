"""msgspec has worked out every shape before a thread uses it: two that do so at once crash the process."""

import subprocess
import sys

import pytest

pytest.importorskip("msgspec", reason="needs kifu[web]")

PROGRAM = """
import sys
import msgspec
from kifu.core.web import app, request_shapes, response_shapes

worked_out = []

def called(frame, event, _):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        worked_out.append(frame.f_locals["obj"].__name__)

class Other(msgspec.Struct):
    seat: int

sys.setprofile(called)
for module in (request_shapes, response_shapes):
    for shape in list(vars(module).values()):
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
            msgspec.json.Decoder(shape)
msgspec.json.Decoder(Other)
print(*worked_out)
"""


def test_every_shape_is_worked_out_at_import():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["Other"], "")
