"""Where the page about a rule can be opened."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from jaxlint.diagnostics import Diagnostic


def page_address(diagnostic: Diagnostic) -> str | None:
    """The address of the page about a finding: its own where it has one, else that of the page that is installed."""
    return diagnostic.url or installed_page(diagnostic.rule)


@lru_cache(maxsize=128)
def installed_page(rule: str) -> str | None:
    """The URI of a rule's page as it is installed here; None where there is none."""
    from jaxlint.engine.rulebook import page_file

    path = page_file(rule)
    return Path(path).as_uri() if path else None
