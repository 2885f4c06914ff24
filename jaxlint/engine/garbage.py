"""When a run, which does not collect garbage by itself, does so after all: before more is read into memory."""

from __future__ import annotations

import gc
from typing import Final

#: Objects made since garbage was last collected, beyond which it is worth a look: many more than a small part makes.
_MANY: Final = 200_000


def tidy() -> None:
    """Free what analyses remembered, which is full of cycles: functions and the frames that they close over.

    Only objects that are young are looked at, so that each is once. The last analysis of a run ends with its process.
    """
    if gc.get_count()[0] > _MANY:
        gc.collect(0)
