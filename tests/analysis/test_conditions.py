"""Paths that exclude each other: never two that one run can take; those that tests of the same values keep apart."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.analysis.domain.orderings import Range, with_number
from jaxlint.analysis.domain.state import Condition
from jaxlint.analysis.machine.path_conditions import exclusive
from jaxlint.syntax import ir
from tests.linting import diagnostics

TESTS = ("mode", "flag", "step")
VALUES = (0, 1, 2)


@st.composite
def conditions_of_a_run(draw: Any, run: dict[str, int]) -> Condition:
    """A test that a run passes by: of a value against a constant, of the value's truth, or of its size."""
    test = draw(st.sampled_from(TESTS))
    constant = draw(st.sampled_from([None, *VALUES]))
    if constant is None:
        return Condition(test, bool(run[test]))
    op = draw(st.sampled_from([*_COMPARISONS]))
    outcome = _COMPARISONS[op](run[test], constant)
    told = with_number(ir.Comparison(ir.Name(test, 1), ((op, ir.Constant(constant, 2)),), 3), _literal)
    assert told is not None
    named = ("constant", repr(constant)) if op == "==" else None
    return Condition(test, outcome, named, holds=told.true if outcome else told.false)


_COMPARISONS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


def _literal(node: ir.Expr) -> Any:
    return node.value if isinstance(node, ir.Constant) else None


@st.composite
def runs_with_two_paths(draw: Any) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    run = {test: draw(st.sampled_from(VALUES)) for test in TESTS}
    path = st.lists(conditions_of_a_run(run), max_size=4).map(tuple)
    return draw(path), draw(path)


@st.composite
def any_conditions(draw: Any) -> Condition:
    constant = draw(st.sampled_from([None, ("constant", "0"), ("constant", "1"), ("constant", "None")]))
    holds = draw(st.sampled_from([None, Range(0, 0), Range(1, 1), Range(low=1), Range(high=0, high_open=True)]))
    return Condition(draw(st.sampled_from(TESTS)), draw(st.booleans()), constant, holds=holds)


conditions = any_conditions()
paths = st.lists(conditions, max_size=4).map(tuple)


@given(runs_with_two_paths())
def test_what_one_run_can_take_is_not_exclusive(both: tuple[tuple[Condition, ...], tuple[Condition, ...]]) -> None:
    first, second = both
    assert not exclusive(first, second)


@given(paths, paths)
def test_the_order_does_not_matter(first: tuple[Condition, ...], second: tuple[Condition, ...]) -> None:
    assert exclusive(first, second) == exclusive(second, first)


@given(paths, paths, paths)
def test_more_conditions_exclude_no_less(
    first: tuple[Condition, ...], second: tuple[Condition, ...], more: tuple[Condition, ...]
) -> None:
    assert exclusive(first, second) <= exclusive((*first, *more), second)


def test_opposite_outcomes_and_different_constants_exclude() -> None:
    zero, one = ("constant", "0"), ("constant", "1")
    assert exclusive((Condition("flag", True),), (Condition("flag", False),))
    assert exclusive((Condition("mode", True, zero),), (Condition("mode", True, one),))
    assert not exclusive((Condition("mode", False, zero),), (Condition("mode", False, one),))
    assert not exclusive((Condition("mode", True, zero),), (Condition("mode", False, one),))


DRAWS_TWICE = """
from jax import random

def draw(key, mode, flag, items):
    a = b = 0.0
    if {first}:
        a = random.normal(key)
    if {second}:
        b = random.uniform(key)
    return a + b
"""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("flag", "not flag"),
        ("mode == 1", "mode == 2"),
        ("mode is None", "mode is not None"),
        ("mode is not None", "mode is None"),
        ("isinstance(mode, str)", "not isinstance(mode, str)"),
        ("mode == 'a' and flag", "mode == 'b'"),
        ("not (flag or mode)", "flag"),
        ("items[0] == 1", "items[0] == 2"),
        ("flag.on", "not flag.on"),
        ("mode == 0", "mode > 0"),
        ("mode == -1", "0 <= mode"),
        ("mode < 3", "mode >= 5"),
        ("mode <= 1", "mode > 1"),
        ("0 < mode < 3", "mode in (4, 5)"),
        ("mode in (4, 5)", "5 < mode"),
        ("not mode", "mode > 0"),
        ("mode is None", "mode > 0"),
        ("mode is None", "mode"),
        ("mode == 0", "mode"),
        ("mode < flag", "flag <= mode"),
        ("mode < flag", "mode == flag"),
        ("mode == flag", "flag != mode"),
        ("len(items) == 1", "len(items) > 1"),
        ("items.ndim < 2", "items.ndim == 2"),
        ("mode and flag", "not (mode and flag)"),
    ],
)
def test_a_key_is_not_reused_on_paths_that_exclude_each_other(first: str, second: str) -> None:
    assert diagnostics(DRAWS_TWICE.format(first=first, second=second)) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("flag", "flag"),
        ("flag", "mode"),
        ("mode == 1", "mode != 2"),
        ("flag or mode", "not flag"),
        ("True", "flag"),
        ("mode == 0", "mode == 0.0"),
        ("mode >= 1", "mode < 2"),
        ("mode <= 1", "mode >= 1"),
        ("mode > 0", "mode > 5"),
        ("mode == 0", "mode >= 0"),
        ("mode in (1, 3)", "mode > 1"),
        ("not mode", "mode < 1"),
        ("mode == 'a'", "mode"),
        ("mode <= flag", "flag <= mode"),
        ("mode < flag", "mode < flag"),
        ("mode != flag", "mode < flag"),
        ("mode < 3", "flag > 5"),
        ("mode != 1", "mode > 1"),
    ],
)
def test_a_key_is_reused_where_one_run_can_take_both(first: str, second: str) -> None:
    found = diagnostics(DRAWS_TWICE.format(first=first, second=second))
    assert [finding.rule for finding in found] == ["key-reuse"]


def test_a_name_that_may_have_become_none_is_another_test() -> None:
    text = DRAWS_TWICE.format(first="flag is None", second="flag is not None")
    text = text.replace("    if flag is not", "    if mode:\n        flag = None\n    if flag is not")
    assert [finding.rule for finding in diagnostics(text)] == ["key-reuse"]


def test_a_name_that_is_assigned_again_is_another_test() -> None:
    text = DRAWS_TWICE.format(first="flag", second="not flag").replace(
        "    if not", "    flag = items.pop()\n    if not"
    )
    assert [finding.rule for finding in diagnostics(text)] == ["key-reuse"]
