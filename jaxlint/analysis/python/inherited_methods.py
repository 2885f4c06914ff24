"""Methods that a class inherits and that lead to its own: looked at with an object of that class.

A base class jits `step`, which calls `self.advance`; what a subclass makes of `advance` is traced when its objects
take a step, and nothing in the subclass says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.class_fields import ancestors
from jaxlint.analysis.domain.values import ClassValue, FunctionValue, Transformed, Value
from jaxlint.analysis.machine.interpreter import MAX_WORK_OF_FUNCTION
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.python import classes, functions
from jaxlint.analysis.python.library_names import named_in
from jaxlint.analysis.source import method_effects
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.machine.interpreter import Interpreter


def run(it: Interpreter, frame: Frame, cls: ClassValue) -> None:
    """Look at the methods that a class of this module inherits, as its own objects run them."""
    final = frame.state
    for method in _leading_back(it, cls):
        frame.state = final.of_open()
        with it.within(MAX_WORK_OF_FUNCTION):
            if isinstance(method, Transformed):
                it.library.trace_uncalled(it, method.application.target, method.application, cls)
            elif isinstance(method, FunctionValue):
                functions.run_open(it, method, cls)
    frame.state = final


def _leading_back(it: Interpreter, cls: ClassValue) -> Iterator[Value]:
    """The inherited methods that trace something, and in doing so come to what the class has of its own."""
    seen: set[str] = set()
    for base in ancestors(cls):
        for name, value in list(base.namespace.items()):  # what is interpreted may set attributes of the class
            function = underlying(value)
            if name in seen or function is None or not function.function.parameters or function.cls is not base:
                continue
            seen.add(name)
            is_inherited = classes.find(it, cls, name) is value and _leads_back(it, cls, base, function, set())
            if is_inherited and (isinstance(value, Transformed) or _applies_transform(it, function)):
                yield value


def _leads_back(it: Interpreter, cls: ClassValue, base: ClassValue, function: FunctionValue, seen: set[str]) -> bool:
    """Whether a method of `base` reads, itself or through others, what the class has and the base has not, or else."""
    for name in _read(it, function.function) - seen:
        seen.add(name)
        found = classes.find(it, cls, name)
        if found is not classes.find(it, base, name):
            return True
        inner = None if found is None else underlying(found)
        if inner is not None and inner.cls is not None and _leads_back(it, cls, base, inner, seen):
            return True
    return False


@memoised
def _read(_: Interpreter, function: ir.Function) -> frozenset[str]:
    """The attributes of its object that a method reads."""
    if not function.parameters:
        return frozenset()
    return frozenset(method_effects.read_attributes(function.body, function.parameters[0].name))


@memoised
def _applies_transform(it: Interpreter, function: FunctionValue) -> bool:
    """Whether the code of a function names a transform of JAX or of a library around it."""
    names = (named_in(it, function, node) for node in walks.nodes(function.function.body))
    return any(name and it.api.transform(name) is not None for name in names)
