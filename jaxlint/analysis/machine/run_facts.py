"""What the interpreter met in a run and other modules ask for later, by place or by object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from jaxlint.analysis.domain.values import Value
    from jaxlint.analysis.events.event import Event


@dataclass(slots=True)
class RunFacts(Table):
    """What most of the interpreter adds to and asks for.

    `entered` are functions with the frame that they close over, by address: somebody called them. `traced_tests` and
    `type_tests` are tests by invocation and ordinal: those that needed a traced value, and those that asked for a type
    and were not decided. `numbers` are those that a counter gave while tracing, with the event that would tell so.
    `operations` counts those of JAX, or that may be, from the first reading of a clock on.
    """

    entered: set[tuple[int, int]] = field(default_factory=set)
    traced_tests: set[tuple[int, int]] = field(default_factory=set)
    type_tests: set[tuple[int, int]] = field(default_factory=set)
    type_outcomes: set[Ident] = field(default_factory=set)
    numbers: dict[Ident, Event] = field(default_factory=dict)
    looked_into: set[Ident] = field(default_factory=set)
    operations: int = 0


@dataclass(slots=True)
class Callees(Table):
    """What each call expression called when it was last evaluated, by path and ordinal."""

    by_call: dict[tuple[str, int], Value] = field(default_factory=dict)


@dataclass(slots=True)
class StarImports(Table):
    """The libraries of which a file imports all names, by its path."""

    by_path: dict[str, list[str]] = field(default_factory=dict)

    def fork(self) -> StarImports:
        """The same with lists of its own."""
        return StarImports({path: list(modules) for path, modules in self.by_path.items()})


@dataclass(slots=True)
class CachedProperties(Table):
    """Where a function was made a cached property, by its path and index."""

    made_at: dict[tuple[str, int], int] = field(default_factory=dict)


@dataclass(slots=True)
class TracingErrors(Table):
    """The last certain error of tracing in the `try` at hand of a file, by path."""

    caught: dict[str, Event] = field(default_factory=dict)


@dataclass(slots=True)
class FlattenedTrees(Table):
    """The trees that lists of leaves and tree structures were made of, each with where it stands in the code.

    Lists of leaves also have the name of the function that made them.
    """

    of_leaves: dict[int, tuple[Value, int, str]] = field(default_factory=dict)  # by the list's serial number
    of_structure: dict[Ident, tuple[Value, int]] = field(default_factory=dict)
