"""Which keys a program draws from twice, or splits twice: recorded by wrapping the functions of `jax.random`.

A key that is drawn from and split gives no number twice. JAX's key checker rejects it, so it can be told and need not.

A use in traced code is noted when it is run, with the lines on which it was traced. So that these are the lines of that
very use, nothing is traced once for two calls; and uses are put in the order in which they were traced, since callbacks
come in any.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

#: Functions that use up the key they are given.
_CONSUMERS = (
    "split", "normal", "uniform", "bernoulli", "randint", "permutation", "gumbel", "choice", "categorical", "exponential",
    "gamma", "beta", "dirichlet", "laplace", "truncated_normal", "multivariate_normal", "poisson", "rademacher", "bits",
    "ball", "binomial", "cauchy", "geometric", "logistic", "lognormal", "orthogonal", "pareto", "rayleigh", "t", "triangular",
)  # fmt: skip

#: Those of them that split it to draw, as their jaxprs show.
_SPLITTING = (
    "split", "randint", "permutation", "choice", "gamma", "beta", "dirichlet", "poisson", "ball", "binomial", "t",
)  # fmt: skip

#: Functions that make a key of a number.
_CREATORS = ("key", "PRNGKey")
#: Functions that remember how they traced others, and the modules that they stand in.
_TRANSFORMS = (
    (jax, "jit"), (jax, "vmap"), (jax, "checkpoint"), (jax, "grad"), (jax, "value_and_grad"), (jax.lax, "scan"),
    (jax.lax, "fori_loop"), (jax.lax, "while_loop"), (jax.lax, "cond"), (jax.lax, "switch"), (jax.lax, "map"),
    (jax, "jacfwd"), (jax, "vjp"), (jax, "jvp"),
)  # fmt: skip

#: The lines of the program on the stack where a key was used, the innermost one first.
Lines = tuple[int, ...]


class _Use(NamedTuple):
    """A use of a key: its place in the order of tracing, its lines, and whether it draws from the key and splits it."""

    number: int
    lines: Lines
    draws: bool = False
    splits: bool = False


class KeyRecord:
    """The uses of each key, told by its data, and where each was made: of a key, or of a number."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.uses: dict[bytes, list[_Use]] = {}
        self.made: dict[bytes, list[tuple[bytes, _Use]]] = {}
        self._numbers = itertools.count()

    def used(self, key: Any, function: str) -> None:
        """Note that a function uses this key here, now or, in traced code, when it is run."""
        here = self._here()._replace(draws=function != "split", splits=function in _SPLITTING)
        _when_run(functools.partial(self._store_use, here), _data(key))

    def derived(self, key: Any, children: Any) -> None:
        """Note which keys are made of this one."""
        _when_run(functools.partial(self._store_made, self._here()), _data(key), _data(children))

    def created(self, key: Any) -> None:
        """Note a key that is made of a number."""
        _when_run(functools.partial(self._store_created, self._here()), _data(key))

    def _store_use(self, here: _Use, data: Any) -> None:
        for row in _rows(data):
            self.uses.setdefault(row, []).append(here)

    def _store_made(self, here: _Use, data: Any, children: Any) -> None:
        (parent, *_) = _rows(data)
        for child in _rows(children):
            self.made.setdefault(child, []).append((parent, here))

    def _store_created(self, here: _Use, data: Any) -> None:
        for row in _rows(data):
            self.made.setdefault(row, []).append((b"", here))

    def _here(self) -> _Use:
        found = []
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename == self.path:
                found.append(frame.f_lineno)
            frame = frame.f_back
        return _Use(next(self._numbers), tuple(found))

    def reused(self) -> tuple[list[frozenset[int]], frozenset[int]]:
        """For each key that was drawn from or split twice, the lines where that can be said: those of the later uses.

        Keys that are alike because the key they were made of was split twice need not be told of themselves: their
        lines come second. Those that `fold_in` or a number made alike can be told there as well.
        """
        jax.effects_barrier()
        found, allowed = [], set[int]()
        for key, uses in self.uses.items():
            made = self.made.get(key, [])
            later = [*sorted(uses)[1:], *sorted(at for _, at in made)[1:]]
            lines = frozenset(line for each in later for line in each.lines)
            repeats = sum(use.draws for use in uses) > 1 or sum(use.splits for use in uses) > 1
            if not repeats or any(len(self.uses.get(parent, ())) > 1 for parent, _ in made):
                allowed |= lines
            elif lines:
                found.append(lines)
        return found, frozenset(allowed)


#: The axes of the mapped functions that are being traced, the outermost one first.
_AXES: list[str] = []


def _data(key: Any) -> Any:
    """The numbers of a key: of one from outside, too, as many times as what is traced is run, for each row by itself."""
    is_typed = jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key)
    data = jax.random.key_data(key) if is_typed else key
    zero = sum((jax.lax.axis_index(axis) * 0 for axis in _AXES), jnp.zeros((), int))
    return jax.lax.bitwise_xor(data, jnp.broadcast_to(zero.astype(data.dtype), data.shape))


def _when_run(store: Callable[..., None], *data: Any) -> None:
    if any(isinstance(each, jax.core.Tracer) for each in data):
        jax.debug.callback(store, *data)
    else:
        store(*data)


def _rows(data: Any) -> list[bytes]:
    return [row.tobytes() for row in np.asarray(data).reshape(-1, np.shape(data)[-1])]


@contextlib.contextmanager
def recorded(path: str) -> Iterator[KeyRecord]:
    """Record the uses of keys by a program, inside of the block."""
    record = KeyRecord(path)
    watched = [(jax.random, name) for name in (*_CONSUMERS, *_CREATORS, "fold_in")]
    before = {each: getattr(*each) for each in (*watched, *_TRANSFORMS)}
    try:
        for (module, name), function in before.items():
            again = _watched(name, function, record) if module is jax.random else _traced_each_time(function)
            setattr(module, name, again)
        yield record
    finally:
        for (module, name), function in before.items():
            setattr(module, name, function)


def _watched(name: str, function: Callable[..., Any], record: KeyRecord) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        if name in _CREATORS:
            record.created(result)
            return result
        key = args[0] if args else kwargs["key"]
        if name != "fold_in":
            record.used(key, name)
        if name in ("fold_in", "split"):
            record.derived(key, result)
        return result

    return wrapper


def _traced_each_time(transform: Callable[..., Any]) -> Callable[..., Any]:
    """The transform with new functions in the place of those that it is given; `jit` is applied anew by each call."""

    @functools.wraps(transform)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return transform(*map(_renewed, args), **{name: _renewed(value) for name, value in kwargs.items()})

    if transform is jax.vmap:
        return functools.partial(_mapped_by_name, transform)
    if transform is not jax.jit:
        return wrapper

    def jit(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
        @functools.wraps(function, updated=())
        def traced(*args: Any, **kwargs: Any) -> Any:
            return wrapper(function, **options)(*args, **kwargs)

        return traced

    return jit


def _mapped_by_name(vmap: Callable[..., Any], function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`vmap` with a name for its axis while the function is traced."""
    name = f"rows{len(_AXES)}"

    @functools.wraps(function, updated=())
    def named(*inner: Any, **keywords: Any) -> Any:
        _AXES.append(name)
        try:
            return function(*inner, **keywords)
        finally:
            _AXES.pop()

    return vmap(named, *args, axis_name=name, **kwargs)


def _renewed(value: Any) -> Any:
    """A new function that does the same; what is no function as it is."""
    if isinstance(value, list | tuple):
        return type(value)(map(_renewed, value)) if any(map(callable, value)) else value
    return _same(value) if callable(value) else value


def _same(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function, updated=())
    def again(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return again
