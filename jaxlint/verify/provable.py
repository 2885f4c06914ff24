"""Which findings a run can prove: those in what it imports, or in a notebook that it runs; not those in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.syntax.documents import MARKDOWN_SUFFIXES, NOTEBOOK_SUFFIX
from jaxlint.text import plural

#: Files whose code nothing imports; a command may run a notebook.
_NO_MODULES: Final = (NOTEBOOK_SUFFIX, *MARKDOWN_SUFFIXES)


def is_module(path: str) -> bool:
    """Whether a file is one that a run may import."""
    return not path.endswith(_NO_MODULES)


def provable(diagnostics: Iterable[Diagnostic], *, probed: bool = True) -> tuple[tuple[Diagnostic, ...], list[str]]:
    """The findings that a probe, or a command, can prove, without those of the engine, and a warning about others."""
    found = [d for d in diagnostics if d.family != "engine"]
    without = _NO_MODULES if probed else MARKDOWN_SUFFIXES
    kept = tuple(d for d in found if not d.path.endswith(without))
    if len(kept) == len(found):
        return kept, []
    left = plural(len(found) - len(kept), "finding")
    where = "notebooks and Markdown" if probed else "Markdown"
    return kept, [f"{left} in {where} left out: {'a probe imports modules' if probed else 'no command runs it'}"]
