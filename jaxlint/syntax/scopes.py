"""What any lowering keeps of a scope while it is being filled, and how it names modules."""

from __future__ import annotations

from typing import Final

from jaxlint.syntax import ir

#: One for all scopes: each other one takes more room than the statement that it would belong to.
_NONE: Final = frozenset[str]()


class Frame:
    """A scope while it is being filled. `prefix` opens the qualified names of what it defines."""

    __slots__ = ("bound", "globals", "is_generator", "nonlocals", "prefix")

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.bound: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.is_generator = False

    def qualname(self, name: str) -> str:
        """Return `__qualname__` of a definition made in this scope."""
        return name if name in self.globals else self.prefix + name

    def scope(self) -> ir.Scope:
        """Freeze the scope: names declared global or nonlocal are not bound here."""
        bound = frozenset(self.bound - self.globals - self.nonlocals)
        return ir.Scope(bound, frozenset(self.globals) or _NONE, frozenset(self.nonlocals) or _NONE)


def absolute_module(importer: str, module: str, level: int, *, is_package: bool) -> str:
    """Make a module name absolute that `importer` writes with `level` leading dots.

    What reaches above the top keeps its dots, so that it never looks like another module's name.
    """
    if not level:
        return module
    package = importer.split(".") if importer else []
    keep = len(package) - (level - 1 if is_package else level)
    if keep <= 0:
        return "." * level + module
    return ".".join([*package[:keep], module] if module else package[:keep])
