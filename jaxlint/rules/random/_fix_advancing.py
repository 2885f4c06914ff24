"""A split or helper whose results do not replace the parent, made to give the next key as well."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import fresh_name, reads
from jaxlint.rules.random._fix_reads import Use, anchor, is_before, use_at
from jaxlint.rules.random._fix_threading import (
    NEW_NUMBERS,
    Thread,
    is_kept_elsewhere,
    key_text,
    renamed,
    split_before,
    thread_changes,
    thread_of,
    thread_uses,
    to_thread,
    uses_of,
)
from jaxlint.syntax import ir


def keep_going(request: FixRequest, code: Code) -> Fix | None:
    """Let the first split give the key that goes on: as one more child, or by a split of its own before it.

    The request is as for `thread_uses`; with one ordinal it is of a key that is handed back, and that is its split.
    """
    if len(request.ordinals) == 1:
        return _go_on_until_return(request, code)
    text = key_text(request, code)
    first = None if text is None else use_at(code, request.ordinals[0], text)
    second = None if text is None else use_at(code, request.at, text)
    if text is None or first is None or second is None or is_kept_elsewhere(code, first.call.at, request.words, text):
        return None
    thread = thread_of(code, first.call.at, text)
    changes = _one_more_child(code, thread, first, second)
    if changes is None:
        return thread_uses(request, code)
    return code.fix(_title(text), changes, Applicability.UNSAFE, NEW_NUMBERS)


def _title(text: str) -> str:
    return f"Take a new `{text}` from the split"


def _one_more_child(code: Code, thread: Thread, first: Use, second: Use) -> list[Change] | None:
    """The next key from the first split, which the other uses then share out."""
    made = advance_in_place(code, first, thread.name)
    uses = [use for use in uses_of(code, first, second, thread.text) if use.call.at != first.call.at]
    if made is None or code.owner(first.call.at) is not code.owner(second.call.at):
        return None
    if not thread.is_own and not all(is_before(code, code.statement(first.call.at), use.call.at) for use in uses):
        return None
    threaded = to_thread(code, uses, None)
    rest = {use.call.at for use in threaded}
    if not thread.is_own:
        made += [change for use in uses if use.call.at not in rest for change in renamed(code, use, thread.name)]
    further = thread_changes(code, Thread(thread.name, thread.name), uses, threaded) if threaded else []
    return None if further is None else made + further


def _go_on_until_return(request: FixRequest, code: Code) -> Fix | None:
    split = code.node(request.ordinals[0])
    if isinstance(split, ir.Call) and split.args and isinstance(split.args[0], ir.Attribute):
        return _hand_on_part(request, code, split)
    if not isinstance(split, ir.Call) or not split.args or not isinstance(split.args[0], ir.Name):
        return None
    name, value = split.args[0].id, code.node(request.at)
    thread, use = thread_of(code, split.at, name), Use(split, (split.args[0],))
    is_returned = any(isinstance(n, ir.Name) and n.id == name for n in (value, *code.inside(value)))
    if not thread.is_own or not is_returned or code.owner(split.at) is not code.owner(value.at):
        return None
    changes, statement = advance_in_place(code, use, name), anchor(code, split.at)
    if changes is None and statement is not None:
        changes = split_before(code, thread, statement, [use])
    return None if changes is None else code.fix(_title(name), changes, Applicability.UNSAFE, NEW_NUMBERS)


def _hand_on_part(request: FixRequest, code: Code, split: ir.Call) -> Fix | None:
    """The part of a split of `state.key` that is thrown away, returned in place of `state.key`."""
    text, target, value = code.segment(split.args[0].at), target_of(code, split), code.node(request.at)
    unused = next((e for e in target.elements if is_thrown_away(code, e)), None) if target is not None else None
    if unused is None or code.owner(split.at) is not code.owner(value.at):
        return None
    old = [n for n in (value, *code.inside(value)) if isinstance(n, ir.Attribute) and code.segment(n.at) == text]
    if not old:
        return None
    name = fresh_name(code, split.at, f"next_{split.args[0].attr}")  # type: ignore[union-attr]
    changes = [Change(*code.span(node.at), name) for node in (unused, *old)]
    return code.fix(_title(text), changes, Applicability.UNSAFE, NEW_NUMBERS)


# --- a split as it stands


def advance_in_place(code: Code, use: Use, key: str) -> list[Change] | None:
    """`a, b = split(key)` as `a, b, key = split(key, 3)`, and `a, _ = split(key)` as `a, key = split(key)`.

    The children keep their places, and so their numbers. None where the use is no such statement.
    """
    call, target = use.call, target_of(code, use.call)
    if target is None or code.segment(call.func.at).rpartition(".")[2] != "split":
        return None
    unused = next((element for element in target.elements if is_thrown_away(code, element)), None)
    if unused is not None:
        return [Change(*code.span(unused.at), key)]
    count = _one_more(code, call, len(target.elements))
    end = code.outer(target.elements[-1].at)[1]
    return None if count is None else [Change(end, end, f", {key}"), count]


def target_of(code: Code, call: ir.Call) -> ir.SequenceDisplay | None:
    """The names that a statement takes the result of a call apart into; None where it does something else with it."""
    match code.statement(call.at):
        case ir.Assign(targets=(ir.SequenceDisplay() as target,), value=value) if value.at == call.at:
            return target if all(isinstance(element, ir.Name) for element in target.elements) else None
        case _:
            return None


def is_thrown_away(code: Code, name: Any) -> bool:  # noqa: ANN401 - an expression
    """Whether the result that is bound to a name is nowhere read, and the name says that this is meant."""
    if not isinstance(name, ir.Name) or not name.id.startswith("_"):
        return False
    return not any(True for _ in reads(code, name.id, code.owner(name.at)))


def _one_more(code: Code, call: ir.Call, number: int) -> Change | None:
    """The change that lets a call of `split` give one key more than `number`; None where it says no plain number."""
    given: list[Any] = [*call.args[1:], *(value for name, value in call.keywords if name == "num")]
    if any(isinstance(arg, ir.Starred) for arg in call.args) or any(name is None for name, _ in call.keywords):
        return None
    if given:
        is_number = isinstance(given[0], ir.Constant) and given[0].value == number
        return Change(*code.span(given[0].at), str(number + 1)) if is_number else None
    last = max((*call.args, *(value for _, value in call.keywords)), key=lambda node: int(node.at))
    end = code.outer(last.at)[1]
    return Change(end, end, f", {'num=' if call.keywords else ''}{number + 1}")
