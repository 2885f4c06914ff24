"""JAX and its ecosystem as data: tables measured on the real libraries, and nothing that analyses code."""

from __future__ import annotations

from jaxlint.jaxapi.api import Api
from jaxlint.jaxapi.lifetimes import Lifetimes, MigrationRow, Release
from jaxlint.jaxapi.rows import (
    AnnotationRow,
    EffectRow,
    FunctionRow,
    MemberRow,
    NumpyRow,
    Operand,
    PythonMemberRow,
    RandomRow,
    Signature,
    TracedFunction,
    TransformRow,
)
from jaxlint.jaxapi.terms import UNKNOWN, Term, parse_term

__all__ = [
    "UNKNOWN",
    "AnnotationRow",
    "Api",
    "EffectRow",
    "FunctionRow",
    "Lifetimes",
    "MemberRow",
    "MigrationRow",
    "NumpyRow",
    "Operand",
    "PythonMemberRow",
    "RandomRow",
    "Release",
    "Signature",
    "Term",
    "TracedFunction",
    "TransformRow",
    "parse_term",
]
