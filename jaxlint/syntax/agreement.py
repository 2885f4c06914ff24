"""Whether two readings of a file are the same: of equal nodes, types of constants included."""

from __future__ import annotations

from typing import Any


def agree(one: Any, other: Any) -> bool:  # noqa: ANN401 - nodes of the intermediate representation, or parts of them
    """Whether two trees are equal, which `==` does not tell: it takes `1` for `True` and nodes for other tuples."""
    stack = [(one, other)]
    while stack:
        left, right = stack.pop()
        if left is right:
            continue
        if left.__class__ is not right.__class__:
            return False
        if not isinstance(left, tuple):
            if left != right and not (left != left and right != right):  # noqa: PLR0124 - not a number is not itself
                return False
            if isinstance(left, float) and str(left) != str(right):
                return False
        elif len(left) != len(right):
            return False
        else:
            stack.extend(zip(left, right, strict=True))
    return True
