"""What NumPy's generators of random numbers give: arrays of the host, of the size that they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain import shapes
from jaxlint.analysis.domain.values import Arguments, Array, Level, Shape, Static, Tuple

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: The position of `size`, by the name of the function or method.
_SIZES: Final = {
    **dict.fromkeys(("random", "random_sample", "ranf", "sample", "standard_normal", "standard_exponential"), 0),
    **dict.fromkeys(("standard_cauchy",), 0),
    **dict.fromkeys(
        ("chisquare", "exponential", "geometric", "poisson", "rayleigh", "standard_gamma", "standard_t"), 1
    ),
    **dict.fromkeys(
        ("beta", "binomial", "gamma", "gumbel", "laplace", "logistic", "lognormal", "normal", "uniform"), 2
    ),
    **dict.fromkeys(("integers", "randint"), 2),
}
#: Those that take the lengths of the axes one by one.
_BY_AXES: Final = frozenset({"rand", "randn"})
_INTEGERS: Final = frozenset({"binomial", "geometric", "integers", "poisson", "randint"})


def array(it: Interpreter, name: str, arguments: Arguments) -> Array:
    """The array that a function or method of this name gives; of other functions of the host nothing is known."""
    last = name.rpartition(".")[2]
    if not it.api.has(name, "random-generator") or arguments.extra:
        return Array(Level.HOST)
    shape = _shape(last, arguments)
    if shape is None or not all(isinstance(length, int) for length in shape):
        return Array(Level.HOST)
    return Array(Level.HOST, "int" if last in _INTEGERS else "float", shape)


def _shape(last: str, arguments: Arguments) -> Shape:
    if last in _BY_AXES:
        return shapes.given_shape(Tuple(tuple(arguments.positional))) if arguments.positional else None
    if last not in _SIZES:
        return None
    size = arguments.get(_SIZES[last], "size")
    if size is None or (isinstance(size, Static) and size.value is None):
        return None
    return shapes.given_shape(size)
