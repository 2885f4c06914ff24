"""Property tests try the same examples in every run, so that a change is to blame for what fails.

`HYPOTHESIS_PROFILE=default` tries new ones.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
