"""What one function does with arguments: found by calling it, eagerly and under a trace."""

from __future__ import annotations

import inspect
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from samples import BY_NAME, CALLS, OPTIONAL, UNPROBED, Fill, fills

SECONDS_PER_CALL = 10


@dataclass
class Arguments:
    """The arguments of one call, by parameter where that is possible, in order where the function takes `*args`."""

    named: dict[str, Any]
    variadic: tuple[Any, ...] = ()
    positional_only: frozenset[str] = field(default_factory=frozenset)

    def apply(self, function: Callable[..., Any], **changes: Any) -> Any:
        """Call the function with some arguments changed."""
        values = {**self.named, **changes}
        if self.variadic:
            leading = [values.pop(name) for name in list(self.named) if name in self.positional_only]
            return function(*leading, *self.variadic, **values)
        leading = [values.pop(name) for name in list(values) if name in self.positional_only]
        return function(*leading, **values)


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what runs too long."""

    def stop(*_: object) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, stop)
    outer, start = signal.alarm(seconds), time.monotonic()
    try:
        yield
    finally:
        signal.alarm(max(outer - round(time.monotonic() - start), 1) if outer else 0)
        signal.signal(signal.SIGALRM, previous)


def attempt(action: Callable[[], Any], seconds: int = SECONDS_PER_CALL) -> tuple[bool, Any]:
    """Whether the action succeeds, and its result or its exception."""
    try:
        with time_limit(seconds):
            return True, action()
    except Exception as error:
        return False, error


def stage(action: Callable[[], Any]) -> tuple[bool, Any]:
    """Run the action while JAX traces: nothing is compiled, and what is no array comes back as it is."""
    seen: list[Any] = []

    def traced() -> None:
        seen.append(action())

    ok, error = attempt(lambda: jax.eval_shape(traced))
    return (True, seen[0]) if ok else (False, error)


def run(action: Callable[[], Any]) -> tuple[bool, Any]:
    """Run the action staged where it allows that, else eagerly, which costs a compilation."""
    ok, result = stage(action)
    return (ok, result) if ok else attempt(action)


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """The signature, where Python can tell."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def format_signature(signature: inspect.Signature | None) -> str:
    """The signature in the table's grammar: `x,axis,*args,dtype,**kw`."""
    if signature is None:
        return "*args,**kwargs"
    parts: list[str] = []
    marked = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            parts.append(f"*{parameter.name}")
            marked = True
        elif parameter.kind is parameter.VAR_KEYWORD:
            parts.append(f"**{parameter.name}")
        else:
            if parameter.kind is parameter.KEYWORD_ONLY and not marked:
                parts.append("*")
                marked = True
            parts.append(parameter.name)
    return ",".join(parts)


def bind(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> Arguments | None:
    """Explicit arguments, by parameter name."""
    signature = signature_of(function)
    if signature is None:
        return None
    ok, bound = attempt(lambda: signature.bind(*args, **keywords))
    if not ok:
        return None
    named: dict[str, Any] = {}
    variadic: tuple[Any, ...] = ()
    positional_only = set()
    has_variadic = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
    for name, value in bound.arguments.items():
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_POSITIONAL:
            variadic = value
        elif kind is inspect.Parameter.VAR_KEYWORD:
            named.update(value)
        else:
            named[name] = value
            if kind is inspect.Parameter.POSITIONAL_ONLY or (
                has_variadic and kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            ):
                positional_only.add(name)
    return Arguments(named, variadic, frozenset(positional_only))


def fill_arguments(signature: inspect.Signature, fill: Fill) -> Arguments:
    """Values for the required parameters: by name, else the fill."""
    named: dict[str, Any] = {}
    variadic: tuple[Any, ...] = ()
    positional_only = set()
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            variadic = (fill.array, fill.array) if not named else ()
        elif parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD:
            value = BY_NAME.get(parameter.name)
            named[parameter.name] = fill.array if value is None else value
            if parameter.kind is parameter.POSITIONAL_ONLY:
                positional_only.add(parameter.name)
    return Arguments(named, variadic, frozenset(positional_only))


def find_call(qualname: str, function: Callable[..., Any]) -> tuple[Arguments, Any] | None:
    """Arguments with which the function runs eagerly, and what it returns; None where none were found."""
    explicit = CALLS.get(qualname)
    if explicit is not None:
        arguments = bind(function, *explicit())
        if arguments is not None:
            ok, result = run(lambda: arguments.apply(function))
            if ok:
                return arguments, result
    signature = signature_of(function)
    if signature is None:
        return None
    candidates = [fill_arguments(signature, fill) for fill in fills()]
    for runner in (stage, attempt):
        for arguments in candidates if runner is stage else candidates[:3]:
            if not arguments.named and not arguments.variadic:
                return None
            ok, result = runner(lambda arguments=arguments: arguments.apply(function))
            if ok:
                return arguments, result
    return None


def trace(action: Callable[..., Any], *operands: Any) -> tuple[bool, Any]:
    """Run the action as `jit` would, on the shapes of the operands; only the arrays of its result count."""

    def arrays(*inner: Any) -> Any:
        return [leaf for leaf in jax.tree.leaves(action(*inner)) if isinstance(leaf, jax.Array)]

    return attempt(lambda: jax.eval_shape(arrays, *operands))


@dataclass(frozen=True)
class Statics:
    """Which parameters reject tracers, which even concrete arrays, and which one mends a data-dependent shape."""

    traced: frozenset[str]
    concrete: frozenset[str]
    size: str = ""
    size_when: str = ""


def is_array(value: object) -> bool:
    """Whether this is a JAX array."""
    return isinstance(value, jax.Array)


def probe_statics(function: Callable[..., Any], arguments: Arguments) -> Statics:
    """Replace each argument by a concrete array and by a tracer of the same value, one at a time."""
    traced: set[str] = set()
    concrete: set[str] = set()
    signature = signature_of(function)
    parameters = signature.parameters if signature is not None else {}
    for name, parameter in parameters.items():
        if name in UNPROBED or parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}:
            continue
        known, value = value_of(name, parameter, arguments)
        if not known:
            continue
        verdict = probe_parameter(function, arguments, name, value)
        if verdict in {"traced", "concrete"}:
            traced.add(name)
        if verdict == "concrete":
            concrete.add(name)
    return mend(function, arguments, traced, concrete, parameters)


def value_of(name: str, parameter: inspect.Parameter, arguments: Arguments) -> tuple[bool, Any]:
    """A value for this parameter: that of the call, of its default, or of its name."""
    if name in arguments.named:
        return True, arguments.named[name]
    if parameter.default is parameter.empty:
        return False, None
    if parameter.default is None:
        return name in OPTIONAL, OPTIONAL.get(name)
    return True, parameter.default


def probe_parameter(function: Callable[..., Any], arguments: Arguments, name: str, value: Any) -> str:
    """`traced`: a tracer raises; `concrete`: a concrete array raises too; else empty."""
    if is_array(value):
        ok, _ = trace(lambda x: arguments.apply(function, **{name: x}), value)
        return "" if ok else "traced"
    if any(is_array(leaf) for leaf in jax.tree.leaves(value)):
        return ""
    if is_opaque(value):
        return "traced" if rejects_number(function, arguments, name) else ""
    if not run(lambda: arguments.apply(function, **{name: value}))[0]:
        return ""
    as_array = with_first_leaf(value, jnp.asarray)
    if as_array is None:
        return ""
    leaf = first_leaf(value)
    ok, _ = trace(lambda x: arguments.apply(function, **{name: with_first_leaf(value, lambda _: x)}), jnp.asarray(leaf))
    if ok:
        return ""
    accepted, _ = run(lambda: arguments.apply(function, **{name: as_array}))
    return "traced" if accepted else "concrete"


def rejects_number(function: Callable[..., Any], arguments: Arguments, name: str) -> bool:
    """Whether a tracer where a string, dtype or function belongs raises, as it should."""
    return not trace(lambda x: arguments.apply(function, **{name: x}), jnp.asarray(1))[0]


def is_opaque(value: object) -> bool:
    """Whether the value has no counterpart as an array: strings, dtypes, functions, devices."""
    return not isinstance(first_leaf(value), (bool, int, float, complex))


def first_leaf(value: Any) -> Any:
    """The first number of a nested tuple."""
    while isinstance(value, (tuple, list)) and value:
        value = value[0]
    return value


def with_first_leaf(value: Any, change: Callable[[Any], Any]) -> Any:
    """The value with its first number replaced."""
    if isinstance(value, (tuple, list)):
        return (with_first_leaf(value[0], change), *value[1:]) if value else None
    return change(value)


SIZES = ("size", "total_repeat_length", "length", "num_segments")


def mend(
    function: Callable[..., Any],
    arguments: Arguments,
    traced: set[str],
    concrete: set[str],
    parameters: Any,
) -> Statics:
    """Find the parameter that makes a data-dependent shape legal, and take what it mends from the static ones."""
    for size in SIZES:
        if size not in parameters or size in arguments.named:
            continue
        for name in sorted(traced - concrete - {size}):
            value = arguments.named.get(name, OPTIONAL.get(name))
            if value is None or (is_opaque(value) and not is_array(value)):
                continue
            ok, _ = trace(
                lambda x, name=name, size=size: arguments.apply(function, **{name: x, size: 6}), jnp.asarray(value)
            )
            if ok:
                closed = jnp.asarray(value)
                works, _ = trace(lambda _, name=name, v=closed: arguments.apply(function, **{name: v}), jnp.ones(()))
                when = "traced" if works else "array"  # in a trace an operation on a constant is traced, too
                return Statics(frozenset(traced - {name}), frozenset(concrete), size, f"{when}={name}")
    return Statics(frozenset(traced), frozenset(concrete))
