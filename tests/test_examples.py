"""The example of the README: the mistakes planted in it, and nothing else, are found."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PLANTED = {
    ("make_spirals", "key-reuse"),
    ("init_params", "key-reuse-in-loop"),
    ("init_params", "discarded-at-update"),
    ("train_step", "global-mutation"),
    ("train_step", "captured-mutation"),
    ("train_step", "print-in-traced-code"),
    ("evaluate", "boolean-mask-index"),
    ("evaluate", "traced-branch"),
    ("evaluate", "concretization"),
    ("evaluate", "non-array-result"),
    ("confusion_matrix", "in-place-augmented-assignment"),
    ("train", "key-reuse"),
    ("train", "unsynchronized-timing"),
    ("main", "unhashable-static-argument"),
}


def function_at(source: str, line: int) -> str:
    functions = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
    return next(node.name for node in functions if node.lineno <= line <= (node.end_lineno or 0))


def test_the_planted_mistakes_are_found() -> None:
    command = [sys.executable, "-m", "jaxlint", "check", "--no-cache", "--isolated", "--output-format", "json", "."]
    done = subprocess.run(command, cwd=EXAMPLES, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    source = (EXAMPLES / "train.py").read_text(encoding="utf-8")
    found = [(function_at(source, item["line"]), item["rule"]) for item in json.loads(done.stdout)["diagnostics"]]
    assert sorted(found) == sorted(PLANTED)
