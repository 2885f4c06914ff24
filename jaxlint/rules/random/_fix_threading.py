"""Keys threaded through statements: `key, subkey = jax.random.split(key)` before a use that then takes `subkey`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import Any, Final, NamedTuple

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import fresh_name, is_stored_to, reads, taken
from jaxlint.fixes.statement_edits import before
from jaxlint.rules.random._fix_reads import (
    Use,
    anchor,
    anchor_of,
    can_follow,
    comes_again,
    first_of_two,
    is_before,
    use_at,
    uses_after,
)
from jaxlint.syntax import ir

#: Why no fix of a key is safe.
NEW_NUMBERS: Final = "the random numbers change"


class Thread(NamedTuple):
    """A key as code writes it, and the name that holds the next one: the same, or one of its own.

    A key of the code around a function, an attribute or an item is not bound anew: a local name goes on from it.
    """

    text: str
    name: str

    @property
    def is_own(self) -> bool:
        """Whether the key's own name is bound anew."""
        return self.text == self.name


def thread_uses(request: FixRequest, code: Code) -> Fix | None:
    """Split the key before the first use, and before further ones but the last.

    Of the request, the operation is the second use; the ordinals are the first one and the key in the second one
    (-1: not known), the words the names that hold the key.
    """
    text = key_text(request, code)
    if text is None:
        return None
    first, second = use_at(code, request.ordinals[0], text), use_at(code, request.at, text)
    if first is None or second is None or is_kept_elsewhere(code, first.call.at, request.words, text):
        return None
    if code.owner(first.call.at) is not code.owner(second.call.at):
        return None
    uses = uses_of(code, first, second, text)
    changes = thread_changes(code, thread_of(code, first.call.at, text), uses, to_thread(code, uses, first))
    if changes is None:
        return None
    return code.fix(f"Split `{text}` and give each use its own key", changes, Applicability.UNSAFE, NEW_NUMBERS)


def uses_of(code: Code, first: Use, second: Use, text: str) -> list[Use]:
    """The uses to be told apart, in order; in a loop the second one may stand before the first, as its next pass."""
    if code.statement(second.call.at).at < code.statement(first.call.at).at:
        return [first]
    found: dict[int, Use] = {}  # each expression counts once, for the first call that is listed with it
    for use in (first, second, *uses_after(code, first, second, text)):
        if not any(read.at in found for read in use.reads):
            found.update((read.at, use) for read in use.reads)
    by_call = {use.call.at: use for _, use in sorted(found.items())}
    return list(by_call.values())


def to_thread(code: Code, uses: list[Use], first: Use | None) -> list[Use]:
    """The first use, where there is one to be split in any case, and each that another use or split can follow."""
    return [
        use
        for index, use in enumerate(uses)
        if (first is not None and use.call.at == first.call.at)
        or any(can_follow(code, use.call.at, later.call.at) for later in uses[index + 1 :])
        or (first is not None and comes_again(code, first, use))
    ]


# --- the key


def key_text(request: FixRequest, code: Code) -> str | None:
    """The key as written in the second use: the expression where it is known, else one of its names."""
    at = request.ordinals[1]
    if at >= 0 and isinstance(code.node(at), (ir.Name, ir.Attribute, ir.Subscript)):
        return code.segment(at)
    names = (name for name in request.words if use_at(code, request.at, name) is not None)
    return next(names, None) if request.words else _shared_argument(code, request.ordinals[0], request.at)


def _shared_argument(code: Code, one: int, other: int) -> str | None:
    """The attribute or item that both calls are given, if there is one only: the key is no variable."""
    first, second = _parts_given(code, one), _parts_given(code, other)
    shared = first & second
    return shared.pop() if len(shared) == 1 else None


def _parts_given(code: Code, at: int) -> set[str]:
    call = code.node(at)
    given = (*call.args, *(value for _, value in call.keywords)) if isinstance(call, ir.Call) else ()
    return {code.segment(node.at) for node in given if isinstance(node, (ir.Attribute, ir.Subscript))}


def thread_of(code: Code, at: int, text: str) -> Thread:
    """The key of this text, and the name for the next one at a node."""
    scope = code.scope(at)
    is_bound = text in scope.bound | scope.globals | scope.nonlocals or code.owner(at) is None
    is_own = is_bound and text.isidentifier()
    return Thread(text, text if is_own else fresh_name(code, at, _last_name(text)))


def _last_name(text: str) -> str:
    """`key` of `state.key`, `noise_key` of `keys["noise"]`."""
    last = text.rpartition(".")[2]
    if last.isidentifier():
        return last
    item = last.rpartition("[")[2].rstrip("]").strip("\"' ")
    if not item.isidentifier():
        return "key"
    return item if item.endswith("key") else f"{item}_key"


def is_kept_elsewhere(code: Code, at: int, names: tuple[str, ...], text: str) -> bool:
    """Whether another name holds the key and is read later: it would still hold the key that is split."""
    others = set(names) - {text}
    return any(read.at > at for name in others for read in reads(code, name, code.owner(at)))


# --- the changes


def thread_changes(code: Code, thread: Thread, uses: list[Use], threaded: list[Use]) -> list[Change] | None:
    """A split before each statement with uses to be threaded, which take the subkeys; None where it cannot stand."""
    groups: dict[int, list[Use]] = {}
    for use in threaded:
        statement = anchor(code, use.call.at)
        if statement is None:
            return None
        groups.setdefault(statement.at, []).append(use)
    first = code.node(min(groups))
    if not thread.is_own and not all(is_before(code, first, use.call.at) for use in uses):
        return None
    changes: list[Change] = []
    for at, group in sorted(groups.items()):
        made = split_before(code, thread, code.node(at), group, is_first=at == first.at)
        if made is None:
            return None
        changes += made
    if not thread.is_own:
        done = {use.call.at for use in threaded}
        changes += [change for use in uses if use.call.at not in done for change in renamed(code, use, thread.name)]
    return changes


def split_before(
    code: Code, thread: Thread, statement: ir.Stmt, uses: list[Use], *, is_first: bool = True
) -> list[Change] | None:
    """`key, subkey = jax.random.split(key)` before a statement, whose uses take the subkeys; None without `split`."""
    split = name_of(code, statement.at, "jax.random.split")
    if split is None:
        return None
    names = list(_subkeys(code, thread, statement, len(uses)))
    number = f", {len(uses) + 1}" if len(uses) > 1 else ""
    source = thread.text if is_first else thread.name
    line = f"{', '.join((thread.name, *names))} = {split.text}({source}{number})"
    changes = [*split.changes, before(code, statement, line)]
    return changes + [change for use, name in zip(uses, names, strict=True) for change in renamed(code, use, name)]


def renamed(code: Code, use: Use, name: str) -> Iterator[Change]:
    """Another key for a use."""
    return (Change(*code.span(read.at), name) for read in use.reads)


# --- names of subkeys


def _subkeys(code: Code, thread: Thread, statement: ir.Stmt, number: int) -> Iterator[str]:
    """Names for the subkeys of a statement: new ones, or ones that only live from a split to the next statement."""
    used = taken(code, statement.at) | {thread.name}
    candidates = ("subkey" if index == 0 else f"subkey_{index}" for index in count())
    free = (name for name in candidates if name not in used or _is_short_lived(code, name, statement))
    return islice(free, number)


def _is_short_lived(code: Code, name: str, statement: ir.Stmt) -> bool:
    """Whether each binding of a name is a split that only the next statement reads, and this statement reads none."""
    owner = code.owner(statement.at)
    bound: set[int] = set()
    for node in code.owned(owner):
        if not _mentions(node, name):
            continue
        holder = code.statement(node.at)
        if not isinstance(node, ir.Name) or code.owner(node.at) is not owner or holder.at == statement.at:
            return False
        if is_stored_to(code, node):
            if not _is_split(code, holder):
                return False
            bound.add(holder.at)
        elif not bound or _next(code, max(bound)) != holder.at:
            return False
    return bool(bound)


def _mentions(node: Any, name: str) -> bool:  # noqa: ANN401 - a node
    match node:
        case ir.Name():
            return node.id == name
        case ir.Parameter():
            return node.name == name
        case ir.ScopeDeclaration():
            return name in node.names
        case ir.Handler():
            return node.name == name
        case ir.Import():
            return any(local == name for local, _ in node.bindings)
        case ir.FunctionDefinition() | ir.ClassDefinition():
            made = node.function if isinstance(node, ir.FunctionDefinition) else node.cls
            return made.name == name
        case _:
            return False


def _is_split(code: Code, statement: ir.Stmt) -> bool:
    """Whether a statement takes a call of `split` apart."""
    match statement:
        case ir.Assign(targets=(ir.SequenceDisplay(),), value=ir.Call(func=func)):
            return code.segment(func.at).rpartition(".")[2] == "split"
        case _:
            return False


def _next(code: Code, at: int) -> int:
    """The ordinal of the statement after one in its block, -1 where there is none."""
    return next((sibling.at for sibling in code.block(at) if sibling.at > at), -1)


# --- a branch of its own


def split_off(request: FixRequest, code: Code) -> Fix | None:
    """Give the second use a key that is split off before the first one. The request is as for `thread_uses`."""
    text = key_text(request, code)
    use = None if text is None else use_at(code, request.at, text)
    first = request.ordinals[0]
    if text is None or use is None or code.owner(first) is not code.owner(use.call.at):
        return None
    place = first_of_two(code, first, use.call.at)
    statement = None if place is None or isinstance(place, ir.While) else anchor_of(code, place)
    split = name_of(code, first, "jax.random.split")
    is_own = thread_of(code, first, text).is_own and not is_kept_elsewhere(code, first, request.words, text)
    if statement is None or split is None or not is_own:
        return None
    name = fresh_name(code, first, "subkey")
    line = before(code, statement, f"{text}, {name} = {split.text}({text})")
    changes = [*split.changes, line, *renamed(code, use, name)]
    return code.fix(f"Split `{text}` and use one subkey per purpose", changes, Applicability.UNSAFE, NEW_NUMBERS)
