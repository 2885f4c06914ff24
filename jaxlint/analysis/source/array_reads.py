"""Attributes that code takes columns of, as no list has them: they hold arrays, whatever their annotation says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.values import ListCell, Object, Value
from jaxlint.analysis.machine.project_questions import about_all_files, about_one_file
from jaxlint.analysis.source.file_nodes import nodes_of
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def contradicts(it: Interpreter, name: str, annotated: Value) -> bool:
    """Whether an attribute of this name is annotated as a list and indexed along several axes somewhere."""
    is_list = isinstance(annotated, Object) and isinstance(it.cell(annotated), ListCell)
    return is_list and _is_indexed_along_axes(it, name)


@about_all_files
def _is_indexed_along_axes(it: Interpreter, name: str) -> bool:
    """Whether a file has an expression as `x.name[:, 0]`."""
    return any(name in _indexed(it, source.module.body) for source in it.project.files.values())


@about_one_file
def _indexed(it: Interpreter, body: ir.Block) -> frozenset[str]:
    """The attributes that a file indexes along several axes."""
    return frozenset(
        node.base.attr
        for node in nodes_of(it, body, ir.Subscript)
        if isinstance(node.base, ir.Attribute) and len(node.index) > 1
    )
