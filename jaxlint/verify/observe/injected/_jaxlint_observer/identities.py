"""Numbers for objects that are told apart by what they are, not by what they hold."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

_serials = itertools.count(1)
_identities: dict[int, tuple[Any, int]] = {}


def identity(thing: object) -> int:
    """A number for this very object, not used again for another one while it can be told."""
    number = id(thing)
    known = _identities.get(number)
    if known is not None and known[0]() is thing:
        return known[1]
    try:
        reference = weakref.ref(thing, lambda _: _identities.pop(number, None))
    except TypeError:
        return -number
    serial = next(_serials)
    _identities[number] = (reference, serial)
    return serial
