"""The `match` statement: which cases can be taken, the names that patterns bind, and what a taken case tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.class_fields import fields
from jaxlint.analysis.domain.lattice import join_all
from jaxlint.analysis.domain.values import (
    NONE,
    UNKNOWN,
    Arguments,
    Array,
    ClassValue,
    DictCell,
    Key,
    Leaves,
    ListCell,
    Object,
    Qualified,
    Static,
    Tuple,
    Value,
    atoms_of,
    has_no_value,
)
from jaxlint.analysis.events.tracing import Branch
from jaxlint.analysis.machine.path_conditions import contradicts, outcomes_of
from jaxlint.analysis.python import comparisons, iteration, narrowing, truth
from jaxlint.analysis.typestate import async_dispatch
from jaxlint.syntax import ir, match_patterns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jaxlint.analysis.domain.state import State
    from jaxlint.analysis.machine.interpreter import Interpreter

#: Python's own classes whose one positional pattern is the subject itself.
_WHOLE = frozenset({"bool", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple"})


def run(it: Interpreter, node: ir.Match) -> bool:
    """Interpret the cases that can be taken, up to one that surely is."""
    subject = it.eval(node.subject)
    if it.frame.state.clock is not None:
        async_dispatch.looked_at(it, subject)
    it.frame.tests += not all(_tests_value(case.pattern) for case in node.cases)
    before, conditions = it.frame.state, it.frame.conditions
    ends: list[State | None] = []
    surely = False
    for case in node.cases:
        if _tests_value(case.pattern) and any(map(has_no_value, atoms_of(subject))) and it.wants(Branch):
            it.emit(Branch(it.frame, node.subject.at, it.operand(subject, node.subject), "match"))
        outcome = _outcome(it, case.pattern, subject)
        if outcome is False:
            continue
        it.frame.state = before.fork()
        end, always = _case(it, node, case, subject, decided=outcome is True)
        ends.append(end)
        surely = outcome is True and always
        if surely:
            break
    it.frame.conditions = conditions
    return it.resume(*ends, *(() if surely else (before,)))


def _case(
    it: Interpreter, node: ir.Match, case: ir.MatchCase, subject: Value, *, decided: bool
) -> tuple[State | None, bool]:
    """The state behind a case, and whether its guard holds if its pattern matches; what later cases know is noted."""
    test = None if decided else _as_test(case.pattern, node.subject)
    if test is None:
        return _body(it, node, case, subject)
    holding = outcomes_of(it, test)
    end: State | None = None
    always = case.guard is None
    if not contradicts(holding.true, it.frame.all_conditions()):
        with narrowing.on_path(it, test, holding.true, undecided=True):
            if narrowing.assume(it, test, True):
                end, always = _body(it, node, case, subject)
    if case.guard is None and _is_told_whole(case.pattern):
        it.frame.conditions = (*it.frame.conditions, *holding.false)
    return end, always


def _body(it: Interpreter, node: ir.Match, case: ir.MatchCase, subject: Value) -> tuple[State | None, bool]:
    _bind(it, case.pattern, subject)
    if case.guard is None:
        return (it.frame.state if it.block(case.body) else None), True
    outcome = truth.test(it, case.guard, "if")
    if outcome is False or it.frame.failed:
        return None, False
    with narrowing.on_path(it, case.guard, outcomes_of(it, case.guard).true, undecided=outcome is None):
        if not narrowing.assume(it, case.guard, True):
            return None, False
        return (it.frame.state if it.block(case.body) else None), outcome is True


def _tests_value(pattern: match_patterns.Pattern) -> bool:
    """Whether matching compares the subject itself with a value."""
    match pattern:
        case match_patterns.MatchValue(value=ir.Constant(value=None | True | False)):
            return False  # compared by identity
        case match_patterns.MatchValue():
            return True
        case match_patterns.MatchOr():
            return any(_tests_value(option) for option in pattern.patterns)
        case match_patterns.MatchCapture(pattern=inner) if inner is not None:
            return _tests_value(inner)
        case _:
            return False


# --- what a case says as a test


def _as_test(pattern: match_patterns.Pattern, subject: ir.Expr) -> ir.Expr | None:
    """A test that holds where the pattern matches."""
    match pattern:
        case match_patterns.MatchValue(value=ir.Constant(value=None | True | False)):
            return ir.Comparison(subject, (("is", pattern.value),), pattern.at)
        case match_patterns.MatchValue():
            return ir.Comparison(subject, (("==", pattern.value),), pattern.at)
        case match_patterns.MatchCapture(pattern=inner) if inner is not None:
            return _as_test(inner, subject)
        case match_patterns.MatchClass():
            return ir.Call(ir.Name("isinstance", pattern.at), (subject, pattern.cls), (), pattern.at)
        case match_patterns.MatchOr():
            tests = [_as_test(option, subject) for option in pattern.patterns]
            known = tuple(test for test in tests if test is not None)
            return ir.BooleanOperation("or", known, pattern.at) if len(known) == len(tests) else None
        case _:
            return None


def _is_told_whole(pattern: match_patterns.Pattern) -> bool:
    """Whether the pattern matches wherever its test holds."""
    match pattern:
        case match_patterns.MatchCapture(pattern=inner) if inner is not None:
            return _is_told_whole(inner)
        case match_patterns.MatchClass():
            return not pattern.patterns and not pattern.keywords
        case match_patterns.MatchOr():
            return all(_is_told_whole(option) for option in pattern.patterns)
        case _:
            return isinstance(pattern, match_patterns.MatchValue)


# --- whether a pattern matches


def _outcome(  # noqa: PLR0911 - dispatches on the kinds of patterns
    it: Interpreter, pattern: match_patterns.Pattern, subject: Value
) -> bool | None:
    """Whether a pattern matches a value; None where that is not known."""
    match pattern:
        case match_patterns.MatchStar() | match_patterns.MatchCapture(pattern=None):
            return True
        case match_patterns.MatchCapture(pattern=inner) if inner is not None:
            return _outcome(it, inner, subject)
        case match_patterns.MatchOr():
            outcomes = [_outcome(it, option, subject) for option in pattern.patterns]
            return True if True in outcomes else (None if None in outcomes else False)
        case match_patterns.MatchValue(value=wanted):
            return _equals(it, subject, it.eval(wanted))
        case match_patterns.MatchSequence():
            return _matches_sequence(it, pattern, subject)
        case match_patterns.MatchMapping():
            return _matches_mapping(it, pattern, subject)
        case match_patterns.MatchClass():
            return _matches_class(it, pattern, subject)
        case _:
            return None


def _equals(it: Interpreter, subject: Value, wanted: Value) -> bool | None:
    if isinstance(wanted, Static) and wanted.value is None:
        return truth.outcome_of(it, comparisons.identity(it, subject, NONE, positive=True))
    if not isinstance(wanted, Static) or not wanted.known:
        return None
    if wanted.type == "bool":
        return subject.value is wanted.value if isinstance(subject, Static) and subject.known else None
    if isinstance(subject, Static) and subject.known and subject.type == wanted.type:
        return bool(subject.value == wanted.value)
    return False if isinstance(subject, Tuple) else None


def _all(outcomes: Iterable[bool | None]) -> bool | None:
    found = list(outcomes)
    return False if False in found else (None if None in found else True)


def _matches_sequence(it: Interpreter, pattern: match_patterns.MatchSequence, subject: Value) -> bool | None:
    if isinstance(subject, Static) and (subject.known or subject.type in ("str", "int", "float", "bool")):
        return False
    elements = _elements(it, subject)
    if elements is None:
        return None
    assigned = _spread(pattern, elements)
    return False if assigned is None else _all(_outcome(it, part, value) for part, value in assigned)


def _elements(it: Interpreter, subject: Value) -> tuple[Value, ...] | None:
    """The elements of a tuple or list, where they are known."""
    is_list = isinstance(subject, Object) and isinstance(it.cell(subject), ListCell)
    return iteration.exact_elements(it, subject) if is_list or isinstance(subject, Tuple) else None


def _spread(
    pattern: match_patterns.MatchSequence, elements: tuple[Value, ...]
) -> list[tuple[match_patterns.Pattern, Value]] | None:
    """Each part of a sequence pattern with its element, a starred one left out; None where their number differs."""
    parts = pattern.patterns
    star = next((n for n, part in enumerate(parts) if isinstance(part, match_patterns.MatchStar)), None)
    if star is None:
        return list(zip(parts, elements)) if len(parts) == len(elements) else None
    behind = len(parts) - star - 1
    if len(elements) < star + behind:
        return None
    last = elements[len(elements) - behind :] if behind else ()
    return [*zip(parts[:star], elements), *zip(parts[star + 1 :], last)]


def _matches_mapping(it: Interpreter, pattern: match_patterns.MatchMapping, subject: Value) -> bool | None:
    cell = it.cell(subject) if isinstance(subject, Object) else None
    if not isinstance(cell, DictCell):
        return False if isinstance(subject, Static | Tuple | Array | Key) else None
    outcomes: list[bool | None] = []
    for key, part in pattern.items:
        if key is not None:
            found = cell.items.get(key.value) if isinstance(key, ir.Constant) else None
            is_absent = cell.rest is None and isinstance(key, ir.Constant)
            outcomes.append(_outcome(it, part, found) if found is not None else (False if is_absent else None))
    return _all(outcomes)


def _matches_class(it: Interpreter, pattern: match_patterns.MatchClass, subject: Value) -> bool | None:
    cls = it.eval(pattern.cls)
    given = Arguments([subject, cls], positional_at=[pattern.at, pattern.at])
    outcome = truth.outcome_of(it, it.call(Qualified("builtins.isinstance"), given, pattern.cls))
    if not outcome:
        return outcome
    return _all(_outcome(it, part, value) for part, value in _attributes(it, pattern, cls, subject))


# --- what a pattern binds


def _bind(it: Interpreter, pattern: match_patterns.Pattern, subject: Value) -> None:
    """Bind the names of a pattern that matched."""
    match pattern:
        case match_patterns.MatchCapture():
            if pattern.pattern is not None:
                _bind(it, pattern.pattern, subject)
            if pattern.name is not None:
                it.bind(pattern.name, subject)
        case match_patterns.MatchStar(name=name) if name is not None:
            it.bind(name, _part(it, subject, pattern.at))
        case match_patterns.MatchSequence():
            _bind_sequence(it, pattern, subject)
        case match_patterns.MatchMapping():
            for part, value in _items(it, pattern, subject):
                _bind(it, part, value)
        case match_patterns.MatchClass():
            for part, value in _attributes(it, pattern, it.eval(pattern.cls), subject):
                _bind(it, part, value)
        case match_patterns.MatchOr():
            for option in pattern.patterns:
                _bind(it, option, subject)
        case _:
            pass


def _bind_sequence(it: Interpreter, pattern: match_patterns.MatchSequence, subject: Value) -> None:
    elements = _elements(it, subject)
    assigned = None if elements is None else _spread(pattern, elements)
    if assigned is None:
        assigned = [(part, _part(it, subject, pattern.at)) for part in pattern.patterns]
    else:
        assigned += _starred(it, pattern, elements or ())
    for part, value in assigned:
        _bind(it, part, value)


def _starred(
    it: Interpreter, pattern: match_patterns.MatchSequence, elements: tuple[Value, ...]
) -> Iterator[tuple[match_patterns.Pattern, Value]]:
    """The starred part of a sequence pattern, which takes a list, and what it matches: captured as a whole."""
    for number, part in enumerate(pattern.patterns):
        if isinstance(part, match_patterns.MatchStar):
            taken = elements[number : len(elements) - (len(pattern.patterns) - number - 1)]
            rest = it.allocate(ListCell(it.birth(part.at), taken, join_all(taken) if taken else UNKNOWN))
            yield match_patterns.MatchCapture(None, part.name, part.at), rest


def _items(
    it: Interpreter, pattern: match_patterns.MatchMapping, subject: Value
) -> Iterator[tuple[match_patterns.Pattern, Value]]:
    """The parts of a mapping pattern with the items that they match; `**rest` takes a dict of all the others."""
    cell = it.cell(subject) if isinstance(subject, Object) else None
    named = {key.value for key, _ in pattern.items if isinstance(key, ir.Constant)}
    for key, part in pattern.items:
        if key is None and isinstance(part, match_patterns.MatchStar) and isinstance(cell, DictCell):
            others = {key: value for key, value in cell.items.items() if key not in named}
            rest = it.allocate(DictCell(it.birth(part.at), others, cell.rest))
            yield match_patterns.MatchCapture(None, part.name, part.at), rest
        else:
            yield part, _item(it, subject, key, pattern.at)


def _item(it: Interpreter, subject: Value, key: ir.Expr | None, at: int) -> Value:
    """The item of a mapping under a key; all the others where there is none."""
    cell = it.cell(subject) if isinstance(subject, Object) else None
    if not isinstance(cell, DictCell) or not isinstance(key, ir.Constant):
        return _part(it, subject, at)
    found = cell.items.get(key.value)
    if found is None and cell.rest is not None:
        return iteration.entry(cell.rest, key.value)
    return _part(it, subject, at) if found is None else found


def _attributes(
    it: Interpreter, pattern: match_patterns.MatchClass, cls: Value, subject: Value
) -> Iterator[tuple[match_patterns.Pattern, Value]]:
    """The parts of a class pattern with the attributes that they are matched against."""
    names: tuple[str, ...] = ()
    if isinstance(cls, ClassValue):
        names = tuple(fields(cls))
    elif isinstance(cls, Qualified) and cls.name.removeprefix("builtins.") in _WHOLE:
        yield from ((part, subject) for part in pattern.patterns[:1])
    for number, part in enumerate(pattern.patterns if isinstance(cls, ClassValue) else ()):
        known = number < len(names)
        yield part, it.attribute(subject, names[number], pattern.at) if known else _part(it, subject, pattern.at)
    for name, part in pattern.keywords:
        yield part, it.attribute(subject, name, pattern.at)


def _part(it: Interpreter, subject: Value, at: int) -> Value:
    is_traced = isinstance(subject, Leaves) or (isinstance(subject, Array) and has_no_value(subject))
    return subject if is_traced else it.unknown("a part of a matched value", at)
