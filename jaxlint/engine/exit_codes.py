"""The exit codes of all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jaxlint.diagnostics import Severity
    from jaxlint.engine.result import Result

CLEAN: Final = 0
#: `check` found something, or would change something.
FOUND: Final = 1
#: Something is over a limit that `verify` was given.
GATE_FAILED: Final = 1
#: The command was used wrongly, or could not do its work.
WRONG: Final = 2
#: The platform that `verify` was to run on is not there.
PLATFORM_ABSENT: Final = 3
#: A process that `verify` observed or probed ended before its time.
INCOMPLETE: Final = 4
INTERRUPTED: Final = 130


def exit_code(result: Result, fail_level: Severity) -> int:
    """The exit code of a check: whether something is left that is as severe as `fail_level`."""
    return FOUND if any(found.severity.rank <= fail_level.rank for found in result.diagnostics) else CLEAN
