"""The colours of reports: roles, not escape codes, and plain text where colour is off."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TextIO

from jaxlint.diagnostics import Severity

_RESET: Final = "\x1b[0m"
_BOLD: Final = "1"
_SEVERITIES: Final = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


@dataclass(frozen=True, slots=True)
class Paint:
    """Wraps text in the colour of its role, when `enabled`; with `has_links`, in links that a terminal opens."""

    enabled: bool
    has_links: bool = False

    def _paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}{_RESET}" if self.enabled and text else text

    def link(self, text: str, address: str | None) -> str:
        """The text as a link to an address (OSC 8), where there is one and somebody to follow it."""
        if not (self.enabled and self.has_links and address):
            return text
        return f"\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\"

    def severity(self, text: str, severity: Severity) -> str:
        """What the finding is, and where: red, yellow or cyan."""
        return self._paint(text, _SEVERITIES[severity])

    def strong(self, text: str) -> str:
        """The sentence to read first."""
        return self._paint(text, _BOLD)

    def path(self, text: str) -> str:
        """A file's path."""
        return self._paint(text, _BOLD)

    def frame(self, text: str) -> str:
        """Line numbers, bars and arrows around source code."""
        return self._paint(text, "34")

    def evidence(self, text: str) -> str:
        """Secondary places and what they say."""
        return self._paint(text, "36")

    def good(self, text: str) -> str:
        """Good news."""
        return self._paint(text, "32")

    def removed(self, text: str) -> str:
        """Lines that a fix takes away."""
        return self._paint(text, "31")

    def faint(self, text: str) -> str:
        """Asides."""
        return self._paint(text, "2")


def wants_color(choice: str, stream: TextIO | None, environment: Mapping[str, str]) -> bool:
    """Whether to colour: as chosen, else on a terminal that can, unless NO_COLOR is set (https://no-color.org)."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return is_terminal(stream)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads the stream as it is written."""
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False


def columns(environment: Mapping[str, str], stream: TextIO | None) -> int:
    """The width to wrap prose at: that of the terminal, within reason."""
    stated = environment.get("COLUMNS", "")
    if stated.isdigit():
        return max(40, min(int(stated), 200))
    try:
        return max(40, min(os.get_terminal_size(stream.fileno() if stream else 1).columns, 200))
    except (OSError, ValueError, AttributeError):
        return 100
