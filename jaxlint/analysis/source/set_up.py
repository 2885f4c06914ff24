"""Attributes that one method sets before anything that needs them can run: `load_model`, `build`, `setup_data`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain.values import ClassValue, Value, atoms_of, is_none
from jaxlint.analysis.machine.tables import memoised
from jaxlint.analysis.source import first_calls, method_effects
from jaxlint.analysis.source.method_effects import INITIALIZERS, methods, read_attributes, stored
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


@memoised
def is_set_up(it: Interpreter, cls: ClassValue, name: str, reader: str) -> bool:
    """Whether an attribute must have been set before `reader` can run, and no method is seen to set it after that.

    Methods that run on new objects alone, or to make them, are not seen to, whatever they store; and `reader` may be
    one that makes objects. Else one method alone gives it a value that does not depend on the one before; initializers
    give None at most; and no method of the class leads to both that method and `reader`, in turns. What that method
    defines runs later.
    """
    stores = [(function, value) for function in methods(cls) for part, value in stored(function) if part.attr == name]
    initial = [value for function, value in stores if function.name in INITIALIZERS]
    setters = {id(function): function for function, _ in stores if function.name not in INITIALIZERS}
    if first_calls.makes_objects(it, cls, reader) or (
        setters and all(_comes_early(it, cls, function) for function in setters.values())
    ):
        return True
    of_class = [atom for value in _of_class(cls, name) for atom in atoms_of(value)]
    if len(setters) != 1 or not all(map(_is_none, initial)) or not all(map(is_none, of_class)):
        return False
    setter = next(iter(setters.values()))
    if _reads_before(setter, name):
        return False
    mentions = _mentions(cls)
    mentions[setter.name] = mentions[setter.name] - _read_in_functions(setter)
    reached = (_reached(mentions, function.name) for function in methods(cls) if function.name not in INITIALIZERS)
    return not any({setter.name, reader} <= names for names in reached)


def _comes_early(it: Interpreter, cls: ClassValue, method: ir.Function) -> bool:
    """Whether the project runs a method only on an object that is new, or that is being made."""
    return first_calls.comes_first(it, cls, method) or first_calls.makes_objects(it, cls, method.name)


def reads_from_before(function: ir.Function, name: str) -> bool:
    """Whether a method that uses an attribute may read what that held before: it assigns no other value first."""
    return name in _read(function) and not method_effects.assigns_first(function, name)


def _read(function: ir.Function) -> set[str]:
    """The attributes of the first parameter that a method reads, not only assigns."""
    counts = Counter(read_attributes(function.body, _own_name(function)))
    counts.subtract(part.attr for part, value in stored(function) if value is not part)
    return {attr for attr, count in counts.items() if count > 0}


def _reads_before(function: ir.Function, name: str) -> bool:
    """Whether a method reads an attribute of its first parameter before it has assigned it."""
    stores = [(part, value) for part, value in stored(function) if part.attr == name]
    assigned = min(max(walks.ordinals((part, value))) for part, value in stores)
    written = {part.at for part, value in stores if value is not part}
    before = (node for node in walks.nodes(function.body) if getattr(node, "at", assigned + 1) <= assigned)
    return any(_is_read(node, _own_name(function), name) for node in before if node.at not in written)


def _is_read(node: Any, own: str, name: str) -> bool:
    """Whether a node is `own.name`, or `getattr(own, "name", ...)`."""
    match node:
        case ir.Attribute(base=ir.Name(id=base), attr=attr):
            return bool(base == own and attr == name)
        case ir.Call(func=ir.Name(id="getattr"), args=(ir.Name(id=base), ir.Constant(value=attr), *_)):
            return bool(base == own and attr == name)
        case _:
            return False


def _own_name(function: ir.Function) -> str:
    return function.parameters[0].name


def _is_none(node: ir.Expr) -> bool:
    return isinstance(node, ir.Constant) and node.value is None


def _of_class(cls: ClassValue, name: str) -> Iterator[Value]:
    """What a class and those that it is made from hold under a name."""
    if name in cls.namespace:
        yield cls.namespace[name]
    for base in cls.bases:
        if isinstance(base, ClassValue):
            yield from _of_class(base, name)


def _read_in_functions(function: ir.Function) -> set[str]:
    """The attributes that only the functions which a method defines read."""
    inner = [each.function for each in walks.statements(function.body) if isinstance(each, ir.FunctionDefinition)]
    own = _own_name(function)
    within = Counter(name for each in inner for name in read_attributes(each.body, own))
    everywhere = Counter(read_attributes(function.body, own))
    return {name for name, count in within.items() if count == everywhere[name]}


def _mentions(cls: ClassValue) -> dict[str, set[str]]:
    """Which attributes each method mentions, and each attribute that is made of them: `self.step = jit(self._step)`."""
    found: dict[str, set[str]] = {}
    for function in methods(cls):
        own = _own_name(function)
        found.setdefault(function.name, set()).update(_read(function))
        for part, value in stored(function):
            found.setdefault(part.attr, set()).update(read_attributes(value, own))
    return found


def _reached(mentions: Mapping[str, set[str]], start: str) -> set[str]:
    reached, new = {start}, {start}
    while new:
        new = set[str]().union(*(mentions.get(name, set()) for name in new)) - reached
        reached |= new
    return reached
