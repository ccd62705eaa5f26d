"""Hypothesis profiles: `quick` as a rule, `long` by `HYPOTHESIS_PROFILE=long`; in CI the same examples every time."""

import os

from hypothesis import HealthCheck, settings

CI = bool(os.environ.get("CI"))
BUSY = [HealthCheck.too_slow, HealthCheck.data_too_large]  # a busy machine is no defect

settings.register_profile("quick", max_examples=20, deadline=None, derandomize=CI, suppress_health_check=BUSY)
settings.register_profile("long", max_examples=400, deadline=None, derandomize=CI, suppress_health_check=BUSY)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
