"""A check in a process of its own, for processes that must not fork: JAX's threads do not survive that."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jaxlint.config.errors import ConfigError
from jaxlint.engine.check_paths import check_inputs
from jaxlint.engine.command_line import Inputs, SettingsOptions, find_inputs
from jaxlint.engine.result import Result

_FOLDER: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from jaxlint.engine.check_apart import main; main()"
#: The process: it reads a question on standard input, and answers on standard output.
COMMAND: Final = (sys.executable, "-I", "-c", _BOOT, _FOLDER)


def check_quietly(paths: Sequence[str], options: SettingsOptions) -> Result:
    """What `check` finds in the paths, with all warnings in the result. Raises ConfigError."""
    inputs = find_inputs(paths, options)
    return _checked(inputs, options)


def _checked(inputs: Inputs, options: SettingsOptions) -> Result:
    result = check_inputs(inputs, options)
    return replace(result, warnings=(*inputs.discovery.warnings, *inputs.configuration.warnings, *result.warnings))


def check_apart(paths: Sequence[str], options: SettingsOptions) -> Result:
    """The same, from another process. Raises ConfigError."""
    done = subprocess.run(COMMAND, input=question(paths, options), capture_output=True, check=False)
    return answer(done.stdout, done.stderr, done.returncode)


def question(paths: Sequence[str], options: SettingsOptions, most_files: int | None = None) -> bytes:
    """What the process is asked; given a number of files, it works in the background and does not check more."""
    return pickle.dumps((list(paths), options, most_files))


def answer(output: bytes, errors: bytes, exit_code: int | None) -> Result:
    """What the process said. Raises ConfigError."""
    try:
        said = pickle.loads(output)
    except (EOFError, pickle.UnpicklingError):
        lines = errors.decode("utf-8", "replace").strip().splitlines()
        raise ConfigError(f"the check ended with exit code {exit_code}: {lines[-1] if lines else ''}") from None
    if isinstance(said, ConfigError):
        raise said
    assert isinstance(said, Result)
    return said


def main() -> None:
    """Do the check that standard input asks for, and answer on standard output."""
    paths, options, most_files = pickle.load(sys.stdin.buffer)
    try:
        said: Result | ConfigError = (
            check_quietly(paths, options) if most_files is None else _in_background(paths, options, most_files)
        )
    except ConfigError as error:
        said = error
    sys.stdout.buffer.write(pickle.dumps(said))


def _in_background(paths: Sequence[str], options: SettingsOptions, most_files: int) -> Result:
    if hasattr(os, "nice"):
        os.nice(10)
    inputs = find_inputs(paths, options)
    count = len(inputs.discovery.files)
    if count > most_files:
        raise ConfigError(f"{count} files are more than the {most_files} that are checked in the background")
    return _checked(inputs, options)
