"""Whether a source file is still what was checked."""

from __future__ import annotations

import os
import time


def has_changed(path: str, checked_at: float) -> bool:
    """Whether a file is younger than its check, in seconds since the epoch; a date in the future says nothing."""
    try:
        return checked_at < os.stat(path).st_mtime <= time.time()
    except OSError:
        return True
