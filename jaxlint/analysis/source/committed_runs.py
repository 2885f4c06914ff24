"""Code that has run as it was committed: by tests, which pass, and in cells of notebooks whose output is stored.

Where the analysis says that such code raises, it is more likely that the analysis is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.findings import FindingNote
from jaxlint.analysis.source.test_context import is_test
from jaxlint.syntax import ir, walks

if TYPE_CHECKING:
    from jaxlint.analysis.domain.frames import Frame

_TESTED: Final = FindingNote("a test runs this code, and so it probably raises nothing", None)
_STORED: Final = FindingNote("the notebook was saved after this cell had run, and stores no error of it", None)
#: Words in the decorators of tests that are not run, or need not pass.
_LEFT_OUT: Final = ("skip", "xfail", "expectedFailure")


def evidence(frame: Frame, at: int) -> FindingNote | None:
    """What shows that an operation has run without an error; None where nothing does."""
    for each in frame.callers():
        if is_test(each) and each.function is not None and _passes(each.function):
            return _TESTED
        if each.kind == "module":
            cell = each.module.source.cell_of(at)
            return _STORED if cell is not None and cell.has_run else None
        at = each.call_at
    return None


def _passes(function: ir.Function) -> bool:
    """Whether a function that is named like a test asserts something, and is neither left out nor expected to fail."""
    is_left_out = any(word in walks.dotted(_called(node)) for node in function.decorators for word in _LEFT_OUT)
    return not is_left_out and any(map(_asserts, walks.nodes(function.body)))


def _called(decorator: ir.Expr) -> ir.Expr:
    return decorator.func if isinstance(decorator, ir.Call) else decorator


def _asserts(part: object) -> bool:
    """Whether this is an assertion: a statement, or a call such as `self.assertEqual` and `assert_allclose`."""
    if isinstance(part, ir.Call):
        return walks.dotted(part.func).rpartition(".")[2].startswith("assert")
    return isinstance(part, ir.Assert)
