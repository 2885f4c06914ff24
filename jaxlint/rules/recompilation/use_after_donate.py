"""use-after-donate: a donated array is gone after the call."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FindingNote, FixRequest, Place
from jaxlint.analysis.events.compilation import DonatedUse
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.syntax import ir


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """A copy that is donated instead."""
    donated, used = request.ordinals
    given = code.node(used) if donated == used else _given(code, code.node(donated), used)
    mapped, copy = name_of(code, used, "jax.tree.map"), name_of(code, used, "jax.numpy.copy")
    if given is None or mapped is None or copy is None:
        return None
    start, end = code.outer(given.at)
    changes = [Change(start, start, f"{mapped.text}({copy.text}, "), Change(end, end, ")")]
    changes += (*mapped.changes, *copy.changes)
    if donated == used or request.is_certain:
        return code.fix("Donate a copy", changes)  # a copy changes no value, and without it JAX raises
    return code.fix("Donate a copy", changes, Applicability.UNSAFE, "the copy uses the memory that donation saves")


def _given(code: Code, call: object, used: int) -> ir.Name | None:
    """The argument of the donating call that is used again: the one that its name names."""
    node = code.node(used)
    while isinstance(node, (ir.Attribute, ir.Subscript)):
        node = node.base
    if not isinstance(call, ir.Call) or not isinstance(node, ir.Name):
        return None
    arguments = (*call.args, *(value for _, value in call.keywords))
    named = [argument for argument in arguments if isinstance(argument, ir.Name) and argument.id == node.id]
    return named[0] if named else None


def _request(use: DonatedUse) -> FixRequest | None:
    """The call that donates and what is used, where both are in one file; the latter twice where it is one call."""
    path = use.frame.path
    donated = Place(path, use.operand.at) if use.is_same_call else use.donated_place
    if not use.is_same_call and use.donation.chain[-1].frame != use.frame.serial:
        return None
    if donated.path != path or use.operand.frame.path != path:
        return None
    return use.fix_request(donated.at, use.operand.at)


@rule("use-after-donate", code="JX510", category=Category.CORRECTNESS, on=DonatedUse, fix=_fix)
def use_after_donate(use: DonatedUse) -> Iterator[Finding]:
    """A donated argument is used after the call, or passed twice to it."""
    function = use.donation.function or "the function"
    if use.is_same_call:
        message = f"`{use.operand.text}` is passed twice to `{function}`, which donates one and reads the other"
        notes: tuple[FindingNote, ...] = ()
    else:
        what = f"an array in `{use.operand.text}`" if use.is_part else f"`{use.operand.text}`"
        message = f"{what} was donated to `{function}`, which deletes it; it can no longer be read"
        read = () if use.read_at is None else (FindingNote("read here", use.read_at),)
        notes = (FindingNote("donated here", use.donated_place), *read)
    asked = FindingNote("donation is requested here", use.asked_place)
    copied = FindingNote("assign the result to the same name, or donate `jnp.copy(...)` of it", None)
    confidence = Confidence.CERTAIN if use.sure else Confidence.LIKELY
    if use.donation.doubtful:
        confidence = Confidence.POSSIBLE
    yield use.diagnostic(message, notes=(*notes, asked, copied), confidence=confidence, fix=_request(use))
