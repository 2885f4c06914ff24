"""What a run shows of loops: waits, copies, arrays that grow, rows, derivatives and unrolled passes."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from jaxlint.verify.run_proofs import RUN_PROOFS
from tests.verify.observing import PROGRAMS, verify

RULES = sorted(
    slug
    for slug, proof in RUN_PROOFS.items()
    if proof.watch == "passes" or slug in ("unjitted-hot-loop", "jnp-on-static-value")
)
_MARK = re.compile(r"# (confirmed|refuted|not-reproduced): ([a-z-]+)$", re.MULTILINE)


def test_each_rule_on_loops_is_judged_as_marked(tmp_path: Path) -> None:
    source = PROGRAMS / "passes.py"
    shutil.copy(source, tmp_path)
    (tmp_path / "pyproject.toml").write_text(f"[tool.jaxlint]\npreview = true\nselect = {json.dumps(RULES)}\n")
    report = tmp_path / "report.json"
    run = verify(
        "--output-format", "json", "-o", str(report), "passes.py", "--", sys.executable, "passes.py", cwd=tmp_path
    )
    assert report.exists(), run.stderr
    judged = {
        (found["line"], found["verdict"], found["rule"])
        for found in json.loads(report.read_text())["findings"]
        if found["source"] == "check"
    }
    text = source.read_text()
    marked = {(text.count("\n", 0, mark.start()) + 1, *mark.groups()) for mark in _MARK.finditer(text)}
    assert judged == marked
    assert {rule for _, _, rule in marked} == set(RULES)
