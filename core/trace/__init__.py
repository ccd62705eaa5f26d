"""The trace: the states that an engine computes from a log, kept to compare engines (`docs/trace-format.md`).

It lies in `core`, not in the command line: another engine is run as `python -m kifu.core.trace`, in a Python that may
have nothing but kifu and a game installed.
"""

from .options import option_fields
from .read import Refusal, Trace, TracedNote, TracedStep, read_trace
from .trace_diff import Change, Comparison, Difference, StepDifference, compare
from .write import trace, trace_log

__all__ = [
    "Change",
    "Comparison",
    "Difference",
    "Refusal",
    "StepDifference",
    "Trace",
    "TracedNote",
    "TracedStep",
    "compare",
    "golden",
    "option_fields",
    "options",
    "presenter",
    "read_trace",
    "shape",
    "sources",
    "trace",
    "trace_log",
    "write",
]
