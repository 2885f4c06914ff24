"""Keys of loops: split at each pass; for a comprehension split once, into as many keys as it has passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import fresh_name, is_stored_to, reads
from jaxlint.fixes.precedence import Level, operand
from jaxlint.fixes.statement_edits import before
from jaxlint.rules.random._fix_advancing import advance_in_place
from jaxlint.rules.random._fix_reads import Use, anchor, anchor_of, innermost_comprehension, last_of, use_at
from jaxlint.rules.random._fix_sizes import size_of
from jaxlint.rules.random._fix_threading import (
    NEW_NUMBERS,
    Thread,
    is_kept_elsewhere,
    key_text,
    split_before,
    thread_of,
)
from jaxlint.syntax import ir


def split_each_pass(request: FixRequest, code: Code) -> Fix | None:
    """Give each pass of a loop or comprehension a key of its own. The request is as for `thread_uses`."""
    text = key_text(request, code)
    use = None if text is None else use_at(code, request.at, text)
    if text is None or use is None or is_kept_elsewhere(code, use.call.at, request.words, text):
        return None
    comprehension = innermost_comprehension(code, use.call.at)
    if comprehension is not None:
        title, changes = f"Split `{text}` into a key for each element", map_keys(code, comprehension, use, text)
    else:
        title, changes = f"Split `{text}` in each iteration", _in_loop(code, use, text)
    return None if changes is None else code.fix(title, changes, Applicability.UNSAFE, NEW_NUMBERS)


# --- for and while


def _in_loop(code: Code, use: Use, text: str) -> list[Change] | None:
    statement = anchor(code, use.call.at)
    loops = [] if statement is None else list(loops_around(code, statement.at))
    if not loops:
        return None
    thread = thread_of(code, use.call.at, text)
    if thread.is_own:
        in_place = advance_in_place(code, use, thread.name)
        return split_before(code, thread, statement, [use]) if in_place is None else in_place
    outside = [loop for loop in loops if not _binds(code, loop, text)]
    changes = split_before(code, thread, statement, [use], is_first=False)
    if changes is None or outside[:1] != loops[:1]:
        return None
    start = anchor_of(code, outside[-1])
    return [before(code, start, f"{thread.name} = {text}"), *changes]


def loops_around(code: Code, at: int) -> Iterator[Any]:
    """The loops of the same function whose bodies a statement stands in, innermost first."""
    child, owner = code.statement(at), code.owner(at)
    for parent in code.ancestors(child.at):
        is_loop = isinstance(parent, (ir.For, ir.While)) and code.owner(parent.at) is owner
        if is_loop and any(statement.at == child.at for statement in parent.body):
            yield parent
        child = parent


def _binds(code: Code, loop: Any, text: str) -> bool:  # noqa: ANN401 - a loop
    """Whether a loop binds a name that an expression is made of."""
    names = set(re.findall(r"[^\W\d]\w*", text))
    return any(
        isinstance(node, ir.Name) and node.id in names and is_stored_to(code, node) for node in code.inside(loop)
    )


def make_outside(request: FixRequest, code: Code) -> Fix | None:
    """A key that is made from a constant at each pass: make it once, before the loops, and split it at each pass."""
    call = code.node(request.at)
    if not isinstance(call, ir.Call):
        return None
    text, comprehension = code.segment(call.at), innermost_comprehension(code, call.at)
    if comprehension is not None:
        title, changes = (
            f"Split `{text}` into a key for each element",
            map_keys(code, comprehension, Use(call, (call,)), text),
        )
    else:
        title, changes = f"Make `{text}` once and split it in each iteration", _made_outside(code, call)
    return None if changes is None else code.fix(title, changes, Applicability.UNSAFE, NEW_NUMBERS)


def _made_outside(code: Code, call: ir.Call) -> list[Change] | None:
    statement = anchor(code, call.at)
    loops = [] if statement is None else list(loops_around(code, statement.at))
    if not loops:
        return None
    root = fresh_name(code, call.at, "root_key")
    outside = before(code, anchor_of(code, loops[-1]), f"{root} = {code.segment(call.at)}")
    match statement:
        case ir.Assign(targets=(ir.Name() as target,), value=value) if value.at == call.at:
            split = name_of(code, call.at, "jax.random.split")
            if split is None:
                return None
            made = [_insert(code, target, f"{root}, "), Change(*code.span(call.at), f"{split.text}({root})")]
            return [*split.changes, outside, *made]
        case _:
            changes = split_before(code, Thread(root, root), statement, [Use(call, (call,))])
            return None if changes is None else [outside, *changes]


# --- comprehensions


class _Keys(NamedTuple):
    """What a generator goes through to get the keys, and the changes that this needs elsewhere."""

    text: str
    changes: list[Change]


def map_keys(code: Code, comprehension: ir.Comprehension, use: Use, text: str) -> list[Change] | None:
    """Let the generator that repeats the use go through keys as well; None where their number cannot be written."""
    generator = _generator_of(code, comprehension, use.call.at)
    if generator is None or _is_async(code, generator):
        return None
    size = size_of(code, generator.iter)
    keys = None if size is None else _keys(code, comprehension, generator, text, size)
    if keys is None:
        return None
    subkey = fresh_name(code, use.call.at, "subkey", avoid=frozenset({"keys"}))
    renamed = [Change(*code.span(read.at), subkey) for read in use.reads]
    return [*keys.changes, *renamed, *_go_through(code, comprehension, generator, subkey, keys.text)]


def _generator_of(code: Code, comprehension: ir.Comprehension, at: int) -> ir.Generator | None:
    """The generator whose passes evaluate the node."""
    generators = comprehension.generators
    for number, generator in enumerate(generators):
        if _holds(code, generator.iter, at):
            return generators[number - 1] if number else None
        if any(_holds(code, condition, at) for condition in generator.conditions):
            return generator
    return generators[-1]


def _holds(code: Code, node: Any, at: int) -> bool:  # noqa: ANN401 - an expression
    return node.at == at or any(inner.at == at for inner in code.inside(node))


def _is_async(code: Code, generator: ir.Generator) -> bool:
    word = code.token_before(code.outer(generator.target.at)[0])
    return code.text[slice(*code.token_before(word[0]))] == "async"


def _keys(code: Code, comprehension: ir.Comprehension, generator: ir.Generator, text: str, size: str) -> _Keys | None:
    """The keys in a statement before, where one evaluation of it serves; else where the generator stands."""
    split = name_of(code, comprehension.at, "jax.random.split")
    if split is None:
        return None
    statement = anchor(code, comprehension.at)
    is_once = generator is comprehension.generators[0] and _is_always_evaluated(code, comprehension)
    if statement is None or not is_once or statement.at != code.statement(comprehension.at).at:
        return _Keys(f"{split.text}({text}, {size})", list(split.changes))
    keys = fresh_name(code, comprehension.at, "keys")
    line = f"{keys} = {split.text}({text}, {size})"
    if thread_of(code, comprehension.at, text).is_own and is_used_again(code, statement, text):
        line = f"{text}, *{keys} = {split.text}({text}, {_one_more(size)})"
    return _Keys(keys, [*split.changes, before(code, statement, line)])


def _one_more(size: str) -> str:
    return str(int(size) + 1) if size.isdecimal() else f"{size} + 1"


def _is_always_evaluated(code: Code, comprehension: ir.Comprehension) -> bool:
    """Whether nothing in its statement decides if a comprehension is evaluated."""
    statement = code.statement(comprehension.at)
    for parent in code.ancestors(comprehension.at):
        if parent.at == statement.at:
            return True
        if isinstance(parent, (ir.Conditional, ir.BooleanOperation, ir.Lambda, ir.Comprehension)):
            return False
    return True


def is_used_again(code: Code, statement: ir.Stmt, name: str) -> bool:
    """Whether a name is read after a statement, or the statement is run again."""
    last = last_of(code, statement)
    later = any(read.at > last for read in reads(code, name, code.owner(statement.at)))
    return later or any(loops_around(code, statement.at))


def _go_through(
    code: Code, comprehension: ir.Comprehension, generator: ir.Generator, subkey: str, keys: str
) -> list[Change]:
    """The generator with a key beside each element that it had before."""
    target: Any = generator.target
    start, end = code.outer(generator.iter.at)
    match generator.iter:
        case ir.Call(func=ir.Name(id="range"), args=(_,)) if isinstance(target, ir.Name):
            if _is_read(code, comprehension, target):
                return [_insert_after(code, target, f", {subkey}"), Change(start, end, f"enumerate({keys})")]
            return [Change(*code.outer(target.at), subkey), Change(start, end, keys)]
        case ir.Call(func=ir.Name(id="zip"), args=(first, *_), keywords=()) if _is_tuple(target):
            return [_insert(code, target.elements[0], f"{subkey}, "), _insert(code, first, f"{keys}, ")]
        case ir.Call(func=ir.Name(id="enumerate"), args=(inner,), keywords=()) if _is_tuple(target, 2):
            zipped = Change(*code.outer(inner.at), _zipped(code, keys, inner))
            return [*_pair(code, target.elements[1], subkey, "(", ")"), zipped]
        case iterable:
            return [*_pair(code, target, subkey), Change(start, end, _zipped(code, keys, iterable))]


def _zipped(code: Code, keys: str, iterable: Any) -> str:  # noqa: ANN401 - an expression
    return f"zip({keys}, {operand(code, iterable.at, Level.NAMED, in_brackets=True)})"


def _is_read(code: Code, comprehension: ir.Comprehension, target: ir.Name) -> bool:
    """Whether a comprehension reads its target."""
    inside = code.inside(comprehension)
    return any(isinstance(node, ir.Name) and node.id == target.id and node.at != target.at for node in inside)


def _is_tuple(target: Any, length: int | None = None) -> bool:  # noqa: ANN401 - an expression
    if not isinstance(target, ir.SequenceDisplay) or any(isinstance(e, ir.Starred) for e in target.elements):
        return False
    return length is None or len(target.elements) == length


def _pair(code: Code, target: Any, subkey: str, opening: str = "", closing: str = "") -> list[Change]:  # noqa: ANN401
    """`subkey, target`, with a tuple in parentheses of its own."""
    start, end = code.outer(target.at)
    is_bare = isinstance(target, ir.SequenceDisplay) and code.text[start] not in "(["
    inner = ("(", ")") if is_bare else ("", "")
    changes = [Change(start, start, f"{opening}{subkey}, {inner[0]}")]
    return changes + ([Change(end, end, inner[1] + closing)] if inner[1] + closing else [])


def _insert(code: Code, node: Any, text: str) -> Change:  # noqa: ANN401 - an expression
    start = code.outer(node.at)[0]
    return Change(start, start, text)


def _insert_after(code: Code, node: Any, text: str) -> Change:  # noqa: ANN401 - an expression
    end = code.outer(node.at)[1]
    return Change(end, end, text)
