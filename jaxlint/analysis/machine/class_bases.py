"""Whether all that a class inherits is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import ClassValue, Qualified, Value

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_PLAIN = frozenset({"builtins.object", "typing.Generic", "abc.ABC", "typing.Protocol"})


def open_ended(it: Interpreter, cls: ClassValue) -> bool:
    """Whether a base class outside the project may bring attributes that are not seen, or make the class a pytree."""
    return any(open_ended(it, base) if isinstance(base, ClassValue) else not _is_plain(it, base) for base in cls.bases)


def _is_plain(it: Interpreter, base: Value) -> bool:
    return isinstance(base, Qualified) and (base.name in _PLAIN or bool(it.api.class_kind(base.name)))
