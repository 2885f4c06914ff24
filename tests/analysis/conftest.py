"""Examples that Hypothesis draws for the tests of the analysis: enough to find a slip, quick enough to run always."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "analysis",
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("analysis")
