"""Cotangents that a backward rule leaves out, as `None`: no gradient flows to these arguments."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import reads
from jaxlint.rules.recompilation._fix_options import function_at
from jaxlint.syntax import ir

_REASON: Final = "no gradient flows to the arguments behind it"


def add_cotangents(request: FixRequest, code: Code) -> Fix | None:
    """`None` behind the cotangents that a backward rule returns.

    Of the request, the ordinals are the rule and the function whose derivative it computes (-1: it stands elsewhere),
    the words how many cotangents there must be, and the places of the arguments that are not differentiated.
    """
    function, wanted = function_at(code, request.ordinals[0]), int(request.words[0])
    if function is None:
        return None
    changes, least = [], wanted
    for value in _results(code, function):
        if not isinstance(value, ir.SequenceDisplay) or value.kind != "tuple" or not 0 < len(value.elements) < wanted:
            return None
        changes.append(_padded(code, value, wanted))
        least = min(least, len(value.elements))
    title = "Return `None` for the missing cotangents"
    if request.is_certain and _are_unread(code, request, least):
        return code.fix(title, changes)
    return code.fix(title, changes, Applicability.UNSAFE, _REASON)


def _padded(code: Code, value: ir.SequenceDisplay, wanted: int) -> Change:
    end = code.outer(value.elements[-1].at)[1]
    comma = code.token_from(end)
    if code.text[slice(*comma)] == "," and len(value.elements) == 1:
        end = comma[1]  # of `(value,)`
    missing = ", ".join(["None"] * (wanted - len(value.elements)))
    return Change(end, end, f" {missing}" if end == comma[1] else f", {missing}")


def _are_unread(code: Code, request: FixRequest, given: int) -> bool:
    """Whether the function reads no argument that gets no cotangent: then its derivative there is zero."""
    at, fixed = request.ordinals[1], set(map(int, request.words[1:]))
    primal = function_at(code, at) if at >= 0 else None
    if primal is None:
        return False
    names = [parameter.name for number, parameter in enumerate(primal.parameters) if number not in fixed]
    return not any(True for name in names[given:] for _ in reads(code, name, primal))


def _results(code: Code, function: ir.Function) -> list[Any]:
    returned = (node for node in code.inside(function) if isinstance(node, ir.Return))
    return [node.value for node in returned if code.owner(node.at) is function]
