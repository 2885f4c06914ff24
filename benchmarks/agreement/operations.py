"""The operations of the tables as calls in source: `scripts/generate_tables` finds their arguments."""

from __future__ import annotations

import csv
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

_ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(_ROOT / "scripts" / "generate_tables"))

import catalogue  # noqa: E402 - the folder of the generator has no package
import measure  # noqa: E402
import members  # noqa: E402
from overrides import NOT_RUN  # noqa: E402

_FUNCTIONS = _ROOT / "jaxlint" / "jaxapi" / "data" / "functions.tsv"
_PLACE = "\0"

#: Operators, by the method that Python calls for them.
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "matmul": "@",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "and": "&", "or": "|", "xor": "^",
    "lshift": "<<", "rshift": ">>",
}  # fmt: skip
_BUILTINS = {
    "__abs__": "abs({x})", "__neg__": "-{x}", "__pos__": "+{x}", "__invert__": "~{x}", "__divmod__": "divmod({x}, 2)",
    "__rdivmod__": "divmod(2, {x})", "__round__": "round({x})", "__getitem__": "{x}[0]", "__len__": "len({x})",
    "__iter__": "list({x})", "__reversed__": "list(reversed({x}))",
}  # fmt: skip


class Operand(NamedTuple):
    """A value for the operand `x` of a call, and the call with `{x}` in its place."""

    role: str
    value: np.ndarray
    call: str


class Leaf(NamedTuple):
    """The first array of a result: how it is reached from `y`, its dtype's kind and its rank."""

    path: str
    kind: str
    rank: int


@dataclass
class Operation:
    """One operation: the constants that its calls need, the operand of its result, and those of its parameters."""

    name: str
    constants: list[str] = field(default_factory=list)
    operands: list[Operand] = field(default_factory=list)
    leaf: Leaf | None = None


class _NoTextError(Exception):
    """A value that no short text makes."""


def operations(chosen: Callable[[str], bool]) -> Iterator[Operation]:
    """All of them whose names are chosen, those that cannot be written left out."""
    for name, arguments, result in _calls(chosen):
        operation = Operation(name)
        try:
            operation.operands = list(_operands(operation, arguments))
        except _NoTextError:
            continue
        operation.leaf = _leaf(result, "y")
        yield operation
    yield from (each for each in _members() if chosen(each.name))


def _calls(chosen: Callable[[str], bool]) -> Iterator[tuple[str, list[tuple[str, Any]], Any]]:
    functions = dict(catalogue.all_functions())
    with _FUNCTIONS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["name"].startswith("jax.")]
    for row in rows:
        name = row["name"]
        function = functions.get(name)
        if row["ran"] != "yes" or function is None or not chosen(name):
            continue
        if catalogue.is_unsafe(name) or name in NOT_RUN:
            continue
        found = measure.find_call(name, function)
        if found is not None:
            yield name, _in_order(function, found[0]), found[1]


def _in_order(function: Callable[..., Any], arguments: measure.Arguments) -> list[tuple[str, Any]]:
    """The arguments as a call is written: positions as long as none is left out, then keywords."""
    named = dict(arguments.named)
    if arguments.variadic:
        leading = [("", named.pop(name)) for name in list(named) if name in arguments.positional_only]
        return [*leading, *(("", value) for value in arguments.variadic), *named.items()]
    written: list[tuple[str, Any]] = []
    signature = measure.signature_of(function)
    for parameter in signature.parameters.values() if signature is not None else ():
        if parameter.name not in named or parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            break
        written.append(("", named.pop(parameter.name)))
    return [*written, *named.items()]


def _operands(operation: Operation, arguments: list[tuple[str, Any]]) -> Iterator[Operand]:
    """The first array is the operand of the result; the first number of each other argument stands for a size."""
    arrays = 0
    for index, (_, value) in enumerate(arguments):
        leaf = _first(value)
        if leaf is None:
            continue
        is_array = isinstance(leaf, jax.Array | np.ndarray)
        if is_array and arrays:
            continue
        arrays += is_array
        numbers, text = _as_operand(leaf)
        parts = [
            _written(operation, key, _replaced(each) if at == index else each)
            for at, (key, each) in enumerate(arguments)
        ]
        call = f"{operation.name}({', '.join(parts)})".replace(repr(_PLACE), text)
        key = arguments[index][0] or str(index)
        yield Operand("result" if is_array else f"argument {key}", numbers, call)


def _first(value: Any) -> Any:
    """The first number or array of an argument that is one, or a sequence of some."""
    if isinstance(value, tuple | list):
        return next((leaf for leaf in map(_first, value) if leaf is not None), None)
    return value if isinstance(value, int | float | complex | jax.Array | np.ndarray) else None


def _replaced(value: Any) -> Any:
    """The argument with a mark in place of its first number."""
    if not isinstance(value, tuple | list):
        return _PLACE
    done = list(value)
    at = next(n for n, each in enumerate(done) if _first(each) is not None)
    done[at] = _replaced(done[at])
    return type(value)(done)


def _as_operand(leaf: Any) -> tuple[np.ndarray, str]:
    """The numbers of `x`, and what makes the leaf of them."""
    if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
        if leaf.ndim:
            return np.zeros(
                leaf.shape, np.float32
            ), f"jax.random.split(jax.random.key({{x}}.sum().astype(int)), {leaf.shape})"
        return np.zeros((), np.float32), "jax.random.key({x}.astype(int))"
    array = np.asarray(leaf)
    if array.size > 100:
        raise _NoTextError
    numbers = np.real(array).astype(np.float32)
    match array.dtype.kind:
        case "f":
            return numbers, "{x}"
        case "b":
            return numbers, "({x} > 0.5)"
        case "i":
            return numbers, "{x}.astype(int)"
        case "u":
            return numbers, f"{{x}}.astype(jnp.{array.dtype})"
        case "c":
            return numbers, "({x} + 0j)"
    raise _NoTextError


def _written(operation: Operation, key: str, value: Any) -> str:
    text = _text(operation, value)
    return f"{key}={text}" if key else text


def _text(operation: Operation, value: Any) -> str:
    """An expression that makes the value; arrays become constants of the program."""
    if isinstance(value, jax.Array | np.ndarray):
        return _constant(operation, value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        raise _NoTextError
    if isinstance(value, tuple):
        parts = [_text(operation, each) for each in value]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(_text(operation, each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_text(operation, each)}' for key, each in value.items())}}}"
    if value is None or isinstance(value, bool | int | float | complex | str | slice):
        return repr(value)
    if isinstance(value, np.dtype):
        return f"np.dtype({value.name!r})"
    if getattr(jnp, getattr(value, "__name__", ""), None) is value:
        return f"jnp.{value.__name__}"
    raise _NoTextError


def _constant(operation: Operation, value: jax.Array | np.ndarray) -> str:
    if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        made = f"jax.random.split(jax.random.key(0), {value.shape})" if value.ndim else "jax.random.key(0)"
    elif value.size > 100:
        raise _NoTextError
    else:
        made = f"{'jnp' if isinstance(value, jax.Array) else 'np'}.asarray({value.tolist()}, dtype='{value.dtype}')"
    line = f"A{len(operation.constants)} = {made}"
    known = next((each.split(" = ")[0] for each in operation.constants if each.split(" = ")[1] == made), None)
    if known is None:
        operation.constants.append(line)
    return known or line.split(" = ", maxsplit=1)[0]


def _leaf(value: Any, path: str) -> Leaf | None:
    if isinstance(value, jax.Array):
        if jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
            return Leaf(f"jax.random.bits({path})", "u", value.ndim) if not value.ndim else None
        return Leaf(path, jnp.dtype(value.dtype).kind, value.ndim) if value.size else None
    if isinstance(value, tuple | list) and value:
        return _leaf(value[0], f"{path}[0]")
    return None


def _members() -> Iterator[Operation]:
    """Methods and operators of arrays."""
    for name, kind, *_ in members.rows():
        if kind == "absent" or name in {"delete", "__hash__", "devices", "device", "sharding"}:
            continue
        operation = Operation(f"Array.{name}")
        value = members.X[:1, 0] if name.startswith("at.") else members.subject(name)
        if "shift" in name:
            value = value.astype(int)
        numbers, text = _as_operand(value)
        call = _member_call(operation, name, kind)
        if call is None:
            continue
        operation.operands = [Operand("result", numbers, call.replace("{x}", text))]
        if name.startswith("at."):
            operation.leaf = Leaf("y", "f", 1)
        else:
            ok, result = measure.attempt(lambda n=name, k=kind, v=value: members.use(n, k == "method")(v))
            operation.leaf = _leaf(result, "y") if ok else None
        yield operation


def _member_call(operation: Operation, name: str, kind: str) -> str | None:
    if name.startswith("at."):
        method = name.removeprefix("at.")
        return f"{{x}}.at[0].{method}({'' if method == 'get' else 'jnp.sin' if method == 'apply' else '2.0'})"
    if kind == "attribute":
        return f"{{x}}.{name}"
    if name in _BUILTINS:
        return _BUILTINS[name]
    bare = name.strip("_")
    args, keywords = members.CALLS.get(name, ((2 if name in members.ON_INTEGERS or "shift" in name else 2.0,), {}))
    if name.startswith("__"):
        operator = _OPERATORS.get(bare) or _OPERATORS.get(bare.removeprefix("r"))
        if operator is None:
            return None
        other = _text(operation, args[0])
        return f"{other} {operator} {{x}}" if bare not in _OPERATORS else f"{{x}} {operator} {other}"
    if name not in members.CALLS:
        args = ()
    try:
        parts = [_text(operation, each) for each in args]
        parts += [f"{key}={_text(operation, each)}" for key, each in keywords.items()]
    except _NoTextError:
        return None
    return f"{{x}}.{name}({', '.join(parts)})"
