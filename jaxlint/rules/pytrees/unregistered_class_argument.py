"""unregistered-class-argument: what is no pytree and no array cannot be traced."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.application import underlying
from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.pytrees import InvalidLeaf
from jaxlint.diagnostics import Category, Fix
from jaxlint.fixes.code import Code
from jaxlint.rules.pytrees._fix_registered import register
from jaxlint.rules.pytrees._fix_static_texts import static_text
from jaxlint.rules.rule import rule


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A registered class, or a static parameter."""
    return static_text(request, code) if request.words[0] == "text" else register(request, code)


@rule("unregistered-class-argument", code="JX603", category=Category.CORRECTNESS, on=InvalidLeaf, fix=_fix)
def unregistered_class_argument(leaf: InvalidLeaf) -> Iterator[Finding]:
    """An object, string, enum or function is passed to a traced parameter that is not static."""
    kind, what, is_nested, confidence, _ = leaf.fault
    if leaf.is_result or kind not in ("instance", "enum", "function", "text") or (kind == "text" and is_nested):
        return
    how = "holds" if is_nested else "is"
    message = f"`{leaf.operand.text}` {how} {what}, which `{leaf.transform}` cannot trace"
    fix = leaf.fix_request(words=(leaf.fault.class_name,)) if kind == "instance" else _static(leaf)
    yield leaf.diagnostic(message, notes=tuple(_remedies(leaf, kind)), confidence=confidence, fix=fix)


def _static(leaf: InvalidLeaf) -> FixRequest | None:
    """The parameter that gets a text, where it can be static and what is compiled stands in this file."""
    application = leaf.application
    function = None if application is None else underlying(application.target)
    if application is None or function is None or leaf.fault.kind != "text" or not leaf.hashes_statics:
        return None
    if leaf.parameter is None:
        return None
    if {function.closure.path, application.frame.path} != {leaf.frame.path}:
        return None
    return leaf.fix_request(application.at, function.function.at, words=("text", leaf.parameter))


def _remedies(leaf: InvalidLeaf, kind: str) -> Iterator[FindingNote]:
    if kind == "instance":
        yield FindingNote("register the class as a pytree, for example with `jax.tree_util.register_dataclass`", None)
    if leaf.hashes_statics and leaf.parameter is not None:
        yield FindingNote(f'`static_argnames="{leaf.parameter}"` passes it without tracing it', None)
