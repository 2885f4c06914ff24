"""`jaxlint explain` and `jaxlint rules`: what the rules say of themselves."""

from __future__ import annotations

import os
import sys

from jaxlint.engine.exit_codes import CLEAN
from jaxlint.files.console import write_stdout
from jaxlint.report.paint import Paint, wants_color


def run_explain(rule: str, color: str) -> int:
    """`jaxlint explain`: the page of one rule."""
    from jaxlint.engine.rulebook import find_page
    from jaxlint.report.rule_page import engine_rule_lines, find_engine_rule, page_lines

    paint = Paint(wants_color(color, sys.stdout, os.environ))
    own = find_engine_rule(rule)
    write_stdout(engine_rule_lines(own, paint) if own else page_lines(find_page(rule), paint))
    return CLEAN


def run_rules(output_format: str, color: str) -> int:
    """`jaxlint rules`: all rules as a table or as JSON."""
    from jaxlint.report.rules import rules_json, rules_table
    from jaxlint.rules.rule import registry

    rules = list(registry().values())
    paint = Paint(wants_color(color, sys.stdout, os.environ))
    write_stdout(rules_json(rules) if output_format == "json" else rules_table(rules, paint))
    return CLEAN
