"""Which findings a run can prove: those in modules, which it imports; not those in notebooks and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jaxlint.diagnostics import Diagnostic
from jaxlint.syntax.documents import MARKDOWN_SUFFIXES, NOTEBOOK_SUFFIX
from jaxlint.text import plural

#: Files whose code no run imports.
_NO_MODULES: Final = (NOTEBOOK_SUFFIX, *MARKDOWN_SUFFIXES)


def is_module(path: str) -> bool:
    """Whether a file is one that a run may import."""
    return not path.endswith(_NO_MODULES)


def provable(diagnostics: Iterable[Diagnostic]) -> tuple[tuple[Diagnostic, ...], list[str]]:
    """The findings in modules, without those of the engine, and a warning where others are left out."""
    found = [d for d in diagnostics if d.family != "engine"]
    kept = tuple(d for d in found if is_module(d.path))
    if len(kept) == len(found):
        return kept, []
    left = plural(len(found) - len(kept), "finding")
    return kept, [f"{left} in notebooks and Markdown left out: a run imports modules"]
