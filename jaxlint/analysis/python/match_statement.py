"""Patterns of `match`: the names they bind, and whether they look at the subject's value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Leaves, Tuple, Value
from jaxlint.syntax import ir, match_patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.machine.interpreter import Interpreter


def tests_value(pattern: match_patterns.Pattern) -> bool:
    """Whether matching compares the subject itself with a value."""
    match pattern:
        case match_patterns.MatchValue(value=ir.Constant(value=None | True | False)):
            return False  # compared by identity
        case match_patterns.MatchValue():
            return True
        case match_patterns.MatchOr():
            return any(tests_value(option) for option in pattern.patterns)
        case match_patterns.MatchCapture(pattern=inner) if inner is not None:
            return tests_value(inner)
        case _:
            return False


def bind_pattern(it: Interpreter, pattern: match_patterns.Pattern, subject: Value, node: ir.Expr) -> None:
    """Bind the names of a pattern that matched."""
    match pattern:
        case match_patterns.MatchCapture():
            if pattern.pattern is not None:
                bind_pattern(it, pattern.pattern, subject, node)
            if pattern.name is not None:
                it.bind(pattern.name, subject)
        case match_patterns.MatchStar(name=name) if name is not None:
            it.bind(name, _part(it, subject, pattern.at))
        case match_patterns.MatchSequence():
            for number, part in enumerate(pattern.patterns):
                bind_pattern(it, part, _element(it, subject, number, pattern), node)
        case match_patterns.MatchMapping() | match_patterns.MatchClass():
            for part in _inner(pattern):
                bind_pattern(it, part, _part(it, subject, pattern.at), node)
        case match_patterns.MatchOr():
            for option in pattern.patterns:
                bind_pattern(it, option, subject, node)
        case _:
            pass


def _inner(pattern: match_patterns.MatchMapping | match_patterns.MatchClass) -> Iterator[match_patterns.Pattern]:
    """The patterns of items or attributes."""
    if isinstance(pattern, match_patterns.MatchMapping):
        yield from (part for _, part in pattern.items)
    else:
        yield from pattern.patterns
        yield from (part for _, part in pattern.keywords)


def _element(it: Interpreter, subject: Value, number: int, pattern: match_patterns.MatchSequence) -> Value:
    if isinstance(subject, Tuple) and len(subject.elements) == len(pattern.patterns):
        return subject.elements[number]
    return _part(it, subject, pattern.at)


def _part(it: Interpreter, subject: Value, at: int) -> Value:
    return subject if isinstance(subject, Leaves) else it.unknown("a part of a matched value", at)
