"""Which classes of the project JAX takes for leaves: those that nothing in sight makes a pytree, or an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import ClassValue, FunctionValue, Qualified
from jaxlint.analysis.machine.class_bases import is_harmless, open_ended
from jaxlint.analysis.machine.run_facts import PytreeRegistrations, Subclasses
from jaxlint.analysis.python import classes, functions

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Kinds of classes whose objects JAX takes apart.
_TREES = frozenset({"pytree", "module", "namedtuple", "static", "typeddict"})


def may_be_tree(it: Interpreter, cls: ClassValue) -> bool:
    """Whether objects of a class, or of one that derives from it, are pytrees."""
    kinds = {cls.kind, *(below.kind for below in it.tables[Subclasses].below(cls))}
    return not kinds.isdisjoint(_TREES)


def is_closed(it: Interpreter, cls: ClassValue) -> bool:
    """Whether everything that could make the class a pytree is in sight."""
    if open_ended(it, cls) or cls.kind == "enum" or _is_made_by_code(cls):
        return False
    return all(map(is_harmless, cls.decorators))


def is_plain(it: Interpreter, cls: ClassValue, *, exactly: bool = False) -> bool:
    """Whether an object of a class is surely a leaf, and none that stands for an array or for something else.

    `exactly`: the object is of no class that derives from this one.
    """
    is_tree = cls.kind in _TREES if exactly else may_be_tree(it, cls)
    if it.tables[PytreeRegistrations].of_unknown or is_tree or not is_closed(it, cls):
        return False
    if any(isinstance(base, ClassValue) and not is_closed(it, base) for base in cls.bases):
        return False
    return all(classes.find(it, cls, name) is None for name in _STAND_IN) and not _is_abstract(cls)


#: Methods of objects that are given to JAX as arrays, or that stand for what they give.
_STAND_IN = ("__jax_array__", "__get__")


def _is_abstract(cls: ClassValue) -> bool:
    """Whether the objects are of other classes, which derive from it."""
    by_base = any(isinstance(base, Qualified) and base.name in _ABSTRACT for base in cls.bases)
    return by_base or any(
        isinstance(value, FunctionValue) and functions.only_declares(value) for value in cls.namespace.values()
    )


_ABSTRACT = frozenset({"abc.ABC", "typing.Protocol"})


def _is_made_by_code(cls: ClassValue) -> bool:
    """Whether a metaclass, or a base that hears of its subclasses, may register the class."""
    if cls.cls.keywords or "__init_subclass__" in cls.namespace:
        return True
    return any(_is_made_by_code(base) for base in cls.bases if isinstance(base, ClassValue))
