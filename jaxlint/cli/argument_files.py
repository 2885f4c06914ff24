"""`@FILE` on the command line: the arguments that a file holds, one to a line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Final

from jaxlint.config.errors import ConfigError

_MAX_BYTES: Final = 16 * 1024 * 1024
#: Names that are files to check: a hook hands over what is called `@x.py` without a thought.
_CHECKED: Final = (".py", ".ipynb", ".pyi")


def expanded(arguments: Iterable[str]) -> Iterator[str]:
    """The arguments with each `@FILE` before a `--` replaced by the lines of that file; empty lines say nothing.

    What a file holds is not expanded again. Raises ConfigError for a file that cannot be read.
    """
    is_option = True
    for argument in arguments:
        is_option = is_option and argument != "--"
        if is_option and len(argument) > 1 and argument[0] == "@" and not argument.endswith(_CHECKED):
            yield from _lines(argument[1:])
        else:
            yield argument


def _lines(path: str) -> list[str]:
    from jaxlint.files.discovery import read_bytes

    try:
        text = os.fsdecode(read_bytes(path, _MAX_BYTES))
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", f"@{path}") from None
    if "\0" in text:
        raise ConfigError("is not a list of arguments, one to a line", f"@{path}")
    return [line for line in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n") if line]
