"""The next key, which came back and was dropped, put where the old one was."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.names import reads
from jaxlint.fixes.rebinding import is_simple_target
from jaxlint.rules.random._fix_advancing import target_of
from jaxlint.rules.random._fix_loops import is_used_again
from jaxlint.rules.random._fix_reads import use_at
from jaxlint.rules.random._fix_threading import NEW_NUMBERS, thread_of
from jaxlint.syntax import ir


def bind_next(request: FixRequest, code: Code) -> Fix | None:
    """Bind the next key to what held the old one. The first word of the request tells what dropped it.

    "statement": a call that stands alone; "attribute": a split of an object's key; "helper": a function, with the call
    that used the key first as ordinal, the place of the next key in its result as second word, and the key's names.
    """
    match request.words:
        case ("statement",):
            return _bind_statement(code, request.at)
        case ("attribute",):
            return _store_attribute(code, request.at)
        case (_, place, *names):
            return _bind_result(code, request.ordinals[0], int(place), names)
    return None


def _bind_statement(code: Code, at: int) -> Fix | None:
    """`split(key)` alone as `key, _ = split(key)`, `fold_in(key, i)` as `key = fold_in(key, i)`."""
    call, statement = code.node(at), code.statement(at)
    if not isinstance(statement, ir.ExpressionStatement) or statement.value.at != at:
        return None
    if not call.args or not isinstance(call.args[0], ir.Name):
        return None
    key = call.args[0].id
    if not thread_of(code, at, key).is_own or not is_used_again(code, statement, key):
        return None
    is_split = code.segment(call.func.at).rpartition(".")[2] == "split"
    number = next((v for v in (*call.args[1:], *(v for n, v in call.keywords if n == "num"))), None)
    is_pair = number is None or (isinstance(number, ir.Constant) and number.value == 2)
    target = f"{key}, {'_' if is_pair else '*_'}" if is_split else key
    start = code.span(statement.at)[0]
    title = f"Bind the next key to `{key}`"
    return code.fix(title, [Change(start, start, f"{target} = ")], Applicability.UNSAFE, NEW_NUMBERS)


def _bind_result(code: Code, at: int, place: int, names: list[str]) -> Fix | None:
    """`_, x = sample(key)` as `key, x = sample(key)`, where the function gives the next key in that place."""
    call = code.node(at)
    target = target_of(code, call) if isinstance(call, ir.Call) else None
    given = [name for name in names if use_at(code, at, name) is not None]
    if target is None or len(given) != 1 or not 0 <= place < len(target.elements):
        return None
    dropped = target.elements[place]
    is_read = isinstance(dropped, ir.Name) and any(True for _ in reads(code, dropped.id, code.owner(at)))
    if (is_read and not _is_placeholder(dropped)) or not thread_of(code, at, given[0]).is_own:
        return None
    title = f"Bind the next key to `{given[0]}`"
    return code.fix(title, [Change(*code.span(dropped.at), given[0])], Applicability.UNSAFE, NEW_NUMBERS)


def _is_placeholder(name: ir.Expr) -> bool:
    return isinstance(name, ir.Name) and name.id == "_"


# --- a key of an object


def _store_attribute(code: Code, at: int) -> Fix | None:
    """`key, subkey = split(self.key)` as `self.key, subkey = split(self.key)`."""
    call = code.node(at)
    target = target_of(code, call) if isinstance(call, ir.Call) else None
    if target is None or not call.args or not is_simple_target(call.args[0]):
        return None
    owner = code.owner(at)
    unread = [e for e in target.elements if isinstance(e, ir.Name) and not any(True for _ in reads(code, e.id, owner))]
    if not unread:
        return None
    parent = code.segment(call.args[0].at)
    changes = [Change(*code.span(unread[0].at), parent)]
    why = _why_not_stored(code, call.args[0], owner)
    title = f"Store the next key in `{parent}`"
    if why:
        return code.fix(title, changes, Applicability.DISPLAY_ONLY, why)
    return code.fix(title, changes, Applicability.UNSAFE, "each call changes the object, and the random numbers change")


def _why_not_stored(code: Code, parent: ir.Expr, owner: ir.Function | ir.Class | None) -> str:
    """Why the attribute might not be one to store to; empty where it is one of a plain class's own methods."""
    if not isinstance(owner, ir.Function) or not isinstance(parent, ir.Attribute):
        return "the next key may belong in another place"
    if owner.decorators:
        return f"`{owner.name}` is decorated, and traced code must not assign attributes"
    first = owner.parameters[0].name if owner.parameters else ""
    cls = code.owner(owner.at)
    if not isinstance(parent.base, ir.Name) or parent.base.id != first or not isinstance(cls, ir.Class):
        return f"the caller may keep the old `{code.segment(parent.base.at)}`"
    if cls.decorators or any(code.segment(base.at) != "object" for base in cls.bases):
        return f"objects of `{cls.name}` may not allow attribute assignment"
    return ""
