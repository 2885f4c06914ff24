"""Keys for the rows of a mapped function and the steps of a loop of `lax`, where one key served them all."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import Named, name_of
from jaxlint.fixes.names import reads
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.rules.random._fix_broadcast import map_over_argument
from jaxlint.rules.random._fix_reads import use_at
from jaxlint.rules.random._fix_threading import NEW_NUMBERS
from jaxlint.syntax import ir


def key_for_each(request: FixRequest, code: Code) -> Fix | None:
    """Split or fold the key that a function closes over, where the function goes straight into `vmap` or a loop.

    Of the request, the operation is the use, the ordinal the key in it, and the word the transform. Without an ordinal,
    the operation is a call of the mapped function, which is given the key.
    """
    if not request.ordinals:
        return map_over_argument(code, request.at) if request.words[0] == "vmap" else None
    key, function = code.node(request.ordinals[0]), code.owner(request.at)
    if not isinstance(key, ir.Name) or not isinstance(function, ir.Function) or key.id in function.scope.bound:
        return None
    passed = _passed_to(code, function)
    match request.words[0]:
        case "fori_loop":
            return _fold_index(code, key.id, function, passed, request.at)
        case "vmap":
            return _map_over_keys(code, key.id, function, passed)
        case "scan":
            return _scan_over_keys(code, key.id, function, passed)
        case _:
            return None


def _passed_to(code: Code, function: ir.Function) -> ir.Call | None:
    """The call that is given the function, if nothing else is."""
    if function.is_lambda:
        parent = code.parent(function.at)
        return parent if isinstance(parent, ir.Call) else None
    if function.decorators:
        return None
    named = list(reads(code, function.name, code.owner(function.at)))
    parent = code.parent(named[0].at) if len(named) == 1 else None
    return parent if isinstance(parent, ir.Call) and parent.func.at != named[0].at else None


def _is_given(code: Code, call: ir.Call, place: int, function: ir.Function, name: str) -> bool:
    """Whether a call of the transform has the function in this place."""
    if code.segment(call.func.at).rpartition(".")[2] != name or len(call.args) <= place:
        return False
    given = call.args[place]
    return given.at == function.at or (isinstance(given, ir.Name) and given.id == function.name)


def _fold_index(code: Code, key: str, function: ir.Function, passed: ir.Call | None, at: int) -> Fix | None:
    """`key` in the body of a `fori_loop` as `fold_in(key, i)`."""
    use, fold = use_at(code, at, key), name_of(code, at, "jax.random.fold_in")
    if passed is None or fold is None or use is None or len(function.parameters) != 2:
        return None
    if not _is_given(code, passed, 2, function, "fori_loop"):
        return None
    text = f"{fold.text}({key}, {function.parameters[0].name})"
    changes = [*fold.changes, *(Change(*code.span(read.at), text) for read in use.reads)]
    return code.fix(f"Replace with `{text}`", changes, Applicability.UNSAFE, NEW_NUMBERS)


def _map_over_keys(code: Code, key: str, function: ir.Function, passed: ir.Call | None) -> Fix | None:
    """`vmap(f)(xs)` as `vmap(f)(split(key, xs.shape[0]), xs)`, with the key as first parameter of `f`."""
    if passed is None or not _is_given(code, passed, 0, function, "vmap") or len(passed.args) > 1 or passed.keywords:
        return None
    mapped, split = code.parent(passed.at), name_of(code, passed.at, "jax.random.split")
    if not isinstance(mapped, ir.Call) or mapped.func.at != passed.at or mapped.keywords or split is None:
        return None
    if not mapped.args or not is_simple_target(mapped.args[0]) or not function.parameters:
        return None
    first, rows = function.parameters[0], mapped.args[0]
    if first.kind not in (ir.ParameterKind.POSITIONAL, ir.ParameterKind.POSITIONAL_ONLY):
        return None
    keys = f"{split.text}({key}, {code.segment(rows.at)}.shape[0]), "
    return _split_fix(code, key, split, [_insert(code, first, f"{key}, "), _insert(code, rows, keys)])


def _scan_over_keys(code: Code, key: str, function: ir.Function, passed: ir.Call | None) -> Fix | None:
    """`scan(f, init, None, length=n)` as `scan(f, init, split(key, n), length=n)`; the key is what `f` is given."""
    split = None if passed is None else name_of(code, passed.at, "jax.random.split")
    if passed is None or split is None or not _is_given(code, passed, 0, function, "scan"):
        return None
    xs, length = _argument(passed, 2, "xs"), _argument(passed, 3, "length")
    is_empty = isinstance(xs, ir.Constant) and xs.value is None
    if not is_empty or length is None or len(function.parameters) != 2:
        return None
    element = function.parameters[1]
    if any(isinstance(node, ir.Name) and node.id == element.name for node in code.inside(function)):
        return None
    keys = f"{split.text}({key}, {code.segment(length.at)})"
    return _split_fix(code, key, split, [Change(*code.span(element.at), key), Change(*code.span(xs.at), keys)])


def _argument(call: ir.Call, place: int, name: str) -> Any:  # noqa: ANN401 - an expression
    given = next((value for keyword, value in call.keywords if keyword == name), None)
    return call.args[place] if given is None and len(call.args) > place else given


def _split_fix(code: Code, key: str, split: Named, changes: list[Change]) -> Fix:
    title = f"Split `{key}` and map over the keys"
    return code.fix(title, [*split.changes, *changes], Applicability.UNSAFE, NEW_NUMBERS)


def _insert(code: Code, node: Any, text: str) -> Change:  # noqa: ANN401 - a node
    start = code.outer(node.at)[0] if not isinstance(node, ir.Parameter) else code.span(node.at)[0]
    return Change(start, start, text)
