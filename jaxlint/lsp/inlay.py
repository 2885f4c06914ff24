"""What is shown between the lines: which parameters are traced or static, shapes, and what a verification counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types

from jaxlint.lsp.capabilities import VERIFY
from jaxlint.lsp.open_documents import Document, Part

if TYPE_CHECKING:
    from jaxlint.analysis.project.assigned_arrays import AssignedArray
    from jaxlint.analysis.project.traced_functions import TracedFunction
    from jaxlint.syntax.source import SourceFile


def hints(
    document: Document, part: Part, where: types.Range, source: SourceFile, functions: Sequence[TracedFunction]
) -> Iterator[types.InlayHint]:
    """A word behind each parameter that is always traced, or always static, in a range of a part."""
    for function in functions:
        for parameter in function.function.parameters:
            kind = function.kind(parameter.at)
            span = source.span(parameter.at)
            if not kind or document.part_at(span.line) is not part:
                continue
            end = part.range(span).end
            if where.start.line <= end.line <= where.end.line:
                by = ", ".join(f"`{name}`" for name in function.transforms) or "a function that calls it"
                tooltip = f"`{parameter.name}` is {kind} where `{function.function.name}` is traced, by {by}"
                yield types.InlayHint(end, f" {kind}", types.InlayHintKind.Type, tooltip=tooltip)


def shapes(
    document: Document, part: Part, where: types.Range, source: SourceFile, arrays: Sequence[AssignedArray]
) -> Iterator[types.InlayHint]:
    """The dtype and shape behind each name that is assigned an array of which both are known."""
    for array in arrays:
        span = source.span(array.at)
        if document.part_at(span.line) is not part:
            continue
        end = part.range(span).end
        if where.start.line <= end.line <= where.end.line:
            when = " in every call that is seen from this file" if array.is_in_function else ""
            tooltip = f"`{array.name}` is an array {array.text}{when}"
            yield types.InlayHint(end, f": {array.text}", types.InlayHintKind.Type, tooltip=tooltip)


def lenses(
    document: Document,
    part: Part,
    source: SourceFile,
    functions: Sequence[TracedFunction],
    figures: Mapping[str, str],
) -> Iterator[types.CodeLens]:
    """A line above each compiled function: what the last verification found, or the offer of one."""
    for function in functions:
        name = function.function.qualname
        span = source.span(function.function.at)
        if not (function.is_compiled or name in figures) or document.part_at(span.line) is not part:
            continue
        title = figures.get(name, "verify")
        yield types.CodeLens(
            part.range(span), types.Command(f"jaxlint: {title}", VERIFY, arguments=[document.uri, name])
        )
