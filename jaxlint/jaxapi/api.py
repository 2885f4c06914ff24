"""One object answers every question about JAX and its ecosystem, for one targeted release."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import TypeVar, cast

from jaxlint.jaxapi import parsers
from jaxlint.jaxapi.libraries import libraries
from jaxlint.jaxapi.lifetimes import Lifetimes, Release
from jaxlint.jaxapi.rows import (
    AnnotationRow,
    ClassMembersRow,
    ClassRow,
    EffectRow,
    FunctionRow,
    LibraryRow,
    MeaningRow,
    MemberRow,
    NumpyRow,
    ObjectRow,
    PythonMemberRow,
    RandomRow,
    StartUpRow,
    Trait,
    TraitsRow,
    TransformRow,
)
from jaxlint.jaxapi.tables import Cells, Table, read_lines
from jaxlint.jaxapi.terms import Term
from jaxlint.jaxapi.versions import NEWEST_KNOWN, Version, is_current, parse_version

Row = TypeVar("Row")


class Api:
    """The tables, each loaded when first asked for; lookups take any qualified name, canonical or not.

    Under-approximates: a name that no table holds is None, which says nothing about it.
    """

    def __init__(self, target: Version, releases: tuple[Release, ...] = ()) -> None:
        self.target = target
        self.lifetimes = Lifetimes(target, releases)
        self._canonical: dict[str, str] = {}
        self._effects: dict[str, EffectRow | None] = {}
        self._inherited: dict[tuple[str, str], ObjectRow | None] = {}
        self._traits: dict[str, frozenset[Trait]] = {}
        self._kinds: dict[str, str | None] = {}

    @staticmethod
    @lru_cache(maxsize=8)
    def load(target: str | None = None, releases: tuple[Release, ...] = ()) -> Api:
        """The tables as of a release of JAX (`"0.4.30"`), or of the newest known one.

        `releases` are those of JAX and other libraries that a project allows.

        Raises:
            ValueError: `target` is not a version.
        """
        return Api(NEWEST_KNOWN if target is None else parse_version(target), releases)

    @property
    def splits_by_folding(self) -> bool:
        """Whether `split(key, n)[i]` is `fold_in(key, i)`: since 0.5.0 (`jax_threefry_partitionable`)."""
        return is_current("0.5.0", "", self.target)

    def canonical(self, qualname: str) -> str:
        """The name under which the tables hold what `qualname` names; itself where no alias is known."""
        found = self._canonical.get(qualname)
        if found is None:
            found = self._canonical[qualname] = self._resolve(qualname)
        return found

    def function(self, qualname: str) -> FunctionRow | None:
        """A public function of JAX or a framework; transforms are in here too, with their parameters."""
        return self._functions.get(self.canonical(qualname))

    def transform(self, qualname: str) -> TransformRow | None:
        """A way to trace a function."""
        return self._transforms.get(self.canonical(qualname))

    def random(self, qualname: str) -> RandomRow | None:
        """A function that takes or makes PRNG keys; methods of unknown objects as `*.sample`."""
        return self._random.get(self.canonical(qualname))

    def numpy(self, qualname: str) -> NumpyRow | None:
        """A function of NumPy, the standard library, or a builtin (`builtins.float`), given a traced value."""
        return self._numpy.get(self.canonical(qualname))

    def array_member(self, name: str) -> MemberRow | None:
        """An attribute or method of an array; `at.set` for the methods of `x.at[i]`. No row: JAX arrays lack it."""
        return self._members.get(name)

    def update_method(self, function: str) -> str:
        """The method of `x.at[i]` for `numpy.add.at`: `"add"`; empty where the targeted release has none."""
        ufunc = function.removesuffix(".at").rpartition(".")[2]
        row = self.array_member(f"at.{ufunc}")
        return "" if row is None or not is_current(row.since, row.until, self.target) else ufunc

    def python_member(self, kind: str, name: str) -> PythonMemberRow | None:
        """A method of a builtin container: `python_member("list", "append")`."""
        return self._python_members.get(f"{kind}.{name}")

    def effect(self, qualname: str) -> EffectRow | None:
        """What calling this does outside the traced function; an exact row comes before a prefix row."""
        if qualname not in self._effects:
            self._effects[qualname] = self._find_effect(qualname)
        return self._effects[qualname]

    def annotation(self, qualname: str) -> AnnotationRow | None:
        """What a type annotation says of a value; for `Float[Array, "n"]` ask for the name before the bracket."""
        return self._annotations.get(self.canonical(qualname))

    def object(self, qualname: str) -> ObjectRow | None:
        """A class of a framework, what makes an object of one, or a member by its full name."""
        return self._objects.get(self.canonical(qualname))

    def object_member(self, cls: str, name: str) -> ObjectRow | None:
        """A member of a framework's class, its own or one of the classes that it is like."""
        key = (cls, name)
        if key not in self._inherited:
            self._inherited[key] = self._find_member(self.canonical(cls), name)
        return self._inherited[key]

    def library(self, qualname: str) -> LibraryRow | None:
        """The library that a name belongs to."""
        return libraries().get(qualname.partition(".")[0])

    def is_of(self, qualname: str, *kinds: str) -> bool:
        """Whether a name belongs to a library of one of these kinds."""
        if qualname not in self._kinds:
            row = self.library(qualname)
            self._kinds[qualname] = None if row is None else row.kind
        return self._kinds[qualname] in kinds

    def library_class(self, qualname: str) -> ClassRow | None:
        """A class that projects derive from or test for, or a decorator of classes."""
        return self._classes.get(self.canonical(qualname))

    def class_kind(self, qualname: str) -> str:
        """What a base class or decorator makes of a class, as the class does that a base is like; empty for nothing."""
        row = self.library_class(qualname)
        if row is not None:
            return row.kind
        known = self.object(qualname)
        return self.class_kind(known.like) if known is not None and known.kind == "class" and known.like else ""

    def class_members(self, qualname: str) -> frozenset[str] | None:
        """The attributes that a base class or decorator gives to objects; None where not all are known."""
        row = self._class_members.get(self.canonical(qualname))
        return None if row is None else row.members

    def instances(self, qualname: str) -> str:
        """Which values are instances of a class; empty where no table tells."""
        row = self.library_class(qualname)
        return "" if row is None else row.instances

    def called_after(self, qualname: str) -> str:
        """The method that the initializer which a decorator writes calls last; empty where it is Python's own."""
        row = self.library_class(qualname)
        return "" if row is None else row.after

    def has(self, qualname: str, trait: Trait) -> bool:
        """Whether a function, class or module has a trait, by its own row or that of a module around it."""
        traits = self._traits.get(qualname)
        return trait in (self.traits(qualname) if traits is None else traits)

    def traits(self, qualname: str) -> frozenset[Trait]:
        """All of them, for what asks for several at every call."""
        traits = self._traits.get(qualname)
        if traits is None:
            traits = self._traits[qualname] = self._find_traits(self.canonical(qualname))
        return traits

    def meaning(self, qualname: str) -> Term | None:
        """What a call of a function means to code that knows it; None for what the other tables say all of."""
        row = self._meanings.get(self.canonical(qualname))
        return None if row is None else row.meaning

    def start_up(self, name: str) -> StartUpRow | None:
        """A variable of the environment, an option of `jax.config` or a call that JAX heeds only at first."""
        return self._start_up.get(name)

    @cached_property
    def compiler(self) -> str:
        """The transform that compiles a function."""
        rows = filter(None, map(self._meanings.get, self._meanings.names()))
        return next(row.name for row in rows if row.meaning.head == "compiler")

    def counterpart(self, qualname: str) -> str:
        """The name that a function of NumPy or SciPy goes by in JAX, if it is there; empty for other functions."""
        return f"jax.{qualname}" if self.is_of(qualname, "host") else ""

    def array_function(self, name: str) -> FunctionRow | None:
        """The function on arrays of this name (`"sum"`), which the method of arrays and NumPy's function are like."""
        return self.function(f"jax.numpy.{name}")

    def is_listed(self, qualname: str) -> bool:
        """Whether a table says what calling this does: then its source, where it is at hand, need not be read."""
        name = self.canonical(qualname)
        return bool(self._functions.get(name) or self._transforms.get(name) or self._random.get(name))

    def names(self) -> Iterator[str]:
        """The names of all functions and transforms that a table tells something of."""
        yield from self._functions.names()
        yield from self._transforms.names()
        yield from self._random.names()

    def is_module(self, qualname: str) -> bool:
        """Whether a table tells something of a function in a module of this name."""
        return self.canonical(qualname) in self._modules

    def names_module(self, qualname: str) -> bool:
        """Whether a name is a module's own, and no class's: what is imported by a name without dots is a module."""
        if "." not in qualname:
            return True
        is_class = self.is_listed(qualname) or self.library_class(qualname) or self.object(qualname)
        return qualname in self._modules and not is_class

    @cached_property
    def _modules(self) -> frozenset[str]:
        inner = [name.rpartition(".")[0] for name in (*self.names(), *self._meanings.names())]
        return frozenset(part for module in inner for part in _around(module))

    def exists(self, qualname: str) -> bool | None:
        """Whether the targeted release holds this function or transform; None where no table knows it."""
        row = self.function(qualname) or self.transform(qualname)
        return None if row is None else is_current(row.since, row.until, self.target)

    def _resolve(self, qualname: str) -> str:
        names, modules = self._aliases
        for _ in range(4):
            target = names.get(qualname)
            if target is None:
                target = _replace_prefix(qualname, modules)
            if target is None:
                break
            qualname = target
        return qualname

    def _find_member(self, cls: str, name: str) -> ObjectRow | None:
        row = self._objects.get(cls)
        while row is not None:
            found = self._objects.get(f"{row.name}.{name}") or self._objects.get(f"{row.name}.*")
            if found is not None:
                return found
            row = self._objects.get(row.like)
        return None

    def _find_effect(self, qualname: str) -> EffectRow | None:
        exact = self._effect_table.get(qualname)
        if exact is not None:
            return exact
        prefix = qualname
        while "." in prefix:
            prefix = prefix.rpartition(".")[0]
            row = self._effect_table.get(f"{prefix}.*")
            if row is not None:
                return row
        return None

    def _find_traits(self, qualname: str) -> frozenset[Trait]:
        parts = qualname.split(".")
        around = [f"{'.'.join(parts[:length])}.*" for length in range(1, len(parts))]
        traits: set[str] = set()
        for row in filter(None, map(self._trait_table.get, [*around, qualname])):
            traits.difference_update(trait[1:] for trait in row.traits if trait.startswith("-"))
            traits.update(trait for trait in row.traits if not trait.startswith("-"))
        return frozenset(cast("set[Trait]", traits))

    def _table(self, name: str, parse: Callable[[Cells], Row]) -> Table[Row]:
        return Table(name, parse, self.target)

    @cached_property
    def _functions(self) -> Table[FunctionRow]:
        return self._table("functions", parsers.function)

    @cached_property
    def _transforms(self) -> Table[TransformRow]:
        return self._table("transforms", parsers.transform)

    @cached_property
    def _random(self) -> Table[RandomRow]:
        return self._table("random", parsers.random)

    @cached_property
    def _numpy(self) -> Table[NumpyRow]:
        return self._table("numpy_dispatch", parsers.numpy)

    @cached_property
    def _members(self) -> Table[MemberRow]:
        return self._table("array_members", parsers.member)

    @cached_property
    def _python_members(self) -> Table[PythonMemberRow]:
        return self._table("python_members", parsers.python_member)

    @cached_property
    def _effect_table(self) -> Table[EffectRow]:
        return self._table("effects", parsers.effect)

    @cached_property
    def _annotations(self) -> Table[AnnotationRow]:
        return self._table("annotations", parsers.annotation)

    @cached_property
    def _objects(self) -> Table[ObjectRow]:
        return self._table("objects", parsers.library_object)

    @cached_property
    def _classes(self) -> Table[ClassRow]:
        return self._table("classes", parsers.library_class)

    @cached_property
    def _class_members(self) -> Table[ClassMembersRow]:
        return self._table("class_members", parsers.class_members)

    @cached_property
    def _trait_table(self) -> Table[TraitsRow]:
        return self._table("traits", parsers.traits)

    @cached_property
    def _meanings(self) -> Table[MeaningRow]:
        return self._table("meanings", parsers.meaning)

    @cached_property
    def _start_up(self) -> Table[StartUpRow]:
        return self._table("start_up", parsers.start_up)

    @cached_property
    def _aliases(self) -> tuple[dict[str, str], dict[str, str]]:
        """Aliases of single names, and of modules with all they hold."""
        names: dict[str, str] = {}
        modules: dict[str, str] = {}
        for line in read_lines("modules")[1:]:
            alias, canonical, kind = line.split("\t")
            (modules if kind == "module" else names)[alias] = canonical
        for line in read_lines("transforms")[1:]:
            name, others, _ = line.split("\t", 2)
            names.update((alias, name) for alias in others.split(",") if alias)
            names.pop(name, None)
        return names, modules


def _replace_prefix(qualname: str, modules: dict[str, str]) -> str | None:
    prefix = qualname
    while "." in prefix:
        prefix = prefix.rpartition(".")[0]
        target = modules.get(prefix)
        if target is not None:
            return target + qualname[len(prefix) :]
    return None


def _around(module: str) -> Iterator[str]:
    """A module and those around it."""
    while module:
        yield module
        module = module.rpartition(".")[0]
