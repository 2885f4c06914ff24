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
from jaxlint.engine.command_line import SettingsOptions, find_inputs
from jaxlint.engine.result import Result

_FOLDER: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from jaxlint.engine.check_apart import main; main()"


def check_quietly(paths: Sequence[str], options: SettingsOptions) -> Result:
    """What `check` finds in the paths, with all warnings in the result. Raises ConfigError."""
    inputs = find_inputs(paths, options)
    result = check_inputs(inputs, options)
    return replace(result, warnings=(*inputs.discovery.warnings, *inputs.configuration.warnings, *result.warnings))


def check_apart(paths: Sequence[str], options: SettingsOptions) -> Result:
    """The same, from another process. Raises ConfigError."""
    command = [sys.executable, "-I", "-c", _BOOT, _FOLDER]
    done = subprocess.run(command, input=pickle.dumps((list(paths), options)), capture_output=True, check=False)
    try:
        answer = pickle.loads(done.stdout)
    except (EOFError, pickle.UnpicklingError):
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ConfigError(f"the check ended with exit code {done.returncode}: {said[-1] if said else ''}") from None
    if isinstance(answer, ConfigError):
        raise answer
    assert isinstance(answer, Result)
    return answer


def main() -> None:
    """Do the check that standard input asks for, and answer on standard output."""
    paths, options = pickle.load(sys.stdin.buffer)
    try:
        answer: Result | ConfigError = check_quietly(paths, options)
    except ConfigError as error:
        answer = error
    sys.stdout.buffer.write(pickle.dumps(answer))
