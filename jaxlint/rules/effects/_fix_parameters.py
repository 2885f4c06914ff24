"""Names that a compiled function reads from outside, handed to it as arguments."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import qualified_name
from jaxlint.fixes.names import reads
from jaxlint.rules.recompilation._fix_options import uses
from jaxlint.syntax import ir
from jaxlint.syntax.ir import ParameterKind


def as_parameter(request: FixRequest, code: Code) -> Fix | None:
    """One more parameter of the function around a read, which every call in the file is given by name."""
    name, function = code.node(request.at), code.owner(request.at)
    if not isinstance(name, ir.Name) or not isinstance(function, ir.Function) or not _takes_one_more(code, function):
        return None
    if uses(code, function, name.id) != {"array"}:
        return None
    calls = _calls(code, function, name.id)
    if not calls:
        return None
    end = code.outer(function.parameters[-1].at)[1] if function.parameters else None
    if end is None:
        return None
    changes = [Change(end, end, f", {name.id}")]
    changes += [code.with_argument(call, f"{name.id}={name.id}") for call in calls]
    title = f"Pass `{name.id}` as an argument"
    return code.fix(title, changes, Applicability.UNSAFE, "callers in other files must pass it, too")


def _takes_one_more(code: Code, function: ir.Function) -> bool:
    """Whether a function is compiled by `@jax.jit` alone, and has only parameters that may stand before another."""
    if len(function.decorators) != 1 or qualified_name(code, function.decorators[0]) != "jax.jit":
        return False
    last = function.parameters[-1] if function.parameters else None
    return all(p.kind == ParameterKind.POSITIONAL and p.default is None for p in function.parameters) and (
        last is not None and last.annotation is None
    )


def _calls(code: Code, function: ir.Function, name: str) -> list[ir.Call]:
    """The calls of a function, where each use of its name is one from where the other name means the same."""
    around = code.owner(function.at)
    found: list[ir.Call] = []
    for use in reads(code, function.name, around):
        call = code.parent(use.at)
        if not isinstance(call, ir.Call) or call.func.at != use.at or any(_spreads(call)):
            return []
        if any(o is not around and isinstance(o, ir.Function) and name in o.scope.bound for o in code.owners(use.at)):
            return []
        found.append(call)
    return found


def _spreads(call: ir.Call) -> Iterator[bool]:
    yield from (isinstance(argument, ir.Starred) for argument in call.args)
    yield from (key is None for key, _ in call.keywords)
