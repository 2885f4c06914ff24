"""The table of proofs: a row for every rule, the same in the docs; and what runs in the user's interpreter."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from jaxlint.rules.rule import registry
from jaxlint.verify.probe.proof_table import PROBE_PROOFS

ROOT = Path(__file__).resolve().parents[3]
CHILD = ROOT / "jaxlint" / "verify" / "probe" / "child"
DOCS = ROOT / "docs" / "verify-probe-table.md"


def test_every_rule_has_a_row_and_every_row_a_rule() -> None:
    assert set(PROBE_PROOFS) == set(registry())


def test_the_docs_show_the_table() -> None:
    rows = [f"| `{slug}` | {proof.text} |" for slug, proof in PROBE_PROOFS.items()]
    shown = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert shown == rows


def test_the_child_knows_the_standard_library_and_jax_alone() -> None:
    allowed = {*sys.stdlib_module_names, "jax", "jaxlib", "numpy"}
    found = set()
    for path in CHILD.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add((node.module or "").partition(".")[0])
    assert found <= allowed


def test_the_child_starts_without_jax() -> None:
    """Reading files must not cost an import of JAX: only the modules of a probe may name it at their top."""
    for name in ("main", "outline", "guard", "job", "__init__"):
        tree = ast.parse((CHILD / f"{name}.py").read_text(encoding="utf-8"))
        top = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert not [n for n in top if isinstance(n, ast.Import) and n.names[0].name.partition(".")[0] == "jax"], name
