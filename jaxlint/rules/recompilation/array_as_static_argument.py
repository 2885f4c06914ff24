"""array-as-static-argument: an array cannot be a static argument."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.events import StaticArgument
from jaxlint.analysis.findings import Finding
from jaxlint.analysis.findings import FindingNote
from jaxlint.analysis.values import Array, Key, atoms_of
from jaxlint.diagnostics import Category
from jaxlint.diagnostics import Confidence
from jaxlint.rules.rule import rule

@rule("array-as-static-argument", code="JX502", category=Category.CORRECTNESS, on=StaticArgument)
def array_as_static_argument(argument: StaticArgument) -> Iterator[Finding]:
    """An array of JAX or NumPy for a static parameter."""
    atoms = atoms_of(argument.operand.value)
    arrays = [atom for atom in atoms if isinstance(atom, Array | Key)]
    if not arrays:
        return
    where = "by default" if argument.is_default else "here"
    message = f"`{argument.parameter}` is static and must be hashable, but it is an array {where}"
    notes = (FindingNote(f"made static by `{argument.application.short_name}`", argument.application_place),)
    confidence = Confidence.CERTAIN if len(arrays) == len(atoms) else Confidence.LIKELY
    yield argument.diagnostic(message, notes=notes, confidence=confidence)
