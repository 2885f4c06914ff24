"""Which keys a program draws from or splits twice: recorded by wrapping the functions of `jax.random`."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

#: Functions that use up the key they are given.
_CONSUMERS = (
    "split", "normal", "uniform", "bernoulli", "randint", "permutation", "gumbel", "choice", "categorical", "exponential",
    "gamma", "beta", "dirichlet", "laplace", "truncated_normal", "multivariate_normal", "poisson", "rademacher", "bits",
)  # fmt: skip

#: The lines of the program on the stack where a key was used, the innermost one first.
Lines = tuple[int, ...]


class KeyRecord:
    """The uses of each key, told by its data, in the order in which they were run, and where each was made."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.uses: dict[bytes, list[Lines]] = {}
        self.made: dict[bytes, list[tuple[bytes, Lines]]] = {}

    def used(self, key: Any) -> None:
        """Note a use of this key here, now or, in traced code, when it is run."""
        lines = self._lines()
        _when_run(functools.partial(self._store_use, lines), _data(key))

    def derived(self, key: Any, children: Any) -> None:
        """Note which keys are made of this one."""
        lines = self._lines()
        _when_run(functools.partial(self._store_made, lines), _data(key), _data(children))

    def _store_use(self, lines: Lines, data: Any) -> None:
        for row in _rows(data):
            self.uses.setdefault(row, []).append(lines)

    def _store_made(self, lines: Lines, data: Any, children: Any) -> None:
        (parent, *_) = _rows(data)
        for child in _rows(children):
            self.made.setdefault(child, []).append((parent, lines))

    def _lines(self) -> Lines:
        found = []
        frame = sys._getframe(2)
        while frame is not None:
            if frame.f_code.co_filename == self.path:
                found.append(frame.f_lineno)
            frame = frame.f_back
        return tuple(found)

    def reused(self) -> tuple[list[frozenset[int]], frozenset[int]]:
        """For each key that was used twice, the lines where that can be said: those of the later uses.

        Keys that are alike because the key they were made of was split twice need not be told of themselves: their
        lines come second. Those that `fold_in` made alike can be told there as well.
        """
        jax.effects_barrier()
        found, allowed = [], set[int]()
        for key, uses in self.uses.items():
            made = self.made.get(key, [])
            lines = frozenset(line for each in [*uses[1:], *(at for _, at in made[1:])] for line in each)
            if any(len(self.uses.get(parent, ())) > 1 for parent, _ in made):
                allowed |= lines
            elif len(uses) > 1 and lines:
                found.append(lines)
        return found, frozenset(allowed)


def _data(key: Any) -> Any:
    is_typed = jax.dtypes.issubdtype(key.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(key) if is_typed else key


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
    before = {name: getattr(jax.random, name) for name in (*_CONSUMERS, "fold_in")}
    try:
        for name, function in before.items():
            setattr(jax.random, name, _watched(name, function, record))
        yield record
    finally:
        for name, function in before.items():
            setattr(jax.random, name, function)


def _watched(name: str, function: Callable[..., Any], record: KeyRecord) -> Callable[..., Any]:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        key = args[0] if args else kwargs["key"]
        if name != "fold_in":
            record.used(key)
        result = function(*args, **kwargs)
        if name in ("fold_in", "split"):
            record.derived(key, result)
        return result

    return wrapper
