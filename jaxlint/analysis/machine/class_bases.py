"""Whether all that a class inherits, and all that its decorators add, is in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import ClassValue, Qualified, Unknown, Value

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

_PLAIN = frozenset({"builtins.object", "typing.Generic", "abc.ABC", "typing.Protocol"})
#: What the decorators of these modules make of a class is no pytree.
_HARMLESS_DECORATORS = ("dataclasses.", "functools.", "typing.")


def open_ended(it: Interpreter, cls: ClassValue) -> bool:
    """Whether code outside the project may bring attributes that are not seen, or make the class a pytree.

    That may be a base class, or a decorator.
    """
    if any(open_ended(it, base) if isinstance(base, ClassValue) else not _is_plain(it, base) for base in cls.bases):
        return True
    return not cls.kind and any(isinstance(d, Unknown | Qualified) and not is_harmless(d) for d in cls.decorators)


def is_harmless(decorator: Value) -> bool:
    """Whether a decorator of a class surely makes no pytree of it."""
    return isinstance(decorator, Qualified) and decorator.name.startswith(_HARMLESS_DECORATORS)


def _is_plain(it: Interpreter, base: Value) -> bool:
    return isinstance(base, Qualified) and (base.name in _PLAIN or bool(it.api.class_kind(base.name)))
