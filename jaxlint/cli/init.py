"""`jaxlint init`: a first set of settings, all commented out, and a hook if there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Final

from jaxlint.config import ConfigError
from jaxlint.config.roots import OWN_FILE, PYPROJECT
from jaxlint.config.toml_document import read_document
from jaxlint.engine.command_line import working_directory
from jaxlint.engine.exit_codes import CLEAN, WRONG
from jaxlint.files.console import write_file, write_stderr, write_stdout
from jaxlint.report.paint import is_terminal

HOOK_FILE: Final = ".pre-commit-config.yaml"

_SETTINGS: Final = """\
# `jaxlint config` lists all settings, `jaxlint config KEY` explains one.
# target-jax = "0.4.30"          # JAX version that the code runs on
# extend-select = ["pedantic"]   # rules to run in addition to the default ones
# ignore = []                    # rules not to run
# min-confidence = "certain"     # minimum confidence to report; default: likely
# extend-exclude = []            # files and folders to skip
"""
_IGNORES: Final = """\
# "experiments/**" = ["random"]
"""
#: Runs what is installed: there is no address yet that every machine can fetch the hook from.
_HOOK: Final = """\
  - repo: local
    hooks:
      - id: jaxlint
        name: jaxlint
        entry: jaxlint check --force-exclude
        language: system
        types_or: [python, jupyter]
        require_serial: true
"""


_NEXT: Final = """\
Next:
  jaxlint check                    report findings; `jaxlint explain RULE` explains one
  jaxlint check --write-baseline   in an existing code base: report only new findings from now on
  jaxlint config                   list all settings; `jaxlint rules` lists the rules
"""


class _SettingsExistError(ConfigError):
    """There are settings already."""


def run_init(hook: bool | None) -> int:
    """`jaxlint init`: settings, and a hook where one is wanted."""
    folder = working_directory()
    if hook and has_hook_file(folder):
        error = ConfigError("already exists; add this to its `repos:`", HOOK_FILE)
        for line in (f"jaxlint: error: {error}", *_HOOK.splitlines()):
            write_stderr(line)
        return WRONG
    write_stdout([_first_settings(folder, may_exist=bool(hook))])
    if hook is None:
        hook = is_terminal(sys.stdin) and is_terminal(sys.stdout) and not has_hook_file(folder) and _asks_for_hook()
    if hook:
        write_hook(folder)
        write_stdout([f"Wrote {HOOK_FILE}; run `pre-commit install` to check each commit"])
    write_stdout(_NEXT.splitlines())
    return CLEAN


def _first_settings(folder: str, *, may_exist: bool) -> str:
    """Write the settings, and say so; someone who asks for the hook may have them already."""
    try:
        return f"Added settings to {write_settings(folder)}, all commented out"
    except _SettingsExistError as error:
        if may_exist:
            return f"Kept the settings in {error.path}"
        raise


def _asks_for_hook() -> bool:
    import click

    return click.confirm("Run jaxlint before each commit, with pre-commit?", default=False)


def write_settings(folder: str) -> str:
    """Write the settings of a project, into its `pyproject.toml` where it has one, and give the name of the file.

    Raises ConfigError where there are settings already, and where the file cannot be read or written.
    """
    own, project = os.path.join(folder, OWN_FILE), os.path.join(folder, PYPROJECT)
    if os.path.lexists(own):
        raise _SettingsExistError("jaxlint settings already exist", OWN_FILE)
    if not os.path.lexists(project):
        write_file(own, _lines(_SETTINGS, "per-file-ignores"))
        return OWN_FILE
    document = read_document(project)
    if "jaxlint" in document.values.get("tool", {}):
        line, column = document.place(("tool", "jaxlint"))
        raise _SettingsExistError("jaxlint settings already exist", PYPROJECT, line, column)
    with open(project, encoding="utf-8", newline="") as file:
        text = file.read()
    end = "\r\n" if "\r\n" in text else "\n"
    added = list(_lines(f"[tool.jaxlint]\n{_SETTINGS}", "tool.jaxlint.per-file-ignores"))
    body = text.rstrip("\r\n")
    write_file(project, [end.join((body, "", *added) if body else added) + end[:-1]])
    return PYPROJECT


def write_hook(folder: str) -> None:
    """Write the configuration of pre-commit, where there is none."""
    write_file(os.path.join(folder, HOOK_FILE), ["repos:", *_HOOK.splitlines()])


def has_hook_file(folder: str) -> bool:
    """Whether pre-commit is configured there."""
    return os.path.lexists(os.path.join(folder, HOOK_FILE))


def _lines(settings: str, ignores: str) -> Iterator[str]:
    yield from settings.splitlines()
    yield ""
    yield f"# [{ignores}]"
    yield from _IGNORES.splitlines()
