"""Where two uses of a key part ways, and where it was first used: what its later uses have in common."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import Place
from jaxlint.analysis.domain.state import KeyUse, Step


def divergence(theirs: tuple[Step, ...], mine: tuple[Step, ...]) -> Step:
    """The step of `mine` in the last invocation that both chains of calls share."""
    shared = mine[0]
    for step, other in zip(mine, theirs):
        if step.frame != other.frame:
            break
        shared = step
    return shared


def first_use(uses: tuple[KeyUse, ...], chain: tuple[Step, ...]) -> Place:
    """Where a key with these uses was used first, as seen from a later use of it."""
    step = divergence(chain, uses[0].chain)
    return Place(step.path, step.at)
