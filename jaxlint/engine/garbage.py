"""When a run, which does not collect garbage by itself, does so after all: before more is read into memory.

An analysis lets go of nearly all that it made (`analysis/machine/cycles`), which is cheaper than a search for it.
"""

from __future__ import annotations

import gc
from typing import Final

#: Objects made since garbage was last collected, beyond which it is worth a look: more than the files of most projects.
_MANY: Final = 1_000_000


def tidy() -> None:
    """Free what analyses left, which is in cycles: functions and the frames that they close over.

    Only objects that are young are looked at, so that each is once. The last analysis of a run ends with its process.
    """
    if gc.get_count()[0] > _MANY:
        gc.collect(0)
