"""functions.tsv and modules.tsv: every public function, and the other names it goes by."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import catalogue
from classify import classify, dtype_term, shape_term
from measure import attempt, find_call, format_signature, probe_statics, signature_of
from overrides import ALIASES, DTYPE, MODULE_ALIASES, NOT_RUN, NOT_STATIC, RETURNS, SHAPE, SIZE_WHEN, STATIC

TRANSFORMS = Path(__file__).resolve().parents[2] / "jaxlint" / "jaxapi" / "data" / "transforms.tsv"

HEADER = (
    "name",
    "params",
    "returns",
    "static",
    "concrete",
    "size",
    "size_when",
    "shape",
    "dtype",
    "since",
    "until",
    "ran",
)


def distinct() -> tuple[dict[str, Callable[..., Any]], dict[str, str]]:
    """Functions under their first name, and the aliases of each."""
    functions: dict[str, Callable[..., Any]] = {}
    aliases = dict(ALIASES)
    preferred, others = transform_names()
    aliases.update(others)
    names = {id(f): qualname for qualname, f in catalogue.all_functions() if qualname in preferred}
    for qualname, function in catalogue.all_functions():
        if qualname in aliases or not catalogue.is_described(qualname):
            continue
        first = names.setdefault(id(function), qualname)
        if first == qualname:
            functions[qualname] = function
        else:
            aliases[qualname] = first
    return functions, aliases


def transform_names() -> tuple[frozenset[str], dict[str, str]]:
    """The names of transforms.tsv, which are canonical, and the aliases that it gives them."""
    lines = [line.split("\t") for line in TRANSFORMS.read_text(encoding="utf-8").splitlines()[1:]]
    aliases = {alias: name for name, others, *_ in lines for alias in others.split(",") if alias}
    return frozenset(line[0] for line in lines), aliases


def rows(functions: dict[str, Callable[..., Any]]) -> Iterator[tuple[str, ...]]:
    """One row per function."""
    for qualname, function in functions.items():
        print(qualname, file=sys.stderr, flush=True)
        ok, measured = attempt(lambda q=qualname, f=function: row(q, f), seconds=60)
        yield measured if ok else unmeasured(qualname, function)


def row(qualname: str, function: Callable[..., Any]) -> tuple[str, ...]:
    """Measure one function."""
    params = format_signature(signature_of(function))
    returns = RETURNS.get(qualname, "")
    if catalogue.is_scalar_type(function):
        return (qualname, "x", "array", "", "", "", "", "like(x)", scalar_kind(qualname), "", "", "yes")
    found = None if catalogue.is_unsafe(qualname) or qualname in NOT_RUN else find_call(qualname, function)
    if found is None:
        return unmeasured(qualname, function)
    arguments, result = found
    statics = probe_statics(function, arguments)
    size, size_when = SIZE_WHEN.get(qualname, (statics.size, statics.size_when))
    return (
        qualname,
        params,
        returns or described(result),
        ",".join(sorted((statics.traced | STATIC.get(qualname, frozenset())) - NOT_STATIC.get(qualname, frozenset()))),
        ",".join(sorted(statics.concrete - NOT_STATIC.get(qualname, frozenset()))),
        size,
        size_when,
        SHAPE[qualname] if qualname in SHAPE else shape_term(function, arguments, result),
        DTYPE[qualname] if qualname in DTYPE else dtype_term(function, arguments, result),
        "",
        "",
        "yes",
    )


def unmeasured(qualname: str, function: Callable[..., Any]) -> tuple[str, ...]:
    """What is known of a function that was not called."""
    params = format_signature(signature_of(function))
    static = ",".join(sorted(STATIC.get(qualname, ())))
    return (qualname, params, RETURNS.get(qualname, "unknown"), static, "", "", "", "", "", "", "", "no")


def described(result: Any) -> str:
    """The `returns` term; a factory of functions says so even where a call gave something else."""
    return "function" if inspect.isclass(result) else classify(result)


def scalar_kind(qualname: str) -> str:
    """The dtype term of `jnp.float32(...)`."""
    name = qualname.rpartition(".")[2]
    for kind, prefixes in (
        ("bool", ("bool",)),
        ("complex", ("complex", "csingle", "cdouble")),
        ("int", ("int", "uint")),
    ):
        if name.startswith(prefixes):
            return kind
    return "float"


def alias_rows(aliases: dict[str, str]) -> list[tuple[str, str, str]]:
    """The rows of modules.tsv, in order."""
    modules = [(alias, target, "module") for alias, target in MODULE_ALIASES.items()]
    return sorted(modules) + sorted((alias, target, "name") for alias, target in aliases.items())
