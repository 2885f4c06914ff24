"""The body of a module: what raises in a cell of a notebook ends that cell, and the next one runs all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.syntax.layout import Cell
    from jaxlint.syntax.source import SourceFile


def run_body(it: Interpreter, source: SourceFile, body: ir.Block) -> None:
    """Interpret the statements of a module."""
    if source.layout is None:
        it.block(body)
        return
    ended: Cell | None = None
    for statement in body:
        if ended is not None and _cell_of(source, statement) == ended:
            continue
        ended = None if it.block((statement,)) else _cell_of(source, statement)


def _cell_of(source: SourceFile, statement: ir.Stmt) -> Cell | None:
    return None if source.layout is None else source.layout.cell_at(source.offsets(statement.at)[0])
