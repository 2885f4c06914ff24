"""`--watch`: a check after each change of a file that can change its result."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

from jaxlint.cli.check import run_check
from jaxlint.cli.check_options import CheckOptions
from jaxlint.config import ConfigError
from jaxlint.config.roots import forget_roots
from jaxlint.engine.exit_codes import CLEAN
from jaxlint.files.console import write_stderr, write_stdout
from jaxlint.files.discovery import STDIN
from jaxlint.report.paint import is_terminal

_SUFFIXES: Final = (".py", ".ipynb", ".md", ".markdown", ".qmd", ".toml")
_NAMES: Final = (".gitignore", "setup.cfg")
_IGNORED: Final = (".jaxlint_cache",)
#: Milliseconds between two looks at Ctrl-C; the first passes before the first check.
_PAUSE: Final = 100
_CLEAR_SCREEN: Final = "\x1b[2J\x1b[H"


def run_watch(paths: Sequence[str], options: CheckOptions) -> int:
    """`jaxlint check --watch`: a check at first and after each change; a mistake in settings ends only its check."""
    if STDIN in paths:
        raise ConfigError("standard input does not change", key="--watch")
    for _ in rounds(paths or (".",)):
        forget_roots()
        if is_terminal(sys.stdout):
            write_stdout([_CLEAR_SCREEN])
        try:
            run_check(paths, options)
        except ConfigError as error:
            for each in error.all:
                write_stderr(f"jaxlint: error: {each}")
        write_stderr("jaxlint: watching for changes; Ctrl-C ends")
    return CLEAN


def rounds(paths: Iterable[str]) -> Iterator[None]:
    """Yield once at first, and then after each group of changes below the paths; nothing is missed in between.

    Raises ConfigError where the package that watches is not installed.
    """
    try:
        import watchfiles
    except ImportError:
        what = "needs the package watchfiles, which is not installed: install jaxlint with the extra `watch`"
        raise ConfigError(what, key="--watch") from None
    folders = sorted({path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths})
    changes = watchfiles.watch(
        *folders, watch_filter=_filter(watchfiles.DefaultFilter), yield_on_timeout=True, rust_timeout=_PAUSE
    )
    next(changes)  # now it watches
    yield
    for changed in changes:
        if changed:
            yield


def _filter(default: Callable[[], Any]) -> Callable[[Any, str], bool]:
    usual = default()

    def is_relevant(change: Any, path: str) -> bool:  # noqa: ANN401 - a type of the package that may be absent
        name = os.path.basename(path)
        # What a new folder holds may have been written before anybody watched it.
        if not name.endswith(_SUFFIXES) and name not in _NAMES and not os.path.isdir(path):
            return False
        return not any(part in _IGNORED for part in path.split(os.sep)) and bool(usual(change, path))

    return is_relevant
