"""The order in which Python looks for an attribute in a class and its bases: the C3 linearization."""

from __future__ import annotations

from jaxlint.analysis.domain.values import ClassValue


def resolution_order(cls: ClassValue) -> list[ClassValue]:
    """The class and the bases that are classes of the project, each before its own bases.

    Where the bases cannot be ordered, Python refuses the class; they then follow each other as they are written.
    """
    bases = [base for base in cls.bases if isinstance(base, ClassValue) and base is not cls]
    return [cls, *_merged([*map(resolution_order, bases), bases])]


def _merged(orders: list[list[ClassValue]]) -> list[ClassValue]:
    """One order that keeps all of these: the first class that stands behind another one nowhere is next."""
    merged: list[ClassValue] = []
    while orders := [order for order in orders if order]:
        heads = [order[0] for order in orders]
        behind = {id(each) for order in orders for each in order[1:]}
        chosen = next((head for head in heads if id(head) not in behind), heads[0])
        merged.append(chosen)
        orders = [[each for each in order if each is not chosen] for order in orders]
    return merged
