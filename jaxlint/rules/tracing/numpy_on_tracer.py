"""numpy-on-tracer: NumPy cannot compute with a value that JAX is tracing."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding, FixRequest
from jaxlint.analysis.domain.values import Array, Level, atoms_of
from jaxlint.analysis.events.arrays import ItemStore
from jaxlint.analysis.events.tracing import ArraySubscript, NumpyCall
from jaxlint.diagnostics import Applicability, Category, Confidence, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.imports import name_of
from jaxlint.rules.rule import rule
from jaxlint.rules.tracing._fix_counterpart import call_of_jax
from jaxlint.syntax import ir

_REASON = "JAX computes in 32 bits unless x64 is enabled"


def _fix(request: FixRequest, code: Code) -> Fix | None:
    """The function of `jax.numpy` for that of NumPy, and an array of JAX for a table of NumPy."""
    match code.node(request.at):
        case ir.Call() as call:
            found = call_of_jax(code, call)
            if found is None:
                return None
            return _told(code, f"Replace with `{found[0]}`", found[1], request)
        case ir.Subscript(base=base):
            named = name_of(code, base.at, "jax.numpy.asarray")
            if named is None:
                return None
            start, end = code.outer(base.at)
            opener, closer = ("", "") if code.text[start] == "(" else ("(", ")")
            changes = [Change(start, start, f"{named.text}{opener}"), Change(end, end, closer), *named.changes]
            return _told(code, f"Wrap in `{named.text}`", changes, request)
        case _:
            return None


def _told(code: Code, title: str, changes: list[Change], request: FixRequest) -> Fix:
    """A fix that is safe where the operation never works: then nobody has a result that would be another."""
    if request.is_certain:
        return code.fix(title, changes)
    return code.fix(title, changes, Applicability.UNSAFE, _REASON)


@rule(
    "numpy-on-tracer", code="JX305", category=Category.CORRECTNESS, on=(NumpyCall, ArraySubscript, ItemStore), fix=_fix
)
def numpy_on_tracer(event: NumpyCall | ArraySubscript | ItemStore) -> Iterator[Finding]:
    """A NumPy function, a SciPy function or a NumPy array receives a traced value."""
    if isinstance(event, ItemStore):
        yield from _stored(event)
        return
    if isinstance(event, NumpyCall):
        name = event.function.replace("numpy.", "np.", 1) if event.function.startswith("numpy.") else event.function
        state = "traced" if event.operand.traced else "being differentiated"
        message = f"`{name}` turns `{event.operand.text}` into a NumPy array, but it is {state}"
        notes, confidence = event.operand.evidence, event.operand.confidence
        yield event.diagnostic(message, notes=notes, confidence=confidence, fix=event.fix_request())
        return
    if event.is_update or not _is_host(event):
        return
    for index in event.index:
        if index.traced:
            message = f"the NumPy array `{event.base.text}` cannot be indexed by `{index.text}`, which is traced"
            confidence, fix = _of_host(event, index.confidence), event.fix_request()
            yield event.diagnostic(message, notes=index.evidence, confidence=confidence, fix=fix)
            return


def _stored(store: ItemStore) -> Iterator[Finding]:
    """A store into a NumPy array, which converts what it is given; one of objects holds anything."""
    if not _is_host(store) or any(getattr(atom, "dtype", None) == "object" for atom in atoms_of(store.base.value)):
        return
    index = next((index for index in store.index if index.traced), None)
    if index is not None:
        message = f"the NumPy array `{store.base.text}` cannot be indexed by `{index.text}`, which is traced"
        yield store.diagnostic(message, notes=index.evidence, confidence=_of_host(store, index.confidence))
    elif store.value is not None and store.value.lifted:
        value = store.value
        state = "traced" if value.traced else "being differentiated"
        message = f"the NumPy array `{store.base.text}` cannot hold `{value.text}`, which is {state}"
        yield store.diagnostic(message, notes=value.evidence, confidence=_of_host(store, value.confidence))


def _is_host(event: ArraySubscript | ItemStore) -> bool:
    return all(isinstance(atom, Array) and atom.level is Level.HOST for atom in atoms_of(event.base.value))


def _of_host(event: ArraySubscript | ItemStore, confidence: Confidence) -> Confidence:
    """Many arrays of JAX are annotated as `np.ndarray`: where nothing else tells, the array may be one of these."""
    assumed = any(isinstance(atom, Array) and atom.assumed for atom in atoms_of(event.base.value))
    return Confidence.POSSIBLE if assumed else confidence
