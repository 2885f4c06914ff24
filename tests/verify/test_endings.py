"""What a run shows where traces end: refused results, the last error, and changes of copies of arguments."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from tests.verify.observing import PROGRAMS, verify

_MARK = re.compile(r"# (confirmed|not-reached): ([a-z-]+)$", re.MULTILINE)


def test_ends_of_traces(tmp_path: Path) -> None:
    source = PROGRAMS / "endings.py"
    shutil.copy(source, tmp_path)
    report = tmp_path / "report.json"
    options = ("--isolated", "--output-format", "json", "-o", str(report), "endings.py")
    run = verify(*options, "--", sys.executable, "endings.py", cwd=tmp_path)
    assert report.exists(), run.stderr
    findings = json.loads(report.read_text())["findings"]
    judged = {(f["line"], f["verdict"], f["rule"]) for f in findings if f["source"] == "check"}
    text = source.read_text()
    marked = {(text.count("\n", 0, mark.start()) + 1, *mark.groups()) for mark in _MARK.finditer(text)}
    assert marked <= judged
    assert {rule for _, _, rule in judged - marked} <= {"argument-mutation"}
    seen = [f for f in findings if f["rule"] == "argument-mutation"]
    assert {f["message"].split("`")[1] for f in seen} == {"batch"}, seen
    assert len(seen) == 1  # the counter: all others are for the function itself
