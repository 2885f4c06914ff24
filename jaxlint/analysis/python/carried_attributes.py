"""Attributes of modules whose arrays a framework hands into a trace and back out: what is stored there is not lost.

As measured on Flax 0.12.8, `nnx.jit` carries an attribute of an argument that held an array or a variable when the
trace began. One that held None or nothing keeps the tracer, unless the class declares it with `nnx.data()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import ClassValue, Value
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import classes
from jaxlint.analysis.source.method_effects import methods
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_carried(it: Interpreter, receiver: Value, name: str, role: str) -> bool:
    """Whether a method of a module stores in an attribute that the trace assumed around it would hand back.

    Where a trace is in sight, its arguments are copies, of which all is known.
    """
    trace, cls = it.frame.trace, classes.class_of(it, receiver)
    if trace is None or cls is None or role != "self" or not (it.frame.caveats.assumed and trace.merges_objects):
        return False
    is_module = any(it.api.has(base, "merges-objects") for base in class_fields.library_bases(cls))
    return is_module and _is_data(it, cls, name)


@memoised
def _is_data(_: Interpreter, cls: ClassValue, name: str) -> bool:
    """Whether an attribute is made of something other than a constant before any trace."""
    return any(not isinstance(value, ir.Constant) for value in _first_values(cls, name))


def _first_values(cls: ClassValue, name: str) -> Iterator[ir.Expr]:
    """What the body of a class, its initializers and its bases assign to an attribute."""
    own = tuple(part for part in cls.cls.body if isinstance(part, ir.Assign | ir.AnnotatedAssign))
    for target, value in walks.assignments(own):
        if isinstance(target, ir.Name) and target.id == name:
            yield value
    for method in methods(cls):
        if method.name in ("__init__", cls.after):
            for target, value in walks.assignments(method.body):
                if isinstance(target, ir.Attribute) and target.attr == name:
                    yield value
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield from _first_values(base, name)
