"""What Python's own stack tells: which transforms stand between two frames, and which frames are the user's."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Container, Iterator
from types import FrameType
from typing import Any

import jax

JAX_FOLDER = os.path.join(os.path.dirname(os.path.abspath(jax.__file__)), "")
_OWN_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
#: Files of JAX whose frames mean that what runs inside is being traced, and by what.
_FILES = {
    "pjit.py": "jit", "loops.py": "scan", "conditionals.py": "cond", "ad_checkpoint.py": "checkpoint",
    "custom_derivatives.py": "custom derivative", "shard_map.py": "shard_map", "pallas_call.py": "pallas_call",
}  # fmt: skip
_FUNCTIONS = {
    "vmap_f": "vmap", "cache_miss": "jit", "make_jaxpr_f": "make_jaxpr", "eval_shape": "eval_shape",
    "value_and_grad_f": "grad", "grad_f": "grad", "value_and_grad_f_aux": "grad", "grad_f_aux": "grad",
    "jvp": "grad", "vjp": "grad", "linearize": "grad", "jacfun": "grad", "cache_miss_pmap": "pmap", "f_pmapped": "pmap",
}  # fmt: skip
#: Transforms under which values keep a number when nothing else traces.
CONCRETE = frozenset({"grad", "custom derivative"})
#: The name of the function that every probe calls the user's code through.
BOUNDARY = "jaxlint_probe_boundary"


class ProjectFiles:
    """The user's own files: those named, and all below the project's folders that nobody installed."""

    def __init__(self, files: list[str], folders: list[str]) -> None:
        self._known = dict.fromkeys(files, True)
        self._folders = tuple(os.path.join(folder, "") for folder in folders)

    def __contains__(self, path: object) -> bool:
        """Whether a code object's file is one of them."""
        if not isinstance(path, str):
            return False
        if path not in self._known:
            self._known[path] = (
                path.startswith(self._folders) and not path.startswith(_OWN_FOLDER) and not _INSTALLED.search(path)
            )
        return self._known[path]


_INSTALLED = re.compile(r"[/\\](site-packages|dist-packages|\.venv|venv)[/\\]|^<")


def is_boundary(frame: FrameType) -> bool:
    """Whether the user's code starts above this frame."""
    return frame.f_code.co_name == BOUNDARY


def transforms(frame: FrameType) -> list[str]:
    """The transforms of the program between a frame and the probe's own call, the innermost first."""
    found: dict[str, None] = {}
    at = frame.f_back
    while at is not None and not is_boundary(at):
        kind = kind_of(at)
        if kind:
            found[kind] = None
        at = at.f_back
    return list(found)


def kind_of(frame: FrameType) -> str:
    """The transform that a frame of JAX belongs to; empty for all other frames."""
    code = frame.f_code
    if not code.co_filename.startswith(JAX_FOLDER):
        return ""
    name = os.path.basename(code.co_filename)
    if name in _FILES:
        return _FILES[name]
    return _FUNCTIONS.get(code.co_name, "") if name == "api.py" else ""


def caller(frame: FrameType, files: Container[str]) -> tuple[str, int]:
    """The nearest place of the watched files that led to a frame; ("", 0) where there is none."""
    at = frame.f_back
    while at is not None and not is_boundary(at):
        if at.f_code.co_filename in files:
            return at.f_code.co_filename, at.f_lineno
        at = at.f_back
    return "", 0


def described_error(error: BaseException, files: Container[str]) -> dict[str, Any]:
    """An exception as JSON: its classes, its first line, and the frames of the watched files, the innermost last."""
    message = str(error).strip()
    return {
        "class": _name(type(error)),
        "bases": [_name(base) for base in type(error).__mro__[:-1]],
        "message": message[:2000],
        "frames": list(_frames(error, files)),
    }


def _name(kind: type) -> str:
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}".replace("jax._src.errors.", "jax.errors.")


def _frames(error: BaseException, files: Container[str]) -> Iterator[dict[str, Any]]:
    """The frames of the user's files with the transforms that lead to each; those of causes come first."""
    seen: set[int] = set()
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        chain.append(at)
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    for one in chain[:1]:
        kinds: dict[str, None] = {}
        for frame, line in traceback.walk_tb(one.__traceback__):
            kind = kind_of(frame)
            if is_boundary(frame):
                kinds.clear()
            elif kind:
                kinds[kind] = None
            elif frame.f_code.co_filename in files:
                yield {
                    "path": frame.f_code.co_filename,
                    "line": line,
                    "first": frame.f_code.co_firstlineno,
                    "function": frame.f_code.co_name,
                    "transforms": list(kinds),
                }
