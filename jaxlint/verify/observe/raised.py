"""Which rule is about an error that JAX raised: by its type, else by what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

_BY_TYPE: Final[Mapping[str, str]] = {
    "TracerBoolConversionError": "traced-branch",
    "TracerArrayConversionError": "numpy-on-tracer",
    "TracerIntegerConversionError": "concretization",
    "ConcretizationTypeError": "concretization",
    "NonConcreteBooleanIndexError": "boolean-mask-index",
    "UnexpectedTracerError": "leaked-tracer",
    "KeyReuseError": "key-reuse",
}
#: What JAX says in errors of Python's own types, from 0.4.30 on.
_BY_TEXT: Final[Sequence[tuple[str, str]]] = (
    ("in-place-item-assignment", r"object does not support item assignment\. JAX|JAX arrays are immutable"),
    ("unhashable-static-argument", r"Non-hashable static arguments"),
    ("use-after-donate", r"(Array|Buffer) has been deleted"),
    ("none-in-pytree", r"None is not a valid value for jnp|NoneType.*(valid JAX type|Tracer)|Expected None, got"),
    ("unregistered-pytree", r"as an abstract array.*problematic value is of type|not a valid JAX type"),
)


def rule_of(kind: str, message: str) -> str | None:
    """The rule about an error of that type and text; None where it is none of JAX's that a rule is about."""
    if kind in _BY_TYPE:
        return _BY_TYPE[kind]
    return next((rule for rule, text in _BY_TEXT if re.search(text, message, re.DOTALL)), None)
