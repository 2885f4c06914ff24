"""Settings of JAX at the top of a file: below its imports, or above the first import that reads them."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.comment_edits import comments
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.statement_edits import after, before
from jaxlint.syntax import ir
from jaxlint.syntax.positions import LINE_BREAK

_JAX: Final = ("jax", "flax", "optax", "haiku", "equinox", "numpyro")


def enable_x64(request: FixRequest, code: Code) -> Fix | None:
    """`jax.config.update("jax_enable_x64", True)` below the imports, for a program that asks for 64 bits."""
    named, last = name_of(code, request.at, "jax.config.update"), _last_import(code)
    if named is None or named.changes or last is None:
        return None
    change = after(code, last, ["", f'{named.text}("jax_enable_x64", True)'])
    if change is None:
        return None
    if code.source.is_package or "." in code.source.name:
        reason = "it changes the whole program, which a module of a package should not do"
        return code.fix("Enable x64", [change], Applicability.DISPLAY_ONLY, reason)
    return code.fix(
        "Enable x64", [change], Applicability.UNSAFE, "other arrays of the program become 64 bits wide, too"
    )


def set_earlier(request: FixRequest, code: Code) -> Fix | None:
    """Move a setting that stands alone up to where it is read in time: the word is `variable` or `option`."""
    statement = code.statement(request.at)
    if not _is_movable(statement):
        return None
    text = code.segment(statement.at)
    place = _before_jax(code, statement, text) if request.words == ("variable",) else _below_imports(code, text)
    removed = _removed(code, statement)
    if place is None or removed is None or place.start >= removed.start:
        return None
    reason = "the code in between then runs with the setting"
    return code.fix("Move it to the top of the file", [place, removed], Applicability.UNSAFE, reason)


def _is_movable(statement: Any) -> bool:  # noqa: ANN401 - a statement
    """Whether a statement sets one thing to constants, on a line of its own."""
    values: tuple[Any, ...]
    match statement:
        case ir.ExpressionStatement(value=ir.Call() as call):
            values = (*call.args, *(value for _, value in call.keywords))
        case ir.Assign(targets=(ir.Subscript() as target,)):
            values = (*target.index, statement.value)
        case _:
            return False
    return all(isinstance(value, ir.Constant) for value in values)


def _below_imports(code: Code, text: str) -> Change | None:
    last = _last_import(code)
    return None if last is None else after(code, last, ["", text])


def _before_jax(code: Code, statement: Any, text: str) -> Change | None:  # noqa: ANN401 - a statement
    """Above the first import of JAX, where what the setting names is imported above that."""
    imports = [s for s in code.source.module.body if isinstance(s, (ir.Import, ir.ImportStar))]
    first = next((s for s in imports if _root(s) in _JAX), None)
    needed = {n.id for n in code.inside(statement) if isinstance(n, ir.Name)}
    bound = {
        local for s in imports if isinstance(s, ir.Import) and first and s.at < first.at for local, _ in s.bindings
    }
    return before(code, first, [text, ""]) if first is not None and needed <= bound else None


def _last_import(code: Code) -> Any:  # noqa: ANN401 - a statement
    """The last import at the top of the file that other statements do not part from the first."""
    last = None
    for statement in code.source.module.body:
        if isinstance(statement, (ir.Import, ir.ImportStar)):
            last = statement
        elif last is not None:
            break
    return last


def _root(statement: Any) -> str:  # noqa: ANN401 - an import
    module = statement.module if isinstance(statement, ir.ImportStar) else statement.modules[0]
    return str(module).partition(".")[0]


def _removed(code: Code, statement: Any) -> Change | None:  # noqa: ANN401 - a statement
    """The line of a statement taken away, or made `pass` where a block would be empty."""
    start, end = code.span(statement.at)
    line = code.line_start(start)
    match = LINE_BREAK.search(code.text, end)
    stop = len(code.text) if match is None else match.end()
    rest = code.text[end : stop if match is None else match.start()]
    if code.text[line:start].strip() or rest.partition("#")[0].strip() or any(comments(code, start, end)):
        return None
    if len(code.block(statement.at)) == 1 and code.parent(statement.at) is not None:
        return Change(start, end, "pass")
    return Change(line, stop, "")
