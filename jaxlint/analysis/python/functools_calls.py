"""Calls that make functions of functions: functools, descriptors, and decorators that change nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.values import (
    UNKNOWN,
    Arguments,
    ClassValue,
    FunctionValue,
    Partial,
    Qualified,
    Static,
    Transformed,
    Tuple,
    Unknown,
    Value,
    is_traced,
)
from jaxlint.analysis.events.effects import CachedFunction
from jaxlint.analysis.events.event import Operand, has_no_hash
from jaxlint.analysis.machine.run_facts import CachedProperties
from jaxlint.analysis.python import iteration
from jaxlint.analysis.source import eager_runs
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler


#: What a function behind a cache calls.
CACHED = "jaxlint.cached"
#: What a partial method calls, until it is bound to an instance.
PARTIAL_METHOD = "functools.partialmethod"


def _classmethod(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A function that gets the class it is looked up on, also what a transform or a cache made of one."""
    value = arguments.first
    return replace(value, binding="classmethod") if isinstance(value, FunctionValue | Transformed | Partial) else value


def _property(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A property by its getter and, in the form of a call, its setter."""
    getter, setter = arguments.get(0, "fget"), arguments.get(1, "fset")
    if not isinstance(getter, FunctionValue):
        return UNKNOWN if getter is None else getter
    return replace(getter, binding="property", setter=setter if isinstance(setter, FunctionValue) else None)


def _setter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`@size.setter`: the property of that name, which calls the function where it is assigned."""
    known, setter = arguments.first, arguments.get(1, None)
    if isinstance(known, FunctionValue) and isinstance(setter, FunctionValue):
        return replace(known, setter=setter)
    return UNKNOWN


def _getter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    known, getter = arguments.first, arguments.get(1, None)
    if isinstance(known, FunctionValue) and isinstance(getter, FunctionValue):
        return replace(getter, binding="property", setter=known.setter)
    return UNKNOWN


def _deleter(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return arguments.first


def _staticmethod(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A function that no instance is bound to; what a transform returned is put into a partial, which binds none."""
    value = arguments.first
    if isinstance(value, FunctionValue):
        return replace(value, binding="staticmethod")
    return Partial(value, (), {}, it.fresh()) if isinstance(value, Transformed) else value


def _cached_property(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    value = arguments.first
    if isinstance(value, FunctionValue):
        it.tables[CachedProperties].made_at[value.module.path, value.function.index] = node.at
        return replace(value, binding="property")
    return value


def _partial(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    if not arguments.positional:
        return UNKNOWN
    inner = arguments.after(1)
    if arguments.extra:
        return it.unknown("a partial with spread arguments", node.at)
    is_pytree = it.api.has(name, "binds-leaves")
    return Partial(arguments.positional[0], tuple(inner.positional), inner.keywords, it.fresh(), is_pytree)


def _partial_method(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`functools.partialmethod(method, ...)`: as an attribute of a class it is bound, then partially applied."""
    inner = arguments.after(1)
    if not arguments.positional or arguments.extra:
        return it.unknown("a partial method", node.at)
    method = (arguments.positional[0], *inner.positional)
    return Partial(Qualified(PARTIAL_METHOD), method, inner.keywords, it.fresh())


def _wraps(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return Partial(Qualified("jaxlint.wrapper"), (arguments.first,), {}, it.fresh())


def _wrapper(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """What `functools.wraps(wrapped)` makes of a function."""
    return _with_wrapped(arguments.get(1, None) or UNKNOWN, arguments.first)


def _manager(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`contextlib.contextmanager`: what it gives makes managers of the code around a generator's `yield`."""
    if not isinstance(arguments.first, FunctionValue):
        return it.unknown(f"call of `{name}`", node.at)
    return Partial(Qualified(eager_runs.MANAGER), (arguments.first,), {}, it.fresh())


def _managed(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A context manager of the project: what it gives its block is not known."""
    return it.call(it.unknown("a context manager", node.at), arguments.after(1), node)


def _update_wrapper(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return _with_wrapped(arguments.first, arguments.get(1, "wrapped") or UNKNOWN)


def _with_wrapped(wrapper: Value, wrapped: Value) -> Value:
    if isinstance(wrapper, FunctionValue):
        return replace(wrapper, wrapped=wrapped)
    return wrapper


def _identity(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    return arguments.first


def _identity_factory(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """A decorator that gives back what it decorates, with or without options."""
    value = arguments.first
    return value if isinstance(value, FunctionValue | ClassValue) else Qualified("jaxlint.identity")


def _cache(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """functools.cache and lru_cache, with or without options: a function behind a cache."""
    value = arguments.first
    if isinstance(value, FunctionValue):
        return Partial(Qualified(CACHED), (value, Static(node.at, "place")), {})
    if isinstance(value, Qualified | ClassValue | Partial):  # what a cached transform or class gives, it gives again
        return value
    return Qualified("functools.cache") if not isinstance(value, Unknown) or not arguments.positional else UNKNOWN


def _cached_call(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    function, made_at = arguments.positional[:2]
    inner = arguments.after(2)
    operands = tuple(
        Operand(value, it.frame, at if at >= 0 else node.at) for value, at in zip(inner.positional, inner.positional_at)
    )
    if any(has_no_hash(operand.value) for operand in operands):  # hashing them raises before the function runs
        result: Value = it.unknown("a cached function", node.at)
    else:
        result = it.call(function, inner, node)
    if it.wants(CachedFunction) and isinstance(function, FunctionValue) and isinstance(made_at, Static):
        place = Place(function.module.path, made_at.value)
        traced = any(is_traced(part) for part in (result.elements if isinstance(result, Tuple) else (result,)))
        it.emit(CachedFunction(it.frame, node.at, function.function.name, operands, traced, place))
    return result


def _reduce(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`reduce(function, values)`: the function is called for each of a few values, else for any of them."""
    if len(arguments.positional) < 2:
        return UNKNOWN
    function, values = arguments.positional[:2]
    exact = iteration.exact_elements(it, values)
    if exact is None or not 0 < len(exact) <= iteration.MAX_EXACT:
        exact = (iteration.iterable_over(it, values, node.at),)
        exact = exact if len(arguments.positional) > 2 else exact * 2
    result, *others = (*arguments.positional[2:3], *exact)
    for value in others:
        result = it.call(function, Arguments([result, value], positional_at=[-1, -1]), node)
    return result


_IDENTITIES = (
    "abc.abstractmethod", "typing.final", "typing.override", "typing.overload", "typing.no_type_check",
    "typing.dataclass_transform",
    "typing.runtime_checkable", "typing.deprecated", "dataclasses.dataclass", "atexit.register",
    "functools.total_ordering", "enum.unique",
)  # fmt: skip


SPECIAL: dict[str, Handler] = {
    "contextlib.contextmanager": _manager,
    eager_runs.MANAGER: _managed,
    "builtins.property": _property,
    "jaxlint.setter": _setter,
    "jaxlint.getter": _getter,
    "jaxlint.deleter": _deleter,
    "functools.cached_property": _cached_property,
    "builtins.staticmethod": _staticmethod,
    "builtins.classmethod": _classmethod,
    "functools.partial": _partial,
    PARTIAL_METHOD: _partial_method,
    "functools.wraps": _wraps,
    "functools.update_wrapper": _update_wrapper,
    "jaxlint.wrapper": _wrapper,
    "functools.reduce": _reduce,
    "functools.lru_cache": _cache,
    "functools.cache": _cache,
    CACHED: _cached_call,
    "jaxlint.identity": _identity,
    **dict.fromkeys((*_IDENTITIES, "decorator"), _identity_factory),
}
