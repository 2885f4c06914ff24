"""What the interpreter met in a run and other modules ask for later, by place or by object."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.domain.idents import Ident
from jaxlint.analysis.machine.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jaxlint.analysis.domain.frames import Frame
    from jaxlint.analysis.domain.values import ClassValue, FunctionValue, Value
    from jaxlint.analysis.events.event import Event
    from jaxlint.syntax import ir


@dataclass(slots=True)
class RunFacts(Table):
    """What most of the interpreter adds to and asks for.

    `entered` are functions with the frame that they close over, by address: somebody called them. `looked_at` are those
    whose bodies were interpreted, `compiled` those that were entered in a trace of what compiles, `run_eagerly` methods
    of modules, each with a file that runs it as it is in the code of the file itself, as notebooks do. `traced_tests`
    and `type_tests` are tests by invocation and ordinal: those that needed a traced value, and those that asked for a
    type and were not decided; `process_tests` come out otherwise in another process. `numbers` are those that a counter
    gave while tracing, with the event that would tell so. `may_have_mesh` says that something was entered or called
    that may set the mesh of what follows. `operations` counts those of JAX, or that may be, from the first reading of a
    clock on; `array_operations` all that surely give an array of JAX, in calls that were interpreted, `host_reads` what
    needs a number in one, or may: a conversion, a test, a text, a call that cannot be seen into. `registrations` are
    calls, by path and ordinal, that only register a function, which is looked at there. `collectives` counts what works
    along a named axis, replayed calls included, `tree_collectives` of it what works on more than single numbers,
    `host_calls` what calls back to the host, replayed calls included as well.
    """

    entered: set[tuple[int, int]] = field(default_factory=set)
    looked_at: set[int] = field(default_factory=set)
    compiled: set[int] = field(default_factory=set)
    run_eagerly: set[tuple[int, str]] = field(default_factory=set)
    traced_tests: set[tuple[int, int]] = field(default_factory=set)
    type_tests: set[tuple[int, int]] = field(default_factory=set)
    process_tests: set[tuple[int, int]] = field(default_factory=set)
    type_outcomes: set[Ident] = field(default_factory=set)
    made_by_type: set[tuple[str, int]] = field(default_factory=set)  # the paths and ordinals of calls of classes
    numbers: dict[Ident, Event] = field(default_factory=dict)
    looked_into: set[Ident] = field(default_factory=set)
    may_have_mesh: bool = False
    operations: int = 0
    array_operations: int = 0
    host_reads: int = 0
    registrations: set[tuple[str, int]] = field(default_factory=set)
    collectives: int = 0
    tree_collectives: int = 0
    host_calls: int = 0


@dataclass(slots=True)
class Callees(Table):
    """What each call expression called when it was last evaluated, by path and ordinal."""

    by_call: dict[tuple[str, int], Value] = field(default_factory=dict)


@dataclass(slots=True)
class Subclasses(Table):
    """The classes of the project that name another one as a base, by the address of that, which they keep alive."""

    by_base: dict[int, tuple[ClassValue, ...]] = field(default_factory=dict)

    def add(self, cls: ClassValue, base: ClassValue) -> None:
        """A class statement was run."""
        self.by_base[id(base)] = (*self.by_base.get(id(base), ()), cls)

    def has_any(self, base: ClassValue) -> bool:
        """Whether a class derives from this one."""
        return id(base) in self.by_base

    def below(self, base: ClassValue) -> Iterator[ClassValue]:
        """All that derive from a class, those that do so by another one after that."""
        for cls in self.by_base.get(id(base), ()):
            yield cls
            yield from self.below(cls)


class _Class(NamedTuple):
    """What code that runs after a class statement may change of the class."""

    namespace: dict[str, Value]
    kind: str
    flatten: ir.Function | None
    auxiliary: frozenset[str]


@dataclass(slots=True)
class SharedChanges(Table):
    """What forks of an interpreter share and change, as it was before: classes, and names of enclosing functions."""

    classes: dict[ClassValue, _Class] = field(default_factory=dict)
    names: dict[Frame, dict[str, Value]] = field(default_factory=dict)

    def of_class(self, cls: ClassValue) -> None:
        """A class is about to be changed."""
        if cls not in self.classes:
            self.classes[cls] = _Class(cls.namespace.copy(), cls.kind, cls.flatten, cls.auxiliary)

    def of_names(self, owner: Frame) -> None:
        """A name of this invocation is about to be changed from another one."""
        if owner not in self.names:
            self.names[owner] = owner.state.env.copy()

    def put_back(self) -> None:
        """Undo all changes."""
        for cls, before in self.classes.items():
            cls.namespace, cls.kind, cls.flatten, cls.auxiliary = before
        for owner, names in self.names.items():
            owner.state.env = names


@dataclass(slots=True)
class PytreeRegistrations(Table):
    """Whether some class was registered as a pytree of which we do not know which one it is.

    By the address of a class: the function that it was registered with to make objects anew, and the library's function
    that registered it by its fields.
    """

    of_unknown: bool = False
    unflatten: dict[int, FunctionValue] = field(default_factory=dict)
    as_fields: dict[int, str] = field(default_factory=dict)


@dataclass(slots=True)
class OrderedMappings(Table):
    """Where dicts are made that keep their order when JAX flattens them, by path and ordinal."""

    made_at: set[tuple[str, int]] = field(default_factory=set)


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


@dataclass(slots=True)
class ShardLosses(Table):
    """Arrays that hold for each device the loss of its own part of a batch, by identity, with the function's name."""

    labels: dict[Ident, str] = field(default_factory=dict)
