"""Attributes of objects that a framework makes anew for each call: what is stored there is needed no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import class_fields
from jaxlint.analysis.domain.values import Value, atoms_of, level_of
from jaxlint.analysis.python import classes
from jaxlint.analysis.source import method_effects
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def is_scratch(it: Interpreter, receiver: Value, name: str, value: Value, source: ir.Expr | None) -> bool:
    """Whether an object that is made for each call loses nothing of what is stored in its attribute.

    The attribute is one method's own affair; or each pass of an inner trace would store the same, and no array.
    `source` is what the value is made of; None where that is what the attribute was before.
    """
    cls = classes.class_of(it, receiver)
    if cls is None or not any(it.api.has(base, "made-per-call") for base in class_fields.library_bases(cls)):
        return False
    return method_effects.is_scratch(it, cls, name) or not (
        source is None or _reads(source, name) or any(level_of(atom) for atom in atoms_of(value))
    )


def _reads(source: ir.Expr, name: str) -> bool:
    """Whether an expression reads an attribute of this name."""
    return any(isinstance(node, ir.Attribute) and node.attr == name for node in walks.nodes(source))
