"""The trace: the states that an engine computes from a log, kept to compare engines (`docs/trace-format.md`).

It lies in `core`, not in the command line: another engine is run as `python -m kifu.core.trace`, in a Python that may
have nothing but kifu and a game installed.
"""

from .change import Change, option_fields
from .read import Refusal, Trace, TracedNote, TracedStep, read_trace
from .trace_diff import Comparison, StepDifference, compare
from .write import trace, trace_log

__all__ = [
    "Change",
    "Comparison",
    "Refusal",
    "StepDifference",
    "Trace",
    "TracedNote",
    "TracedStep",
    "compare",
    "golden",
    "option_fields",
    "presenter",
    "read_trace",
    "shape",
    "sketch",
    "trace",
    "trace_log",
    "values",
    "write",
]
