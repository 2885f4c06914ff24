"""The version of jaxlint, readable without package metadata, and the address of its documentation."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"

#: Where the documentation is published, with a slash at the end; None until it is. A release sets it here alone: the
#: links of findings, SARIF, the language server and the `site_url` of the site follow.
DOCUMENTATION: Final[str | None] = None


def rule_address(slug: str, documentation: str | None = DOCUMENTATION) -> str | None:
    """The address of a rule's page; None while the documentation has no public home."""
    return None if documentation is None else f"{documentation}rules/{slug}/"
