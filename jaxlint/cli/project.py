"""What the commands do that are about a project and its settings rather than a check, and the check that goes on."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from jaxlint.cli.check import CLEAN, run_check, working_directory
from jaxlint.config import ConfigError
from jaxlint.files.console import write_stderr, write_stdout
from jaxlint.files.discovery import STDIN
from jaxlint.report.paint import Paint, is_terminal, wants_color

_CLEAR_SCREEN: Final = "\x1b[2J\x1b[H"


def run_watch(paths: Sequence[str], options: Mapping[str, Any]) -> int:
    """`jaxlint check --watch`: a check at first and after each change; a mistake in settings ends only its check."""
    from jaxlint.cli.watch_files import rounds
    from jaxlint.config.roots import forget_roots

    if STDIN in paths:
        raise ConfigError("standard input does not change", key="--watch")
    for _ in rounds(paths or (".",)):
        forget_roots()
        if is_terminal(sys.stdout):
            write_stdout([_CLEAR_SCREEN])
        try:
            run_check(paths, options)
        except ConfigError as error:
            write_stderr(f"jaxlint: error: {error}")
        write_stderr("jaxlint: watching for changes; Ctrl-C ends")
    return CLEAN


def run_init(hook: bool | None) -> int:
    """`jaxlint init`: settings, and a hook where one is wanted."""
    from jaxlint.cli.init import HOOK_FILE, has_hook_file, write_hook, write_settings

    folder = working_directory()
    if hook and has_hook_file(folder):
        raise ConfigError("there is one already; add the hook to its `repos:`, as docs/setup.md shows", HOOK_FILE)
    write_stdout([f"{write_settings(folder)}: settings of jaxlint, all of them comments"])
    if hook is None:
        hook = is_terminal(sys.stdin) and is_terminal(sys.stdout) and not has_hook_file(folder) and _asks_for_hook()
    if hook:
        write_hook(folder)
        write_stdout([f"{HOOK_FILE}: a hook that runs before each commit; `pre-commit install` turns it on"])
    write_stdout(["Next: jaxlint check. A code base with old findings: docs/adopting.md"])
    return CLEAN


def _asks_for_hook() -> bool:
    import click

    return click.confirm("Run jaxlint before each commit, with pre-commit?", default=False)


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
