"""`jaxlint explain` and `jaxlint rules`: what the rules say of themselves."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from jaxlint.config.errors import ConfigError
from jaxlint.engine.check_paths import plugin_rules
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.engine.former_rules import current, told
from jaxlint.engine.selection import selects_any, unknown_selector
from jaxlint.files.console import warn, write_stdout
from jaxlint.report.paint import Paint, columns, is_terminal, wants_color

if TYPE_CHECKING:
    from jaxlint.rules.rule import Rule


def run_explain(name: str, allow_plugins: Sequence[str], color: str) -> int:
    """`jaxlint explain`: the page of one rule, or the rules of a family."""
    from jaxlint.engine.rulebook import find_page, pages
    from jaxlint.report.rule_page import engine_rule_lines, find_engine_rule, page_lines, summary_lines

    paint = Paint(wants_color(color, sys.stdout, os.environ))
    warn(filter(None, [told(name)]))
    name = current(name)
    own = find_engine_rule(name)
    if own is not None:
        write_stdout(engine_rule_lines(own, paint))
        return CLEAN
    shipped = pages().values()
    if any(name.lower() == page.slug or name.upper() == page.code for page in shipped):
        write_stdout(page_lines(find_page(name), paint))
        return CLEAN
    rules = _all_rules(allow_plugins)
    found = [rule for rule in rules.values() if name in (rule.slug, rule.code)]
    if found:
        write_stdout(summary_lines(found[0], paint))
        return CLEAN
    return run_rules([name], allow_plugins, "table", color)


def run_rules(selectors: Sequence[str], allow_plugins: Sequence[str], output_format: str, color: str) -> int:
    """`jaxlint rules`: all rules, or those that selectors name, as a table or as JSON."""
    from jaxlint.report.rules import rules_json, rules_table

    rules = _all_rules(allow_plugins)
    for selector in selectors:
        if message := unknown_selector(selector, rules.values()):
            raise ConfigError(message)
    chosen = [rule for rule in rules.values() if not selectors or selects_any(selectors, rule)]
    paint = Paint(wants_color(color, sys.stdout, os.environ))
    is_read = is_terminal(sys.stdout) or "COLUMNS" in os.environ  # in a pipe each rule is one line
    width = columns(os.environ, sys.stdout) if is_read else 0
    write_stdout(rules_json(chosen) if output_format == "json" else rules_table(chosen, paint, width))
    return CLEAN


def _all_rules(allow_plugins: Sequence[str]) -> Mapping[str, Rule]:
    """The rules that ship, and those of plug-ins that the project here names and the user allows."""
    from jaxlint.rules.rule import registry

    return {**registry(), **plugin_rules(allow_plugins)}
