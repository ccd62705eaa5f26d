"""The trace: the states an engine made of a log, kept to compare engines (`docs/trace-format.md`).

A room of `core`, not of the command line: another engine is asked for traces as `python -m kifu.core.trace`, and a
Python in which only kifu and a game are installed must be able to answer.
"""

from .compare import Change, Comparison, Difference, StepDifference, compare
from .read import Refusal, Trace, TracedNote, TracedStep, read_trace
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
    "read_trace",
    "trace",
    "trace_log",
]
