"""Stored verdicts: of probes as of observed runs, shown together, and only while what they speak of is as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.observing import PYTHON, ROOT, verify

CODE = """
import sys
import jax
import jax.numpy as jnp


@jax.jit
def branch(x):
    if x.sum() > 0:
        return x
    return -x


@jax.jit
def convert(x, n=None):
    if n is None:
        return x
    return float(x)


if __name__ == "__main__":
    try:
        branch(jnp.ones(3))
    except jax.errors.TracerBoolConversionError:
        pass
    convert(1.0)
"""


def shown(folder: Path, *options: str) -> dict[str, str | None]:
    """The verdicts that `check` shows by rule."""
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--output-format", "json", *options, "model.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    return {d["rule"]: d["verdict"] for d in json.loads(done.stdout)["diagnostics"]}


@pytest.mark.jax
def test_verdicts_of_probes_and_of_runs_are_shown_together(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(CODE)
    observed = verify("--isolated", "--verdicts", "run.json", "--", PYTHON, "model.py", cwd=tmp_path)
    assert observed.returncode == 0, observed.stderr
    asked = ("--probe", "model.py::convert", "--arg", "x=f32[]", "--arg", "n=static:1")
    probed = verify("--isolated", "--verdicts", "out/probe.json", *asked, cwd=tmp_path)
    assert probed.returncode == 2
    assert "out/probe.json: cannot be written" in probed.stderr
    probed = verify("--isolated", "--verdicts", "probe.json", *asked, cwd=tmp_path)
    assert probed.returncode == 0, probed.stderr
    of_run = {"traced-branch": "confirmed", "concretization": "not-reached"}
    of_probe = {"traced-branch": None, "concretization": "confirmed"}  # a function that is named is probed alone
    assert shown(tmp_path, "--verdicts", "run.json") == of_run
    assert shown(tmp_path, "--verdicts", "probe.json") == of_probe
    both = shown(tmp_path, "--verdicts", "probe.json", "--verdicts", "run.json")
    assert both == {"traced-branch": "confirmed", "concretization": "confirmed"}
    (row,) = [r for r in json.loads((tmp_path / "probe.json").read_text())["verdicts"] if r["verdict"] == "confirmed"]
    assert "--arg=n=static:1" in row["inputs"]
    (tmp_path / "model.py").write_text(CODE.replace("def convert", "@jax.named_call\ndef convert"))
    assert shown(tmp_path, "--verdicts", "probe.json") == {"traced-branch": None, "concretization": None}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no file of verdicts"),
        ("[]", "is no file of verdicts"),
        ('{"schema_version": 1, "verdicts": [{"fingerprint": "0"}]}', "is no file of verdicts"),
        pytest.param("[" * 100_000, "is nested too deep for a file of verdicts", id="nested"),
        ('{"schema_version": 2, "verdicts": []}', "has schema version 2, not 1"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "model.py").touch()
    (tmp_path / "v.json").write_text(text)
    command = [sys.executable, "-m", "jaxlint", "check", "--isolated", "--verdicts", "v.json", "model.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
