"""Subkeys that only models get which a flag tells not to train: nothing is drawn from them.

A model is any function that is given a key together with such a flag; what the flag does is not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import Static
from jaxlint.analysis.source.ownership import statement_of
from jaxlint.analysis.typestate.rng_streams import TRAINING
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.frames import Frame


def only_evaluates(frame: Frame, at: int) -> bool:
    """Whether all that reads the keys of a split, here in a frame, is calls of models with their training off."""
    split = statement_of(frame.body, at)
    if not isinstance(split, ir.Assign):
        return False
    keys = {name for target in split.targets for name in walks.target_names(target)}
    last = max(walks.ordinals(split))
    behind = [node for node in walks.nodes(frame.body) if isinstance(node, ir.Name | ir.Call) and node.at > last]
    reads = sum(isinstance(node, ir.Name) and node.id in keys for node in behind)
    calls = [node for node in behind if isinstance(node, ir.Call) and any(_are_off(frame, node))]
    given = (value for call in calls for _, value in _given(call))
    return 0 < reads == sum(isinstance(value, ir.Name) and value.id in keys for value in given)


def _are_off(frame: Frame, call: ir.Call) -> Iterator[bool]:
    """For each flag that a call is given by its name, whether it is False."""
    for keyword, value in _given(call):
        name = keyword or (value.id if isinstance(value, ir.Name) else "")
        if name in TRAINING:
            known = frame.state.env.get(value.id) if isinstance(value, ir.Name) else None
            is_written = isinstance(value, ir.Constant) and value.value is False
            yield is_written or (isinstance(known, Static) and known.known and known.value is False)


def _given(call: ir.Call) -> Iterator[tuple[str | None, ir.Expr]]:
    """The arguments of a call, with the keywords that they are given by."""
    yield from ((None, value) for value in call.args)
    yield from call.keywords
