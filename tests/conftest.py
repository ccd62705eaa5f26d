"""Hypothesis profiles: `quick`, the same examples every time; `HYPOTHESIS_PROFILE=long` looks for new ones."""

import os

from hypothesis import HealthCheck, settings

BUSY = [HealthCheck.too_slow, HealthCheck.data_too_large]  # a busy machine is no defect

settings.register_profile("quick", max_examples=20, deadline=None, derandomize=True, suppress_health_check=BUSY)
settings.register_profile("long", max_examples=400, deadline=None, suppress_health_check=BUSY)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
