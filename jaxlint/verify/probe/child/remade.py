"""Objects that a run recorded, made again: of classes and functions that the imported modules hold by name.

No module is imported for it and no `__init__` is run: an object gets the fields that it had.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any


class LostNameError(LookupError):
    """A name of the record that leads to nothing here, as `module:name`."""


def named(module: str, name: str) -> Any:
    """What a module holds under a name. Raises LostNameError."""
    found: Any = _module(module)
    for part in name.split("."):
        if found is None or not hasattr(found, part):
            raise LostNameError(f"{module}:{name}")
        found = getattr(found, part)
    return found


def remade(module: str, name: str, parts: Mapping[str, Any] | Sequence[Any]) -> Any:
    """An object of the class, the function or the method of that name. Raises LostNameError."""
    try:
        if "<locals>" in name:
            return _closure(module, name, dict(parts))
        kind = named(module, name)
        if isinstance(parts, Mapping):
            made = object.__new__(kind)
            for field, value in parts.items():
                object.__setattr__(made, field, value)
            return made
        return tuple.__new__(kind, parts) if isinstance(kind, type) else MethodType(kind, *parts)
    except (TypeError, AttributeError, ValueError) as error:  # a class of another version
        raise LostNameError(f"{module}:{name}") from error


def _module(name: str) -> Any:
    """A module that is imported, by its name; a program of that name may stand in a package."""
    found = sys.modules.get(name)
    if found is not None:
        return found
    files = {os.path.basename(getattr(m, "__file__", None) or ""): m for m in list(sys.modules.values())}
    return files.get(f"{name}.py") if "." not in name else None


def _closure(module: str, name: str, captured: dict[str, Any]) -> FunctionType:
    """A function that another one makes, as if it had been made with these captured variables."""
    outer, *inner = name.split(".<locals>.")
    code = _code(named(module, outer))
    for part in inner:
        within = [c for c in (code.co_consts if code is not None else ()) if isinstance(c, CodeType)]
        code = next((c for c in within if c.co_name == part), None)
        if [c.co_name for c in within].count(part) > 1:
            code = None
    if code is None:
        raise LostNameError(f"{module}:{name}")
    cells = tuple(CellType(captured[variable]) for variable in code.co_freevars)
    made = FunctionType(code, vars(_module(module)), inner[-1], captured["__defaults__"], cells)
    made.__kwdefaults__ = captured["__kwdefaults__"]
    made.__qualname__ = name
    return made


def _code(function: Any) -> CodeType | None:
    found = getattr(function, "__func__", function)
    while hasattr(found, "__wrapped__"):
        found = found.__wrapped__
    return getattr(found, "__code__", None)
