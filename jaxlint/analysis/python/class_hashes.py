"""How instances of a class are hashed and compared: by identity, by their fields, or not at all."""

from __future__ import annotations

from jaxlint.analysis.domain.values import ClassValue, Partial, Qualified, Value, is_none
from jaxlint.syntax import ir


def library_name(value: Value) -> str:
    """The library function behind a decorator, also when it was partially applied."""
    while isinstance(value, Partial):
        if isinstance(value.function, Qualified) and value.function.name == "functools.partial" and value.args:
            value = value.args[0]
        else:
            value = value.function
    return value.name if isinstance(value, Qualified) else ""


def are_compared(cls: ClassValue) -> bool:
    """Whether a changed object, as a static argument, is another one: its contents are compared."""
    return "__hash__" in cls.namespace or (hashes_fields(cls) and not is_unhashable(cls))


def keyword_names(decorator: ir.Expr) -> tuple[str, ...]:
    """The keywords that a decorator is called with."""
    return tuple(name for name, _ in decorator.keywords if name) if isinstance(decorator, ir.Call) else ()


def is_unhashable(cls: ClassValue) -> bool:
    """Whether instances compare by value and have no hash: `__eq__` alone, or a dataclass that is not frozen.

    The nearest class that says something about either counts, since what it says is inherited.
    """
    if "__hash__" in cls.namespace:
        return is_none(cls.namespace["__hash__"])
    if "__eq__" in cls.namespace:
        return True
    options = _dataclass_options(cls) if _made_dataclass_by(cls) is cls else {"eq"}
    if "eq" not in options:
        return not options
    return any(isinstance(base, ClassValue) and is_unhashable(base) for base in cls.bases)


def hashes_fields(cls: ClassValue) -> bool:
    """Whether an instance's hash is made of its fields': a frozen dataclass."""
    maker = _made_dataclass_by(cls)
    return "__hash__" not in cls.namespace and maker is not None and "eq" not in _dataclass_options(maker)


def _made_dataclass_by(cls: ClassValue) -> ClassValue | None:
    """The class, or the nearest base in the project, that the dataclass decorator stands on."""
    if any(library_name(decorator) == "dataclasses.dataclass" for decorator in cls.decorators):
        return cls
    return next((m for b in cls.bases if isinstance(b, ClassValue) and (m := _made_dataclass_by(b)) is not None), None)


def _dataclass_options(cls: ClassValue) -> set[str]:
    """The options of the dataclass decorator that decide about hashes."""
    given = {name for decorator in cls.cls.decorators for name in keyword_names(decorator)}
    return given & {"frozen", "unsafe_hash", "eq"}
