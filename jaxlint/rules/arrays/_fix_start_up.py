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
    named = name_of(code, request.at, "jax.config.update")
    if named is None or named.changes:
        return None
    change = _below_imports(code, f'{named.text}("jax_enable_x64", True)', {named.text.partition(".")[0]})
    if change is None:
        return None
    if code.source.is_package or "." in code.source.name:
        reason = "it changes the whole program, which a module of a package should not do"
        return code.fix("Enable x64", [change], Applicability.DISPLAY_ONLY, reason)
    return code.fix(
        "Enable x64", [change], Applicability.UNSAFE, "other arrays of the program become 64 bits wide, too"
    )


def set_earlier(request: FixRequest, code: Code) -> Fix | None:
    """Move a setting that always runs up to where it is read in time: the word is `variable` or `option`.

    The ordinal is the node that reads it too early.
    """
    statement = code.statement(request.at)
    if code.parent(statement.at) is not None or not _is_movable(statement):
        return None
    text, needed = code.segment(statement.at), {n.id for n in code.inside(statement) if isinstance(n, ir.Name)}
    is_variable = request.words == ("variable",)
    place = _before_jax(code, text, needed) if is_variable else _below_imports(code, text, needed)
    removed = _removed(code, statement)
    if place is None or removed is None or _is_named_between(code, place, statement):
        return None
    reader = request.ordinals[0]
    is_read_first = code.owner(reader) is None and code.span(code.statement(reader).at)[0] < place.start
    if is_read_first or place.start >= removed.start:
        return None
    reason = "the code in between then runs with the setting"
    return code.fix("Move it to the top of the file", [place, removed], Applicability.UNSAFE, reason)


def _is_movable(statement: Any) -> bool:  # noqa: ANN401 - a statement
    """Whether a statement sets one thing to constants, on a line of its own."""
    values = _written(statement)
    return bool(values) and all(isinstance(value, ir.Constant) for value in values)


def _written(statement: Any) -> tuple[Any, ...]:  # noqa: ANN401 - a statement
    """The name of a setting and its value; empty where the statement has another form."""
    match statement:
        case ir.ExpressionStatement(value=ir.Call() as call):
            return (*call.args, *(value for _, value in call.keywords))
        case ir.Assign(targets=(ir.Subscript() as target,)):
            return (*target.index, statement.value)
        case _:
            return ()


def _is_named_between(code: Code, place: Change, statement: Any) -> bool:  # noqa: ANN401 - a statement
    """Whether code that the setting would pass names it too: that code may set it to something else."""
    name = _written(statement)[0].value
    passed = (s for s in code.source.module.body if s.at < statement.at and code.span(s.at)[0] >= place.start)
    return any(isinstance(n, ir.Constant) and n.value == name for s in passed for n in code.inside(s))


def _below_imports(code: Code, text: str, needed: set[str]) -> Change | None:
    """Below the import that binds the last needed name, and the imports that follow it without other statements."""
    last = None
    for statement in code.source.module.body:
        if not isinstance(statement, (ir.Import, ir.ImportStar)):
            if last is not None:
                break
            continue
        needed = needed - _bound(statement)
        last = None if needed else statement
    return None if last is None else after(code, last, ["", text])


def _before_jax(code: Code, text: str, needed: set[str]) -> Change | None:
    """Above the first import of JAX, where what the setting names is imported above that."""
    imports = [s for s in code.source.module.body if isinstance(s, (ir.Import, ir.ImportStar))]
    first = next((s for s in imports if _root(s) in _JAX), None)
    if first is None or not needed <= {name for s in imports if s.at < first.at for name in _bound(s)}:
        return None
    return before(code, first, [text, ""])


def _bound(statement: Any) -> set[str]:  # noqa: ANN401 - an import
    """The names that an import binds, as far as it writes them."""
    return {local for local, _ in statement.bindings} if isinstance(statement, ir.Import) else set()


def _root(statement: Any) -> str:  # noqa: ANN401 - an import
    module = statement.module if isinstance(statement, ir.ImportStar) else statement.modules[0]
    return str(module).partition(".")[0]


def _removed(code: Code, statement: Any) -> Change | None:  # noqa: ANN401 - a statement
    """The line of a statement at the top of the module taken away."""
    start, end = code.span(statement.at)
    line = code.line_start(start)
    match = LINE_BREAK.search(code.text, end)
    stop = len(code.text) if match is None else match.end()
    rest = code.text[end : stop if match is None else match.start()]
    if code.text[line:start].strip() or rest.partition("#")[0].strip() or any(comments(code, start, end)):
        return None
    return Change(line, stop, "")
