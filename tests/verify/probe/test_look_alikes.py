"""No false `confirmed`: the rulebook's good and silent blocks are probed as if their lines were flagged."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxlint.config import load_configuration
from jaxlint.diagnostics import Confidence, Diagnostic, Span, fingerprint
from jaxlint.rules.rule import registry
from jaxlint.verify.model import Verdict
from jaxlint.verify.probe.module_runs import ModuleRun, outlines, run_module
from jaxlint.verify.probe.probe_verdicts import judge_probe
from jaxlint.verify.probe.sandbox import Child
from jaxlint.verify.probe.targets import GivenInputs, ModulePlan, plan_module
from jaxlint.verify.verify_options import VerifyOptions
from tests.rulebook_blocks import Block, rulebook_blocks
from tests.verify.probe.pages import as_module

pytestmark = [pytest.mark.jax, pytest.mark.slow]

#: Rules of which the probe proves one half (the line is traced, the object changes, the function is traced twice) and
#: the check the other (that it matters, and has no purpose): any line that shows the first half is
#: `confirmed`, if it is ever flagged.
STATIC_HALF = frozenset(
    {
        "argument-mutation", "bound-method-jit", "captured-mutation", "constant-key", "global-mutation",
        "host-rng-in-traced-code", "io-in-traced-code", "jit-in-function", "jit-in-loop", "mutable-global-read",
        "key-reuse-in-loop", "same-key-across-batch", "self-mutation", "untracked-static-state",
        "varying-static-argument",
    }
)  # fmt: skip


def blocks() -> list[Block]:
    kept = (block for block in rulebook_blocks() if block.kind in ("good", "silent", "fixed"))
    return [b for b in kept if b.slug not in STATIC_HALF and not b.requires and b.options.get("run") != "no"]


def flagged_everywhere(path: Path, slug: str, code: str) -> Iterator[Diagnostic]:
    """A finding at each call, comparison, subscript and simple statement of the block."""
    rule, lines, tree = registry()[slug], code.splitlines(), ast.parse(code)
    end = next(node.lineno for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "demonstrate")
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Call, ast.Compare, ast.Subscript, ast.Assign, ast.AugAssign, ast.Expr)):
            continue
        column = len(lines[node.lineno - 1].encode()[: node.col_offset].decode()) + 1
        span = Span(node.lineno, column, node.end_lineno or node.lineno, (node.end_col_offset or 0) + 1)
        if node.lineno < end:
            yield Diagnostic(
                str(path), span, slug, rule.code, rule.family, rule.category, rule.category.severity,
                Confidence.LIKELY, "", fingerprint=fingerprint(slug, path.name, "", repr(span), 0),
            )  # fmt: skip


def plan_of(path: Path, block: Block, code: str, child: Child) -> ModulePlan:
    settings = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(path.parent))
    outline = outlines(child, [str(path)])[str(path)]
    findings = list(flagged_everywhere(path, block.slug, code))
    root = str(path.parent)
    return plan_module(outline, [], findings, root, settings.analysis(root), GivenInputs({}, {}))


def test_nothing_is_confirmed_in_good_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XLA_FLAGS", "--xla_force_host_platform_device_count=8")  # as the pages on meshes want it
    confirmed = []
    judged = 0
    with Child(sys.executable, None, 60) as child:
        for number, block in enumerate(blocks()):
            code = as_module(block)
            path = tmp_path / f"block_{number}.py"
            path.write_text(code, encoding="utf-8")
            plan = plan_of(path, block, code, child)
            texts = {str(path): code.splitlines()}
            run = ModuleRun(plan) if plan.refused else run_module(child, plan, VerifyOptions(), texts)
            for finding in plan.findings:
                verdict = judge_probe(finding, run, "")
                judged += verdict.verdict in (Verdict.REFUTED, Verdict.NOT_REPRODUCED)
                if verdict.verdict is Verdict.CONFIRMED:
                    confirmed.append((str(block), finding.span.line, verdict.evidence))
    assert confirmed == []
    assert judged > 500
