"""How traces and flagged statements end: what a traced function gives JAX to take, and the errors that come out."""

from __future__ import annotations

import numbers
import opcode
import sys
from types import FrameType, ModuleType
from typing import Any

from . import frames, records, runs, trees

_RAISE = opcode.opmap["RAISE_VARARGS"]


def facts(jax: ModuleType, value: Any, frame: FrameType) -> dict[str, Any]:
    """What is returned, by the function that the innermost trace runs: `foreign` is what in it no trace can take."""
    stack = runs.state().stack
    place = stack[-1].entry.place if stack else None
    is_own = place is not None and tuple(place) == (frame.f_code.co_filename, frame.f_code.co_firstlineno)
    leaves = trees.leaves(jax, value)
    foreign = next((type(leaf).__name__ for leaf in leaves if not _is_taken(leaf)), "")
    return {
        "ends": stack[-1].entry.kind if is_own else "",
        "foreign": foreign,
        "pair": isinstance(value, (tuple, list)) and len(value) == 2,
    }


def _is_taken(leaf: Any) -> bool:
    """Whether JAX may take a leaf: of objects of a library's classes, nothing is said."""
    if any(hasattr(leaf, name) for name in _OF_ARRAYS):
        return True
    if isinstance(leaf, _REFUSED) or callable(leaf):
        return False
    return isinstance(leaf, numbers.Number) or not _is_users(type(leaf))


#: What something has that JAX takes for an array, or for a value of a type of its own.
_OF_ARRAYS = ("__jax_array__", "__array__", "dtype", "aval")
_REFUSED = (str, bytes, set, frozenset, range)


def _is_users(cls: type) -> bool:
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    return isinstance(file, str) and frames.owner(file) is frames.USER


@records.guarded
def tell_last_error() -> None:
    """The error that ended the program, where JAX raised it and nothing caught it."""
    error = getattr(sys, "last_value", None)
    if not isinstance(error, Exception) or not _is_of_jax(error):
        return
    place = frames.innermost_of_user(error.__traceback__)
    if place is not None:
        records.emit("refused", transform="", error=[type(error).__name__, place, str(error)[:200]])


_told: set[tuple[str, str, int]] = set()
_MAX_TOLD = 200


@records.guarded
def tell_raised() -> None:
    """The error that comes out of a flagged statement, once for each type and place; the program may catch it."""
    error = sys.exc_info()[1]
    through = [] if error is None else frames.places_of_user(error.__traceback__)
    if error is None or not through:
        return
    place = through[-1]
    told = (type(error).__name__, str(place[0]), int(place[1]))
    if told not in _told and len(_told) < _MAX_TOLD:
        _told.add(told)
        is_of_jax = isinstance(error, Exception) and _is_of_jax(error)
        records.emit("raised", of_jax=is_of_jax, error=[told[0], place, str(error)[:200]], through=through)


def _is_of_jax(error: Exception) -> bool:
    """Whether JAX, or a library on it, raised it: its frames are the innermost, or JAX took them out of the traceback.

    A compiled function flattens and hashes its arguments before any code in Python runs: no frame is JAX's, the text
    names the pytree or the static argument, and no `raise` of the user's is where it came from.
    """
    if any(type(each).__module__.partition(".")[0] in ("jax", "jaxlib") for each in (error, error.__cause__)):
        return True
    if any("JAX has removed its internal frames" in note for note in getattr(error, "__notes__", ())):
        return True
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    is_innermost = frames.is_around_jax(traceback.tb_frame.f_code.co_filename)
    code = traceback.tb_frame.f_code.co_code
    is_about_arguments = any(text in str(error) for text in ("pytree", "static argument"))
    return is_innermost or (is_about_arguments and code[traceback.tb_lasti] != _RAISE)
