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


def is_option_set(cls: ClassValue, option: str, default: bool = False) -> bool:
    """Whether a decorator of the class sets the option; what is not a literal counts as set."""
    for decorator in cls.cls.decorators:
        for name, value in decorator.keywords if isinstance(decorator, ir.Call) else ():
            if name == option:
                return not isinstance(value, ir.Constant) or bool(value.value)
    return default


def is_unhashable(cls: ClassValue) -> bool:
    """Whether instances compare by value and have no hash: `__eq__` alone, or a dataclass that is not frozen.

    The nearest class that says something about either counts, since what it says is inherited. A dataclass decorator
    decides before `__eq__` of its class does: with `unsafe_hash`, or if it compares and is frozen, it makes a hash.
    """
    if "__hash__" in cls.namespace:
        return is_none(cls.namespace["__hash__"])
    if _made_dataclass_by(cls) is cls:
        if is_option_set(cls, "unsafe_hash"):
            return False
        if is_option_set(cls, "eq", default=True):
            return not is_option_set(cls, "frozen")
    if "__eq__" in cls.namespace:
        return True
    return any(isinstance(base, ClassValue) and is_unhashable(base) for base in cls.bases)


def hashes_fields(cls: ClassValue) -> bool:
    """Whether an instance's hash, if it has one, is made of its fields': a dataclass that compares."""
    maker = _made_dataclass_by(cls)
    if "__hash__" in cls.namespace or maker is None:
        return False
    return is_option_set(maker, "eq", default=True) or is_option_set(maker, "unsafe_hash")


def _made_dataclass_by(cls: ClassValue) -> ClassValue | None:
    """The class, or the nearest base in the project, that the dataclass decorator stands on."""
    if any(library_name(decorator) == "dataclasses.dataclass" for decorator in cls.decorators):
        return cls
    return next((m for b in cls.bases if isinstance(b, ClassValue) and (m := _made_dataclass_by(b)) is not None), None)
