"""Notebooks for tests: built from the code of cells, laid out as one asks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

PYTHON = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code_cell(source: str | list[str], number: int = 0) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": None, "id": f"cell-{number}", "metadata": {}, "outputs": [],
        "source": source,
    }  # fmt: skip


def notebook(cells: Sequence[dict[str, Any]], metadata: Any = PYTHON) -> dict[str, Any]:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def of_code(*sources: str, indent: int | None = 1, metadata: Any = PYTHON) -> bytes:
    """A notebook as Jupyter writes it, with these code cells."""
    cells = [code_cell(source.splitlines(keepends=True), number) for number, source in enumerate(sources)]
    return (json.dumps(notebook(cells, metadata), indent=indent, ensure_ascii=False) + "\n").encode()
