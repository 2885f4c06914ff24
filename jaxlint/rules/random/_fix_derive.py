"""Keys where none were: derived from a key and a number, or made from a seed."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.precedence import Level, operand
from jaxlint.syntax import ir


def derive(request: FixRequest, code: Code) -> Fix | None:
    """`key + i` as `fold_in(key, i)`, and a seed in the place of a key as `jax.random.key(seed)`.

    Of the request, the word is "seed", with the seed as ordinal, or the side of the operator on which the key stands.
    """
    if request.words == ("seed",):
        return _from_seed(code, request.ordinals[0])
    node = code.node(request.at)
    if not isinstance(node, ir.BinaryOperation) or node.op != "+":
        return None
    key, number = (node.left, node.right) if request.words == ("left",) else (node.right, node.left)
    fold = name_of(code, node.at, "jax.random.fold_in")
    if fold is None:
        return None
    parts = [operand(code, part.at, Level.NAMED, in_brackets=True) for part in (key, number)]
    changes = [*fold.changes, Change(*code.span(node.at), f"{fold.text}({', '.join(parts)})")]
    why = "the number must be an integer, and the draws differ from those of a legacy key"
    return code.fix(f"Replace with `{fold.text}(...)`", changes, Applicability.UNSAFE, why)


def _from_seed(code: Code, at: int) -> Fix | None:
    made = name_of(code, at, "jax.random.key")
    if made is None:
        return None
    start, end = code.span(at)
    changes = [*made.changes, Change(start, start, f"{made.text}("), Change(end, end, ")")]
    why = "other code that uses the same seed draws the same numbers"
    return code.fix(f"Make a key with `{made.text}`", changes, Applicability.UNSAFE, why)
