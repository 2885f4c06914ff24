"""One function per table turns the cells of a line into its row."""

from __future__ import annotations

from jaxlint.jaxapi.cells import axes, names, operands, optional, signature, traced_functions
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
    TraitsRow,
    TransformRow,
)
from jaxlint.jaxapi.tables import Cells
from jaxlint.jaxapi.terms import parse_term


def function(cells: Cells) -> FunctionRow:
    """A line of functions.tsv."""
    return FunctionRow(
        name=cells["name"],
        params=signature(cells["params"]),
        returns=parse_term(cells["returns"]),
        static=frozenset(names(cells["static"])),
        concrete=frozenset(names(cells["concrete"])),
        size=optional(cells["size"]),
        size_when=cells["size_when"],
        shape=parse_term(cells["shape"]),
        dtype=parse_term(cells["dtype"]),
        since=cells["since"],
        until=cells["until"],
        ran=cells["ran"] == "yes",
    )


def transform(cells: Cells) -> TransformRow:
    """A line of transforms.tsv."""
    return TransformRow(
        name=cells["name"],
        aliases=names(cells["aliases"]),
        form=cells["form"],
        functions=traced_functions(cells["functions"], cells["fn_keywords"], cells["traced"]),
        level=cells["level"],
        statics=names(cells["statics"]),
        axes=axes(cells["axes"]),
        operands=operands(cells["operands"]),
        aux=optional(cells["aux"]),
        result=parse_term(cells["result"]),
        factory=cells["factory"] == "yes",
        since=cells["since"],
        until=cells["until"],
        ran=cells["ran"] == "yes",
    )


def random(cells: Cells) -> RandomRow:
    """A line of random.tsv."""
    return RandomRow(
        name=cells["name"],
        role=cells["role"],
        key=optional(cells["key"]),
        consumes=cells["consumes"] == "yes",
        params=signature(cells["params"]),
        static=frozenset(names(cells["static"])),
        returns=parse_term(cells["returns"]),
        since=cells["since"],
        until=cells["until"],
        ran=cells["ran"] == "yes",
    )


def numpy(cells: Cells) -> NumpyRow:
    """A line of numpy_dispatch.tsv."""
    return NumpyRow(cells["name"], cells["jit"], cells["grad"], parse_term(cells["returns"]), cells["ran"] == "yes")


def member(cells: Cells) -> MemberRow:
    """A line of array_members.tsv."""
    return MemberRow(
        name=cells["name"],
        kind=cells["kind"],
        tracer=cells["tracer"],
        grad=cells["grad"],
        concrete=cells["concrete"],
        numpy=cells["numpy"],
        returns=parse_term(cells["returns"]),
        mutates=cells["mutates"] == "yes",
        params=signature(cells["params"]),
        static=frozenset(names(cells["static"])),
        since=cells["since"],
        until=cells["until"],
        ran=cells["ran"] == "yes",
    )


def python_member(cells: Cells) -> PythonMemberRow:
    """A line of python_members.tsv."""
    return PythonMemberRow(cells["name"], cells["mutates"] == "yes", parse_term(cells["returns"]))


def class_members(cells: Cells) -> ClassMembersRow:
    """A line of class_members.tsv."""
    return ClassMembersRow(cells["name"], frozenset(names(cells["members"])))


def library_object(cells: Cells) -> ObjectRow:
    """A line of objects.tsv."""
    nothing, unknown = frozenset[str](), parse_term("")
    params, returns = signature(cells["params"]), parse_term(cells["returns"])
    call = FunctionRow(
        cells["name"], params, returns, nothing, nothing, None, "", unknown, unknown, since="", until="", ran=False
    )
    leaves = cells["kind"] == "class" and cells["returns"] == "leaves"
    key, when = optional(cells["key"]), parse_term(cells["when"])
    return ObjectRow(cells["name"], cells["kind"], cells["like"], leaves, key, when, call)


def effect(cells: Cells) -> EffectRow:
    """A line of effects.tsv."""
    return EffectRow(cells["name"], cells["kind"])


def annotation(cells: Cells) -> AnnotationRow:
    """A line of annotations.tsv."""
    return AnnotationRow(cells["name"], cells["kind"], cells["type"], cells["dtype"])


def library(cells: Cells) -> LibraryRow:
    """A line of libraries.tsv."""
    return LibraryRow(cells["name"], cells["kind"], names(cells["words"]), cells["arrays"] == "yes")


def library_class(cells: Cells) -> ClassRow:
    """A line of classes.tsv."""
    return ClassRow(cells["name"], cells["kind"], cells["assignment"], cells["instances"], cells["after"])


def traits(cells: Cells) -> TraitsRow:
    """A line of traits.tsv."""
    return TraitsRow(cells["name"], names(cells["traits"]))


def start_up(cells: Cells) -> StartUpRow:
    """A line of start_up.tsv."""
    return StartUpRow(cells["name"], cells["kind"], cells["last_read"], cells["raises"])


def meaning(cells: Cells) -> MeaningRow:
    """A line of meanings.tsv."""
    return MeaningRow(cells["name"], parse_term(cells["meaning"]))
