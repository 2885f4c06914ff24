"""What there is to set, for `jaxlint config`: all settings in a line each, or one of them in full."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator
from typing import Final

from jaxlint.config import ConfigError, suggestion
from jaxlint.config.documentation import DOCUMENTATION
from jaxlint.config.schema import KEYS, Choice, Group
from jaxlint.report.paint import Paint, columns
from jaxlint.report.settings_in_force import toml_text

_WHERE: Final = {
    Group.SHOWN: "any settings file; the nearest one above a file applies",
    Group.ANALYSIS: "the settings file at the project root only",
    Group.RUN: "the settings file at or above the checked folder",
}


def keys_lines(paint: Paint) -> Iterator[str]:
    """Each setting with the first sentence about it."""
    longest = max(map(len, KEYS))
    for name in KEYS:
        yield f"{paint.strong(f'{name:<{longest}}')}  {_first(DOCUMENTATION[name].summary)}"
    yield ""
    yield "Put settings under [tool.jaxlint] in pyproject.toml, or at the top level of jaxlint.toml."
    yield "`jaxlint config KEY` explains one. `jaxlint check --show-settings FILE` prints the settings of a file."


def key_lines(name: str, paint: Paint) -> Iterator[str]:
    """One setting: what it means, what it may be, where it stands. Raises ConfigError for one that there is not."""
    if name not in KEYS:
        raise ConfigError(f"unknown setting `{name}`{suggestion(name.replace('_', '-'), KEYS)}")
    key, documented = KEYS[name], DOCUMENTATION[name]
    yield paint.strong(name)
    yield ""
    yield from textwrap.wrap(documented.summary, min(columns(os.environ, sys.stdout), 100), break_on_hyphens=False)
    yield ""
    if isinstance(key.check, Choice):
        yield f"values:       {', '.join(toml_text(choice) for choice in key.check.choices)}"
    if documented.default is not None:
        yield f"default:      {toml_text(documented.default)}"
    yield f"example:      {documented.example}"
    yield f"set in:       {_WHERE[key.group]}"
    if key.from_text is not None:
        listed = "  (comma-separated)" if isinstance(documented.default, list) or name == "src" else ""
        yield f"environment:  JAXLINT_{name.upper().replace('-', '_')}{listed}"


def _first(text: str) -> str:
    """The first sentence, up to what a semicolon or a colon adds."""
    sentence = text.partition(". ")[0].removesuffix(".")
    return sentence.partition(";")[0]
