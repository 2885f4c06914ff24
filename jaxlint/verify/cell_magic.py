"""`%%jaxlint`: a cell of a notebook runs observed, and what JAX traced and compiled in it is shown below."""

from __future__ import annotations

import sys
from typing import Any

from jaxlint.verify.in_process import observed_block, process_session


def register(shell: Any) -> None:  # noqa: ANN401 - IPython's own class
    """Add the magic, and begin to observe: functions that are jitted from now on are seen."""
    process_session()

    def jaxlint(line: str, cell: str) -> None:
        """Run a cell observed; `%%jaxlint quiet` shows the report only where something was compiled again."""
        with observed_block() as report:
            shell.run_cell(cell)
        if line.strip() != "quiet" or report.recompilations or report.findings:
            sys.stdout.write(report.text() + "\n")

    shell.register_magic_function(jaxlint, magic_kind="cell", magic_name="jaxlint")
