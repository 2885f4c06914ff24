"""The shapes of what layers give: those of their inputs, with an axis as long as the layer was made for.

The terms stand in `meanings.tsv`, by the method: `like` (the shape of the input), `last(WIDTH)` (its last axis
replaced), `more(WIDTH)` (one more axis), `map(WIDTH)` (its last axis replaced, the others of unknown length),
`channels(WIDTH)` (the first axis replaced, the others of unknown length) and `vector(WIDTH)`. WIDTH is the parameter
of the class that holds the length, if one does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import Arguments, Dim, Shape

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter


def of_result(it: Interpreter, method: str, arguments: Arguments, options: Mapping[str, Any]) -> Shape:
    """The shape of the array that a method of a layer gives; None where no table tells of it, or it is unknown."""
    meaning = it.api.meaning(method)
    rule = None if meaning is None else _RULES.get(meaning.head)
    if meaning is None or rule is None or arguments.extra or not arguments.all():
        return None
    given = options.get(meaning.first) if meaning.args else None
    return rule(shapes.shape_of(arguments.all()[0]), given if type(given) is int else None)


def _like(given: Shape, _: Dim) -> Shape:
    return given


def _last(given: Shape, width: Dim) -> Shape:
    return (*given[:-1], width) if given else None


def _more(given: Shape, width: Dim) -> Shape:
    return None if given is None else (*given, width)


def _map(given: Shape, width: Dim) -> Shape:
    return (*(None,) * (len(given) - 1), width) if given else None


def _channels(given: Shape, width: Dim) -> Shape:
    return (width, *(None,) * (len(given) - 1)) if given else None


def _vector(_: Shape, width: Dim) -> Shape:
    """A vector, unless the layer may have been asked for a scalar."""
    return None if width is None else (width,)


_RULES: Final[dict[str, Callable[[Shape, Dim], Shape]]] = {
    "like": _like, "last": _last, "more": _more, "map": _map, "channels": _channels, "vector": _vector,
}  # fmt: skip
