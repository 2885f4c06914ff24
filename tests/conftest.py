"""Property tests try the same examples in every run, so that a change is to blame for what fails.

A busy machine is not: no example is too slow.
`HYPOTHESIS_PROFILE=default` tries new ones.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
