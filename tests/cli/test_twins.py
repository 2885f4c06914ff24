"""A script that is kept beside a notebook is a file like any other: both are checked, and either can be left out."""

from __future__ import annotations

import json
from pathlib import Path

from jaxlint.api import check

CELLS = [
    "import jax",
    "@jax.jit\ndef step(x):\n    if x > 0:\n        return x\n    return -x",
]
HEADER = "# ---\n# jupyter:\n#   jupytext:\n#     formats: ipynb,py:percent\n# ---\n"
SCRIPT = HEADER + "".join(f"\n# %%\n{cell}\n" for cell in CELLS)


def twins(folder: Path) -> None:
    written = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in CELLS
    ]
    notebook = {
        "cells": written,
        "metadata": {"language_info": {"name": "python"}, "jupytext": {"formats": "ipynb,py:percent"}},
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    (folder / "train.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    (folder / "train.py").write_text(SCRIPT, encoding="utf-8")


def found(folder: Path) -> list[tuple[str, str]]:
    result = check([str(folder)], cache=False)
    return [(Path(each.path).name, each.rule) for each in result.diagnostics]


def test_both_are_checked(tmp_path: Path) -> None:
    twins(tmp_path)
    assert found(tmp_path) == [("train.ipynb", "traced-branch"), ("train.py", "traced-branch")]


def test_one_can_be_left_out(tmp_path: Path) -> None:
    twins(tmp_path)
    for setting in ('extend-exclude = ["train.ipynb"]', 'include = ["*.py"]'):
        (tmp_path / "jaxlint.toml").write_text(f"{setting}\n", encoding="utf-8")
        assert found(tmp_path) == [("train.py", "traced-branch")]
