"""`jaxlint config`: the settings that there are."""

from __future__ import annotations

import os
import sys

from jaxlint.engine.exit_codes import CLEAN
from jaxlint.files.console import write_stdout
from jaxlint.report.paint import Paint, wants_color


def run_config(key: str | None, json_schema: bool, color: str) -> int:
    """`jaxlint config`: what there is to set."""
    if json_schema:
        from jaxlint.config.json_schema import settings_schema
        from jaxlint.report.json_text import json_text

        write_stdout([json_text(settings_schema())])
        return CLEAN
    from jaxlint.report.settings_list import key_lines, keys_lines

    paint = Paint(wants_color(color, sys.stdout, os.environ))
    write_stdout(list(key_lines(key, paint) if key else keys_lines(paint)))
    return CLEAN
