"""Cotangents that a backward rule leaves out, as `None`: no gradient flows to these arguments."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.rules.recompilation._fix_options import function_at
from jaxlint.syntax import ir


def add_cotangents(request: FixRequest, code: Code) -> Fix | None:
    """`None` behind the cotangents of the rule that is the request's ordinal; its word says how many there must be."""
    function, wanted = function_at(code, request.ordinals[0]), int(request.words[0])
    if function is None:
        return None
    changes = []
    for value in _results(code, function):
        if not isinstance(value, ir.SequenceDisplay) or value.kind != "tuple" or not 0 < len(value.elements) < wanted:
            return None
        end = code.outer(value.elements[-1].at)[1]
        comma = code.token_from(end)
        if code.text[slice(*comma)] == "," and len(value.elements) == 1:
            end = comma[1]  # of `(value,)`
        missing = ", ".join(["None"] * (wanted - len(value.elements)))
        changes.append(Change(end, end, f" {missing}" if end == comma[1] else f", {missing}"))
    reason = "no gradient flows to the arguments behind it"
    return code.fix("Return `None` for the missing cotangents", changes, Applicability.UNSAFE, reason)


def _results(code: Code, function: ir.Function) -> list[Any]:
    returned = (node for node in code.inside(function) if isinstance(node, ir.Return))
    return [node.value for node in returned if code.owner(node.at) is function]
