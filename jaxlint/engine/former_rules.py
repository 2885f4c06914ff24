"""Rules that went by another name, or that there are no more: old settings and comments go on being understood.

A rule that is renamed gets an entry for its old slug, one that gets another code one for its old code; entries are
never removed, and what stands here is never given to another rule.
"""

from __future__ import annotations

from typing import Final

#: The slug that an old slug or code stands for today.
RENAMED: Final[dict[str, str]] = {}
#: Why there is no such rule any more, as half a sentence; by slug and by code.
RETIRED: Final[dict[str, str]] = {}


def current(selector: str) -> str:
    """The selector by its name of today."""
    return RENAMED.get(selector, selector)


def told(selector: str) -> str | None:
    """What to tell who names a rule as it was named before; None where there is nothing to tell."""
    if selector in RENAMED:
        return f"`{selector}` is named `{RENAMED[selector]}` now"
    if selector in RETIRED:
        return f"there is no rule `{selector}` any more: {RETIRED[selector]}"
    return None
