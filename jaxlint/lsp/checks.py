"""The check of one open document through its versions: what changed is parsed, what that can change is analysed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from jaxlint.analysis import explain_place
from jaxlint.analysis.domain.findings import Analysis
from jaxlint.analysis.project.assigned_arrays import AssignedArray, assigned_arrays
from jaxlint.analysis.project.incremental import Repeated
from jaxlint.analysis.project.traced_functions import TracedFunction, traced_functions
from jaxlint.diagnostics import Diagnostic, Note
from jaxlint.edit.apply_fixes import fix_in_rounds
from jaxlint.engine.reporter import at_start, engine_diagnostic
from jaxlint.engine.session import KeptFile, Request, open_session
from jaxlint.lsp.loaded_files import LoadedFiles
from jaxlint.lsp.texts import Text
from jaxlint.syntax import ir
from jaxlint.syntax.chunks import Chunk, ChunkedFile, affected
from jaxlint.syntax.decode import decode
from jaxlint.syntax.documents import NOTEBOOK_SUFFIX
from jaxlint.syntax.notebooks import cells_file, read_notebook

if TYPE_CHECKING:
    from jaxlint.engine.baseline import Baseline
    from jaxlint.syntax.layout import Layout
    from jaxlint.syntax.source import SourceFile


class Check:
    """One document. `is_whole` says that what was found last is what a check of the whole file finds.

    Raises ConfigError, when it is made, for settings that cannot be followed.
    """

    def __init__(self, request: Request, files: LoadedFiles, baseline: Callable[[], Baseline | None]) -> None:
        self._files = files
        self._baseline = baseline
        self._request = request
        self._kept = KeptFile(request, files)
        self._root = request.files[0].root
        task = self._kept.task
        self.file = ChunkedFile(task.path, task.name, task.is_package)
        self._repeated = Repeated(self._kept.chosen, self._kept.options)
        self._pending: set[int] | None = None  # statements to be analysed; None: all
        self._analysis = Analysis()
        self._traced: tuple[SourceFile, Sequence[TracedFunction]] | None = None
        self._arrays: tuple[SourceFile, Sequence[AssignedArray]] | None = None
        self.is_whole = False

    def others_changed(self) -> None:
        """A file that this one may import has changed."""
        self._traced = self._arrays = None
        self._kept.forget()
        self._repeated.forget_imports()
        self.is_whole = False

    def update(self, text: Text, is_stopped: Callable[[], bool], layout: Layout | None = None) -> list[Diagnostic]:
        """What is found in this version, as far as that can be told at once. Raises Cancelled."""
        file = self.file
        if file.source is None or file.text != text.code or file.layout != layout:
            self._parse(text, layout)
        if self._pending is None:
            self._analyse(None, is_stopped)
        elif self._pending:
            self._analyse(self._pending, is_stopped)
        return self._diagnostics(with_fixes=False)

    def complete(self, is_stopped: Callable[[], bool]) -> list[Diagnostic]:
        """What is found in the whole of the newest version. Raises Cancelled."""
        if not self.is_whole:
            self._analyse(None, is_stopped)
        return self._diagnostics(with_fixes=False)

    def with_fixes(self) -> list[Diagnostic]:
        """What was found last, with the fixes that are offered."""
        return self._diagnostics(with_fixes=True)

    def explain(self, line: int, column: int) -> Sequence[Note]:
        """What the analysis knows of a place."""
        project = self._kept.found_as(self.source)
        return explain_place(project, self.file.path, line, column, self._kept.options).notes

    def traced_functions(self) -> Sequence[TracedFunction]:
        """Which functions are traced; computed once for each version."""
        if self._traced is None or self._traced[0] is not self.source:
            functions = traced_functions(self._kept.found_as(self.source), self.source, self._kept.options)
            self._traced = (self.source, functions)
        return self._traced[1]

    def assigned_arrays(self) -> Sequence[AssignedArray]:
        """Which names are assigned arrays of known dtype and shape; computed once for each version."""
        if self._arrays is None or self._arrays[0] is not self.source:
            arrays = assigned_arrays(self._kept.found_as(self.source), self.source, self._kept.options)
            self._arrays = (self.source, arrays)
        return self._arrays[1]

    def function_at(self, line: int) -> str:
        """The qualified name of the function or method around a line, from 1; empty where there is none."""
        chunks = self.file.chunks
        start = self.source.lines.starts[line - 1] if line <= len(self.source.lines.starts) else 0
        chunk = next((c for c in chunks if c.start <= start <= c.end), None)
        statements = () if chunk is None else chunk.statements
        return next((s.function.qualname for s in statements if isinstance(s, ir.FunctionDefinition)), "")

    def fixed(self, texts: Sequence[str]) -> Sequence[str] | None:
        """The texts of its parts with the fixes that `check --fix` makes; None where that cannot be done."""
        path = self.file.path
        data = cells_file(texts) if path.endswith(NOTEBOOK_SUFFIX) else texts[0].encode("utf-8", "surrogatepass")
        if _texts_of(path, data) != texts:
            return None
        request = replace(self._request, contents={path: data})
        session = open_session(request, self._files)
        known = self._baseline()
        changes = fix_in_rounds(
            session, request.contents, unsafe=False, keep=lambda result: result if known is None else known.hide(result)
        )
        changed = next((file for file in changes.files if file.path == path), None)
        return texts if changed is None else _texts_of(path, changed.after)

    @property
    def source(self) -> SourceFile:
        """The newest version."""
        assert self.file.source is not None
        return self.file.source

    def _parse(self, text: Text, layout: Layout | None) -> None:
        file = self.file
        is_first = file.source is None
        if _cell_count(layout) != _cell_count(file.layout):
            self._pending = None  # what stands in which cell matters to statements that did not change
        file.update(text.code, text.lines if not text.shift else None, layout)
        self._files.open[file.path] = self.source
        self._repeated.drop(chunk.key for chunk in file.removed)
        self.is_whole = False
        if is_first or self._pending is None:
            return
        code = {chunk.key for chunk in file.chunks if chunk.node_count}
        self._pending |= affected(file.chunks, file.changed & code, file.removed)

    def _analyse(self, changed: Collection[int] | None, is_stopped: Callable[[], bool]) -> None:
        source = self.source
        if changed is not None:
            source = replace(source, module=self.file.module(self._needed(changed)))
        project = self._kept.found_as(source)
        self._analysis = self._repeated.run(project, source, ChunkedFile.key_of, changed, is_stopped)
        self._pending = set()
        self.is_whole = changed is None
        self._kept.found_as(self.source)

    def _needed(self, changed: Collection[int]) -> list[Chunk]:
        """The statements without those that bind nothing and that no change concerns, such as a call of `main`."""
        return [
            chunk
            for chunk in self.file.chunks
            if chunk.key in changed or chunk.extent.owner or chunk.extent.is_header or chunk.defines
        ]

    def _diagnostics(self, *, with_fixes: bool) -> list[Diagnostic]:
        file = self.file
        self._kept.found_as(self.source)
        findings = [f for f in self._analysis.findings if f.place.path != file.path or not file.is_stale(f.place.at)]
        found = self._kept.diagnostics(replace(self._analysis, findings=findings), with_fixes=with_fixes)
        mistakes = [
            engine_diagnostic(m.code, file.path, at_start(m.line, m.column), m.message, self._root)
            for m in file.mistakes
        ]
        if mistakes:  # what a comment silences may stand in a statement that is half typed
            found = [d for d in found if d.rule != "unused-suppression"]
        known = self._baseline()
        return mistakes + (found if known is None else known.unknown(found))


def _texts_of(path: str, data: bytes) -> list[str]:
    """The text of a file, or those of the cells of a notebook."""
    if path.endswith(NOTEBOOK_SUFFIX):
        return [cell.text for cell in read_notebook(data).cells]
    return [decode(data).text]


def _cell_count(layout: Layout | None) -> int:
    return 0 if layout is None else len(layout.cells)
