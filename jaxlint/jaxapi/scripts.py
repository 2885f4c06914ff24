"""What a script asks for in its header: inline script metadata, as packaging tools read it.

https://packaging.python.org/en/latest/specifications/inline-script-metadata/
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

from jaxlint.jaxapi.lifetimes import Release
from jaxlint.jaxapi.requirements import LIBRARIES, allowed, oldest_told, read, written

_START: Final = "# /// script"
_HEADER: Final = re.compile(r"(?m)^# /// script$\s(?P<content>(?:^#(?:| .*)$\s)+)^# ///$")


def script_releases(text: str) -> tuple[Release, ...]:
    """The releases that the header of a script allows of JAX and other libraries; empty where it has none."""
    header = _HEADER.search(text) if _START in text else None
    if header is None:
        return ()
    stated = [read(each) for each in _dependencies(header["content"])]
    ranges = ((library, allowed(library, stated, [])) for library in dict.fromkeys(LIBRARIES.values()))
    found = ((name, oldest_told(name, r.oldest), r.newest) for name, r in ranges if r is not None)
    return tuple(Release(name, written(oldest), written(newest)) for name, oldest, newest in found if oldest or newest)


def _dependencies(content: str) -> Iterator[str]:
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        values: dict[str, Any] = toml.loads("".join(line[2:] or "\n" for line in content.splitlines(keepends=True)))
    except (toml.TOMLDecodeError, RecursionError):
        return
    stated = values.get("dependencies")
    yield from (each for each in stated if isinstance(each, str)) if isinstance(stated, list) else ()
