"""pallas-ref-misuse: a kernel reads and writes its references by indexing, and gives nothing back."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest
from jaxlint.analysis.events.kernels import KernelResult, RebindReference, UnreadReference
from jaxlint.diagnostics import Applicability, Category, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.handlers import is_tried
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """Read or write what the reference refers to."""
    node = code.node(request.ordinals[0] if request.ordinals else request.at)
    if not isinstance(node, (ir.Name, ir.Attribute, ir.Subscript)):
        return None
    end = code.span(node.at)[1]
    is_read = request.words == ("read",)
    if is_read and is_tried(code, node.at):
        return None
    applicability = Applicability.SAFE if is_read else Applicability.UNSAFE
    reason = "" if is_read else "the computed value is now written"
    return code.fix("Index with `[...]`", [Change(end, end, "[...]")], applicability, reason)


@rule(
    "pallas-ref-misuse",
    code="JX713",
    category=Category.CORRECTNESS,
    on=(UnreadReference, KernelResult, RebindReference),
    fix=_fix,
)
def pallas_ref_misuse(event: UnreadReference | KernelResult | RebindReference) -> Iterator[Finding]:
    """A kernel uses a reference without reading it, rebinds it, or returns a value."""
    match event:
        case UnreadReference():
            yield _unread(event)
        case KernelResult():
            message = f"`{event.kernel}` is a kernel and must return nothing, but returns `{event.result.text}`"
            written = FindingNote("a kernel's outputs are the values that it writes to its references", None)
            yield event.diagnostic(message, notes=(written, *event.traced_by()))
        case RebindReference():
            message = f"`{event.name}` is rebound, so its memory is not written; assign to `{event.name}[...]`"
            yield event.diagnostic(message, notes=event.traced_by(), fix=event.fix_request(words=("write",)))


def _unread(event: UnreadReference) -> Finding:
    name = event.reference.text
    if event.taker:
        message = f"`{event.taker}` does not accept the reference `{name}`; read it with `{name}[...]`"
    else:
        message = f"`{name}` is a reference, which cannot be stored in another one; read it with `{name}[...]`"
    notes = (*event.reference.evidence, *event.traced_by())
    return event.diagnostic(message, notes=notes, fix=event.fix_request(event.reference.at, words=("read",)))
