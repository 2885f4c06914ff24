"""Whose code a frame or a function is: JAX's, a library's, or the user's."""

from __future__ import annotations

import opcode
import os
import site
import sys
import sysconfig
from collections import deque
from types import FrameType, ModuleType, TracebackType

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
#: What Python and IPython call code that a person typed, or that stands behind `%time` and `%timeit`.
_INTERACTIVE = ("<string>", "<stdin>", "<ipython", "<timed exec>", "<timed eval>", "<magic-timeit>")
_libraries = tuple(
    sorted(
        {
            os.path.abspath(path) + os.sep
            for path in (
                *(sysconfig.get_path(name) or "" for name in ("stdlib", "platstdlib", "purelib", "platlib")),
                *site.getsitepackages(),
                site.getusersitepackages(),
            )
            if path
        }
    )
)
_jax: tuple[str, ...] = ()
_known: dict[str, str] = {}

_MAX_PLACES = 20
_RAISE = opcode.opmap["RAISE_VARARGS"]
#: Libraries whose errors are what a rule is about.
_AROUND_JAX = frozenset({"flax", "equinox", "einops", "optax", "haiku", "numpyro", "chex"})

JAX, LIBRARY, USER = "jax", "library", "user"


def learn_jax(module: ModuleType) -> None:
    """Remember where JAX stands."""
    global _jax  # noqa: PLW0603 - known once JAX is imported
    folders = [os.path.dirname(os.path.abspath(str(module.__file__))) + os.sep]
    jaxlib = sys.modules.get("jaxlib")
    if jaxlib is not None and jaxlib.__file__:
        folders.append(os.path.dirname(os.path.abspath(jaxlib.__file__)) + os.sep)
    _jax = tuple(folders)
    _known.clear()


def owner(filename: str) -> str:
    """`jax` (ours counts as JAX's), `library` or `user`."""
    found = _known.get(filename)
    if found is None:
        found = _known[filename] = _owner(filename)
    return found


def _owner(filename: str) -> str:
    if filename.startswith("<"):
        return USER if filename.startswith(_INTERACTIVE) else LIBRARY
    path = os.path.abspath(filename)
    if path.startswith((*_jax, _OWN)):
        return JAX
    is_library = path.startswith(_libraries) or "site-packages" in path or "dist-packages" in path
    return LIBRARY if is_library else USER


def is_around_jax(filename: str) -> bool:
    """Whether it is code of JAX, or of a library that has rules of its own."""
    if owner(filename) is JAX:
        return True
    return owner(filename) is LIBRARY and not _AROUND_JAX.isdisjoint(os.path.normpath(filename).split(os.sep))


def innermost_of_user(traceback: TracebackType | None) -> list[str | int] | None:
    """[path, line] of the innermost user's frame that an error came through."""
    places = places_of_user(traceback)
    return places[-1] if places else None


def is_raised_by_user(traceback: TracebackType | None) -> bool:
    """Whether a `raise` in the user's own code is where an error came from."""
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or owner(traceback.tb_frame.f_code.co_filename) is not USER:
        return False
    return traceback.tb_frame.f_code.co_code[traceback.tb_lasti] == _RAISE


def places_of_user(traceback: TracebackType | None) -> list[list[str | int]]:
    """[path, line] of the innermost of the user's frames that an error came through, outer ones first."""
    found: deque[list[str | int]] = deque(maxlen=_MAX_PLACES)
    while traceback is not None:
        if owner(traceback.tb_frame.f_code.co_filename) is USER:
            found.append([traceback.tb_frame.f_code.co_filename, traceback.tb_lineno])
        traceback = traceback.tb_next
    return list(found)


def innermost(name: str, frame: FrameType | None) -> FrameType | None:
    """The innermost frame of JAX's of that name before the user's code, from `frame` outwards."""
    while frame is not None and owner(frame.f_code.co_filename) is not USER:
        if frame.f_code.co_name == name:
            return frame
        frame = frame.f_back
    return None


def definition(function: object) -> list[str | int]:
    """[path, line] of what runs first when `function` is called; of its class, where that is not written in Python."""
    code = getattr(function, "__code__", None)
    return [type(function).__qualname__, 0] if code is None else [code.co_filename, code.co_firstlineno]


def leave_out(error: BaseException) -> None:
    """Take the frame that is handling `error` out of its traceback; a bare `raise` then does not put it back.

    Python 3.10 raises again what it noted when it caught the error: there, one frame more is shown.
    """
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


def call_site(frame: FrameType | None) -> list[str | int] | None:
    """[path, line] of the innermost user's frame from `frame` outwards; a library's where no user's is there."""
    fallback: list[str | int] | None = None
    while frame is not None:
        filename = frame.f_code.co_filename
        whose = owner(filename)
        if whose is USER:
            return [filename, frame.f_lineno]
        if whose is LIBRARY and fallback is None and not filename.startswith("<"):
            fallback = [filename, frame.f_lineno]
        frame = frame.f_back
    return fallback
