"""A sample of generated programs is judged as JAX runs them; `benchmarks/differential.py` runs thousands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.agreement.program import without_statement

pytestmark = pytest.mark.jax

ROOT = Path(__file__).resolve().parents[2]

#: Of the sample, those that are judged in another way: of p59, which stores into an array or into a number, the rank
#: is not known; of p15, what `ExitStack.enter_context` gives.
KNOWN = {"p15", "p59"}


def test_a_sample_agrees() -> None:
    command = [sys.executable, "benchmarks/differential.py", "--seed", "sample", "--count", "80", "--verbose"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    compared = re.search(r"^(\d+) programs compared", done.stdout, re.MULTILINE)
    assert compared is not None
    assert int(compared[1]) >= 70
    judged_otherwise = set(re.findall(r"^(p\d+): (?:missed|alarm|elsewhere)", done.stdout, re.MULTILINE))
    assert judged_otherwise <= KNOWN, done.stdout


def test_a_statement_is_taken_out_where_it_stands() -> None:
    text = "def f(x):\n    if (\n        x > 0\n    ):\n        return x\n    return -x\n"
    shorter = without_statement(text, 3)
    assert shorter.split("\n")[1:6] == ["    pass", "", "", "", "    return -x"]
