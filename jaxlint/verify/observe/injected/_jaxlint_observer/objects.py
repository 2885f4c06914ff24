"""What a probe needs to make an argument again: classes, functions and constants by name, arrays by their place.

A description is `["leaf", path]`, `["none"]`, `["static", text]`, `["dict", [[key, D], ...]]`, `["tuple", [D, ...]]`,
`["list", [D, ...]]`, `["name", module, name]`, or `["object", module, name, D]`: an object of that class with these
fields or items, a function with these captured variables, or a method of the one item. No code of the user's is run.
"""

from __future__ import annotations

import enum
import os
import sys
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from . import frames

_MAX_PARTS = 2000
_MAX_DEPTH = 40
_LITERALS = (bool, int, float, complex, str, bytes)
_MAX_TEXT = 200
Description = list[Any]


class _NamelessError(Exception):
    """Nothing outside of this process leads to it."""


def described(value: Any, places: dict[int, str]) -> Description | None:
    """How to make a value again; `places` are the paths of its arrays by identity. None where that cannot be said."""
    try:
        return _Describer(places).of(value)
    except _NamelessError:
        return None


class _Describer:
    """One walk over one value."""

    def __init__(self, places: dict[int, str]) -> None:
        self._places = places
        self._parts = 0
        self._above: set[int] = set()

    def of(self, value: Any) -> Description:
        self._parts += 1
        if self._parts > _MAX_PARTS or len(self._above) > _MAX_DEPTH or id(value) in self._above:
            raise _NamelessError
        if id(value) in self._places and hasattr(value, "dtype"):
            return ["leaf", self._places[id(value)]]
        self._above.add(id(value))
        try:
            return self._of_part(value)
        finally:
            self._above.discard(id(value))

    def _of_part(self, value: Any) -> Description:
        kind = type(value)
        if value is None:
            return ["none"]
        if kind in _LITERALS:
            return _literal(value)
        if kind is dict:
            if not all(type(key) is str for key in value):
                raise _NamelessError
            return ["dict", [[key, self.of(item)] for key, item in value.items()]]
        if kind is tuple or kind is list:
            return [kind.__name__, [self.of(item) for item in value]]
        if isinstance(value, enum.Enum):
            _, module, name = _named(kind)
            return ["name", module, f"{name}.{value.name}"]
        return self._of_callable(value) if callable(value) else self._of_object(value)

    def _of_callable(self, value: Any) -> Description:
        if isinstance(value, MethodType):
            return ["object", *_named(value.__func__)[1:], ["tuple", [self.of(value.__self__)]]]
        try:
            return _named(value)
        except _NamelessError:
            return self._of_closure(value) if isinstance(value, FunctionType) else self._of_object(value)

    def _of_closure(self, function: FunctionType) -> Description:
        """A function that another one made: what it captured, and the defaults that it was made with."""
        outer = function.__qualname__.partition(".<locals>")[0]
        module = sys.modules.get(function.__module__)
        if outer == function.__qualname__ or module is None or function.__globals__ is not vars(module):
            return _global_name(function)
        captured = zip(function.__code__.co_freevars, function.__closure__ or ())
        try:
            fields = [[name, self.of(cell.cell_contents)] for name, cell in captured]
            fields.append(["__defaults__", self.of(function.__defaults__)])
            fields.append(["__kwdefaults__", self.of(function.__kwdefaults__)])
        except (_NamelessError, ValueError):
            return _global_name(function)
        return ["object", _module_name(function.__module__), function.__qualname__, ["dict", fields]]

    def _of_object(self, value: Any) -> Description:
        try:
            return ["object", *_named(type(value))[1:], self._parts_of(value)]
        except _NamelessError:
            return _global_name(value)

    def _parts_of(self, value: Any) -> Description:
        if isinstance(value, tuple):
            return ["tuple", [self.of(item) for item in value]]
        fields = dict(_fields(value))
        is_opaque = not fields and (hasattr(value, "dtype") or type(value).__module__ == "builtins")
        if is_opaque or isinstance(value, (dict, list, set, frozenset)):
            raise _NamelessError
        return ["dict", [[name, self.of(item)] for name, item in fields.items()]]


def _literal(value: Any) -> Description:
    is_number = isinstance(value, (int, float, complex)) and not isinstance(value, bool)
    text = "" if is_number and not abs(value) < float("inf") else repr(value)
    if not text or len(text) > _MAX_TEXT:
        raise _NamelessError
    return ["static", text]


def _fields(value: Any) -> Iterator[tuple[str, Any]]:
    """The attributes that an object holds."""
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            known = name if not name.startswith("__") or name.endswith("__") else f"_{base.__name__.lstrip('_')}{name}"
            if name not in ("__dict__", "__weakref__") and hasattr(value, known):
                yield known, getattr(value, known)
    held = getattr(value, "__dict__", None)
    yield from held.items() if isinstance(held, dict) else ()


def _named(value: Any) -> Description:
    """`["name", module, name]` of a class or a function that its module holds under its own name."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", None)
    if isinstance(value, BuiltinFunctionType) and module is None:
        module = "builtins"
    if not isinstance(module, str) or not isinstance(name, str):
        raise _NamelessError
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, "__dict__", {}).get(part)
    if found is not value:
        raise _NamelessError
    return ["name", _module_name(module), name]


def _global_name(value: Any) -> Description:
    """The name of an object that a module of the user's holds."""
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and frames.owner(path) is frames.USER:
            for known, held in list(vars(module).items()):
                if held is value:
                    return ["name", _module_name(name), known]
    raise _NamelessError


def _module_name(module: str) -> str:
    """The name by which others import a module; the program's own is `__main__` only while it runs."""
    if module != "__main__":
        return module
    main = sys.modules[module]
    spec = getattr(main, "__spec__", None)
    path = getattr(main, "__file__", None)
    if spec is not None:
        return str(spec.name)
    if not isinstance(path, str):
        raise _NamelessError
    return os.path.splitext(os.path.basename(path))[0]
