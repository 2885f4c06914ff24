"""Prints at trace time as `jax.debug.print`, which runs with the compiled code."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import keeps_comments
from jaxlint.fixes.handlers import is_tried
from jaxlint.fixes.imports import Named, name_of
from jaxlint.rules.effects._fix_callback import as_callback
from jaxlint.rules.effects._fix_template import Part, Template, parts_of, quote_of, render
from jaxlint.syntax import ir

_PRINT = "jax.debug.print"
#: Among the words of a request: the call raises, since a tracer cannot be formatted.
RAISES = "raises"
_REASON = "it prints whenever the program computes the value, not once during tracing"
#: Options of `print` that a template can stand for, where they have their default.
_DEFAULTS = {"sep": (None,), "end": (None, "\n")}


def print_call(request: FixRequest, code: Code) -> Fix | None:
    """`print(...)` as `jax.debug.print("...", ...)`, or as a callback where it goes elsewhere."""
    call = code.node(request.at)
    parts = _printed(code, call)
    template = None if parts is None else render(parts, _quote(code, call))
    if template is None:
        return as_callback(request, code)
    named = name_of(code, call.at, _PRINT)
    changes = None if named is None else _call(code, call, template, named, _last(code, call))
    if named is None or changes is None:
        return None
    title = f"Replace with `{named.text}`"
    if request.is_certain and RAISES in request.words and not is_tried(code, call.at):
        return code.fix(title, changes)  # nothing was ever printed
    return code.fix(title, changes, Applicability.UNSAFE, _REASON)


def template_call(request: FixRequest, code: Code) -> Fix | None:
    """`jax.debug.print(f"{x}")` as `jax.debug.print("{}", x)`; options such as `ordered=` stay."""
    call = code.node(request.at)
    if len(call.args) != 1 or any(key not in ("ordered", "partitioned") for key, _ in call.keywords):
        return None
    at = call.args[0].at
    parts = parts_of(code, at)
    template = None if parts is None else render(parts, quote_of(code, at))
    changes = None if template is None else _call(code, call, template, None, code.outer(at)[1])
    return None if changes is None else code.fix("Pass the values as arguments", changes)


def _printed(code: Code, call: ir.Call) -> list[Part] | None:
    """What `print` shows, in order; None where it does more than that."""
    separator = " "
    for key, value in call.keywords:
        if key == "sep" and isinstance(value, ir.Constant) and isinstance(value.value, str):
            separator = value.value
        elif key != "flush" and not (isinstance(value, ir.Constant) and value.value in _DEFAULTS.get(key or "", ())):
            return None
    shown: list[Part] = []
    for index, argument in enumerate(call.args):
        parts = parts_of(code, argument.at)
        if parts is None:
            return None
        shown += [separator, *parts] if index else parts
    return shown


def _quote(code: Code, call: ir.Call) -> str:
    """The quotation mark of the first literal among the arguments."""
    literals = (argument for argument in call.args if isinstance(argument, (ir.Constant, ir.FormattedString)))
    return next((quote_of(code, argument.at) for argument in literals), '"')


def _last(code: Code, call: ir.Call) -> int:
    """Where the last argument ends."""
    return max(code.outer(value.at)[1] for value in (*call.args, *(value for _, value in call.keywords)))


def _call(code: Code, call: ir.Call, template: Template, named: Named | None, end: int) -> list[Change] | None:
    """The changes that make the call; None where a comment would be lost."""
    start = code.outer(call.args[0].at)[0]
    text = ", ".join((template.literal, *template.arguments))
    old = code.text[start:end]
    if not keeps_comments(code, start, end, text) or _first_keyword(code, call, end) < start:
        return None
    changes = [] if old == text else [Change(start, end, text)]
    if named is not None:
        changes += [Change(*code.outer(call.func.at), named.text), *named.changes]
    return changes


def _first_keyword(code: Code, call: ir.Call, end: int) -> int:
    return min((code.span(value.at)[0] for _, value in call.keywords), default=end)
