"""One use of a transform, and the project function that it ends in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.domain.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Partial,
    Transformed,
    Union,
    Value,
)
from jaxlint.syntax.ir import Parameter, ParameterKind

if TYPE_CHECKING:
    from jaxlint.analysis.domain.state import Condition
    from jaxlint.jaxapi.rows import TransformRow


@dataclass(frozen=True, slots=True)
class Statics:
    """The parameters a transform leaves as Python values.

    `known` is False where an expression, or the signature that gives named parameters their indices, could not be read.
    """

    numbers: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    known: bool = True
    keywords_known: bool = True  # False where the signature that gives the indices their names could not be read

    @property
    def any(self) -> bool:
        """Whether any parameter is static."""
        return bool(self.numbers or self.names)

    def of_signature(self, parameters: Sequence[Parameter] | None) -> Statics:
        """The same with the indices of parameters that are named, and negative indices made positive.

        JAX reads them off the signature of the function: where that is None, other arguments may be static, too.
        """
        if not self.any:
            return self
        if parameters is None:
            has_indices = bool(self.numbers) and min(self.numbers) >= 0
            return replace(self, known=self.known and has_indices, keywords_known=bool(self.names))
        count = len(parameters)
        named = (n for n, p in enumerate(parameters) if p.name in self.names and p.kind <= ParameterKind.POSITIONAL)
        numbers = frozenset(n + count if n < 0 else n for n in self.numbers)
        return replace(self, numbers=numbers.union(named))

    def holds(self, number: int | None, name: str | None) -> bool:
        """Whether the parameter of this index or name is surely static; where `known` is False, others may be."""
        return number in self.numbers or name in self.names


@dataclass(slots=True, eq=False)
class Application:
    """One use of a transform: which, on what, with which static parameters, and where."""

    row: TransformRow
    name: str
    target: Value
    arguments: Arguments
    statics: Statics
    frame: Frame
    at: int
    made: int = 0  # the serial number of the evaluation that made it
    passes: tuple[int, ...] = ()  # the loops around it: when their passes began
    conditions: tuple[Condition, ...] = ()
    called: bool = field(default=False)
    in_place: bool = field(default=False)  # the call stands around the transform, so that there is no other
    has_rules: bool = field(default=False)  # somebody gave it rules for its derivatives
    rules: tuple[FunctionValue, ...] = field(default=())  # those that are functions of the project
    broken: bool = field(default=False)  # applying it raises, so that nothing is ever traced

    @property
    def short_name(self) -> str:
        """The transform's name as people write it."""
        return short_name(self.name)


def underlying(target: Value) -> FunctionValue | None:
    """The project function that a callable ends in, through partials, bound methods and other transforms."""
    while True:
        match target:
            case FunctionValue():
                return target
            case BoundMethod() | Partial():
                target = target.function
            case Transformed():
                target = target.application.target
            case _:
                return None


def may_be_class(target: Value) -> bool:
    """Whether a transform may be given a class: one of several, with some of its arguments, or lifted before."""
    match target:
        case Union():
            return any(map(may_be_class, target.atoms))
        case Partial():
            return may_be_class(target.function)
        case Transformed():
            return target.application.row.lifts_classes and may_be_class(target.application.target)
        case _:
            return isinstance(target, ClassValue)


def function_label(function: FunctionValue) -> str:
    """The function as a message names it."""
    return "this lambda" if function.function.is_lambda else f"`{function.function.name}`"


def short_name(name: str) -> str:
    """`jax.jit` for `jax.jit`, `lax.scan` for `jax.lax.scan`: as people write it."""
    parts = name.split(".")
    return name if len(parts) <= 2 else ".".join(parts[-2:])
