"""discarded-at-update: `.at[...].set(...)` and other array methods give new arrays."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.findings import Finding
from jaxlint.analysis.domain.values import Leaves, Level, Unknown, Value, atoms_of
from jaxlint.analysis.events.arrays import Discarded
from jaxlint.analysis.events.event import Operand
from jaxlint.diagnostics import Category, Confidence
from jaxlint.rules.arrays._fix_bound_results import bind_update
from jaxlint.rules.arrays._immutable import immutable_confidence
from jaxlint.rules.rule import rule


@rule("discarded-at-update", code="JX103", category=Category.CORRECTNESS, on=Discarded, fix=bind_update)
def discarded_at_update(statement: Discarded) -> Iterator[Finding]:
    """The result of `x.at[i].set(v)`, or of a pure array method or function, is discarded."""
    if statement.receiver is not None and statement.method.startswith("at."):
        yield from _update(statement, statement.receiver)
    elif statement.receiver is not None and statement.is_array_function:
        yield from _method(statement, statement.receiver)
    elif statement.function == "jax.lax.stop_gradient":
        message = f"`{statement.text}` returns its result, which is discarded; gradients still flow"
        yield statement.diagnostic(message)
    elif statement.is_array_function:
        message = f"`{statement.text}` returns a new array, which is discarded"
        yield statement.diagnostic(message, confidence=Confidence.LIKELY)


def _update(statement: Discarded, receiver: Operand) -> Iterator[Finding]:
    """`x.at[i].set(v)`, or `x.at[i].get()`, which only reads."""
    message = f"`{statement.text}` returns a new array, which is discarded"
    if statement.method == "at.get":
        if not statement.is_shown:
            yield statement.diagnostic(message, notes=receiver.evidence)
        return
    changed = statement.updated_text
    message = f"{message}; `{changed}` is unchanged" if changed else message
    confidence = Confidence.POSSIBLE if statement.is_shown else Confidence.CERTAIN
    yield statement.diagnostic(message, notes=receiver.evidence, confidence=confidence, fix=statement.fix_request())


def _method(statement: Discarded, receiver: Operand) -> Iterator[Finding]:
    """`x.astype(...)`, whose receiver is an array by its value or by its method."""
    certainty = _certainty(receiver.value)
    is_shown = statement.frame.kind == "module"  # a script made of cells shows its last expression
    if certainty is not None and not is_shown and statement.method != "sort":  # which in-place-array-method reports
        message = f"`.{statement.method}()` returns a new array, which is discarded; `{receiver.text}` is unchanged"
        yield statement.diagnostic(message, notes=receiver.evidence, confidence=certainty)


def _certainty(value: Value) -> Confidence | None:
    """How sure it is that a method changes nothing: NumPy's arrays and unknown objects have the same methods."""
    atoms = atoms_of(value)
    if all(isinstance(atom, Unknown) or (isinstance(atom, Leaves) and atom.level >= Level.GRAD) for atom in atoms):
        return Confidence.LIKELY
    return immutable_confidence(value)
