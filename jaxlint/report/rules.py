"""The list of rules, as a table for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final

from jaxlint.report.paint import Paint
from jaxlint.rules.rule import Rule
from jaxlint.text import plural

#: Columns of a line that are neither the rule's name nor what it finds; and those in front of what is wrapped.
_BEFORE: Final = 24
_INDENT: Final = " " * 9


def rules_table(rules: Sequence[Rule], paint: Paint, width: int = 0) -> Iterator[str]:
    """One line for each rule under the name of its family; those that do not run by default say so.

    Where lines do not fit into `width` columns, what a rule finds is wrapped below its name; 0 is any width.
    """
    longest = max((len(rule.slug) for rule in rules), default=0)
    is_narrow = bool(width) and any(_BEFORE + longest + len(rule.summary) > width for rule in rules)
    family = ""
    for rule in sorted(rules, key=lambda rule: rule.code):
        if rule.family != family:
            if family:
                yield ""
            family = rule.family
            yield paint.strong(family)
        off = paint.faint(f" ({state})") if (state := _state(rule)) else ""
        category = paint.severity(f"{rule.category.value:<{0 if is_narrow else 11}}", rule.category.severity)
        if is_narrow:
            yield f"  {rule.code}  {rule.slug}, {category}{off}"
            yield from wrap(rule.summary, width, initial_indent=_INDENT, subsequent_indent=_INDENT)
        else:
            yield f"  {rule.code}  {rule.slug:<{longest}}  {category}  {rule.summary}{off}"
    yield ""
    yield f"{plural(len(rules), 'rule')}. To read about one: jaxlint explain {rules[0].slug if rules else 'RULE'}"


def _state(rule: Rule) -> str:
    """Why a rule does not run by default; empty where it does."""
    return "preview" if rule.preview else "" if rule.enabled else "off by default"


def rules_json(rules: Sequence[Rule]) -> Iterator[str]:
    """All rules as one JSON array, in the order of their codes."""
    yield json.dumps([_rule(rule) for rule in sorted(rules, key=lambda rule: rule.code)], indent=2)


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "slug": rule.slug,
        "code": rule.code,
        "family": rule.family,
        "category": rule.category.value,
        "severity": rule.category.severity.value,
        "default": rule.enabled and not rule.preview,
        "preview": rule.preview,
        "fix": rule.fix is not None,
        "yields_to": list(rule.yields_to),
        "summary": rule.summary,
    }
