"""Why the analysis did not know what it needed: causes by kind, and where an entry of `like` would help."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final

#: The kinds of causes, by how the analysis words them; what fits none is `something else`.
_KINDS: Final = (
    (re.compile(r"call of |result of |an object of |`\.\w+\(\)` of "), "calls whose result is not known"),
    (re.compile(r"attribute |field |a member of "), "attributes"),
    (re.compile(r"parameter"), "parameters that nothing is known of"),
    (re.compile(r".*(calls itself|nested too deep|too many ways)"), "calls that were not followed"),
    (re.compile(r"an? (item|element|key|deleted item|part) "), "items of containers"),
    (re.compile(r"global|.* (unbound|not bound here)"), "names whose value is not known"),
)
_CALLED: Final = re.compile(r"call of `((?:\w+\.)+\w+)`")
OTHER: Final = "something else"


def by_kind(causes: Mapping[str, int]) -> dict[str, int]:
    """The causes counted by kind, the most frequent first."""
    counts: Counter[str] = Counter()
    for cause, count in causes.items():
        counts[next((kind for pattern, kind in _KINDS if pattern.match(cause)), OTHER)] += count
    return dict(counts.most_common())


def candidates(causes: Mapping[str, int], imported: Collection[str]) -> dict[str, int]:
    """The functions of imported modules whose calls hide most: what to write `[[tool.jaxlint.like]]` entries for."""
    counts: Counter[str] = Counter()
    for cause, count in causes.items():
        match = _CALLED.fullmatch(cause)
        if match is None:
            continue
        module = match[1].rpartition(".")[0]
        if module in imported and module.partition(".")[0] not in sys.stdlib_module_names:
            counts[match[1]] += count
    return dict(counts.most_common(5))
