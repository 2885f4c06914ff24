"""Keys that are used up twice, seen where `jax.random` is called.

A key outside of traces is told by its data and by the seed that it comes from: one that is made anew of the same seed
is another key. Inside of a trace it is told by its tracer.
"""

from __future__ import annotations

import functools
import itertools
import sys
from types import ModuleType
from typing import Any, NamedTuple

from . import frames, hazards, keys, records, runs, twins

_MAKING = ("key", "PRNGKey")
_DERIVING = ("split", "fold_in")
_NEUTRAL = frozenset(
    {"clone", "key_data", "key_dtype", "key_impl", "wrap_key_data", "random_gamma_p", "default_prng_impl"}
)
_MAX_USES = 2_000
_MAX_ROWS = 64
_seeds = itertools.count(1)
_seeds_of: dict[bytes, set[int]] = {}
_seed_of: dict[int, tuple[Any, int]] = {}
_uses: dict[Any, list[_Use]] = {}
_held: list[Any] = []
_count = 0


class _Use(NamedTuple):
    """One use of a key: by which function, where, and in which runs, outer ones first."""

    name: str
    place: list[Any]
    instruction: int
    under: tuple[tuple[int, int, str], ...]


def install(random: ModuleType) -> None:
    """Watch the functions of `jax.random` that are given a key."""
    for name, real in list(vars(random).items()):
        if callable(real) and not name.startswith("_") and name not in _NEUTRAL and not isinstance(real, type):
            setattr(random, name, _watched(name, real))
    runs.when_idle(_forget_tracers)


def _watched(name: str, real: Any) -> Any:
    @functools.wraps(real)
    def draw(*args: Any, **kwargs: Any) -> Any:
        if _count > _MAX_USES:
            return real(*args, **kwargs)
        key = args[0] if args else kwargs.get("key")
        if name not in _MAKING and name != "fold_in":
            _used(name, key)
        result = real(*args, **kwargs)
        if name in _MAKING or name in _DERIVING:
            _learn(name, key, result)
        return result

    return twins.disguised(draw)


@records.guarded
def _learn(name: str, key: Any, result: Any) -> None:
    """Remember of which seed a new key is."""
    jax = sys.modules["jax"]
    if isinstance(result, jax.core.Tracer) or not keys.is_key(jax, result):
        return
    seed = next(_seeds) if name in _MAKING else _seed(jax, key)
    if seed is None:
        return
    told = keys.data(jax, result)
    _held.append(result)
    _seed_of[id(result)] = (result, seed)
    rows = result.shape[0] if name == "split" else 1
    width = len(told) // max(rows, 1)
    for row in range(min(rows, _MAX_ROWS)):
        _seeds_of.setdefault(told[row * width : (row + 1) * width], set()).add(seed)


def _seed(jax: ModuleType, key: Any) -> int | None:
    """The seed that a key comes from, where there is no doubt."""
    if isinstance(key, jax.core.Tracer) or not keys.is_key(jax, key):
        return None
    known = _seed_of.get(id(key))
    if known is not None and known[0] is key:
        return known[1]
    seeds = _seeds_of.get(keys.data(jax, key), set())
    return next(iter(seeds)) if len(seeds) == 1 else None


@records.guarded
def _used(name: str, key: Any) -> None:
    global _count  # noqa: PLW0603 - one number a process
    frame = sys._getframe(3)
    jax = sys.modules["jax"]
    if frames.owner(frame.f_code.co_filename) is not frames.USER or hazards.in_test() or not keys.is_key(jax, key):
        return
    if len(key.shape) > (1 if str(key.dtype) == "uint32" else 0):
        return
    _count += 1
    stack = runs.state().stack
    if stack and not runs.is_abstract() and isinstance(key, jax.core.Tracer):
        return
    under = tuple((run.entry.serial, run.serial, run.entry.kind) for run in stack)
    use = _Use(name, [frame.f_code.co_filename, frame.f_lineno], frame.f_lasti, under)
    earlier = _uses.setdefault(_token(jax, key), [])
    first = next((before for before in earlier if _is_again(before, use)), None)
    earlier.append(use)
    if first is not None:
        _tell(first, use)


def _token(jax: ModuleType, key: Any) -> Any:
    if isinstance(key, jax.core.Tracer):
        _held.append(key)
        return id(key)
    seed = _seed(jax, key)
    if seed is not None:
        return seed, keys.data(jax, key)
    _held.append(key)
    return "object", id(key)


def _is_again(before: _Use, now: _Use) -> bool:
    """Whether both happen in one run of the program: not in two branches, nor in two traces of one function."""
    for (entry, run, kind), (other_entry, other_run, other_kind) in zip(before.under, now.under):
        if run == other_run:
            continue
        return entry != other_entry and not {kind, other_kind} <= {"cond", "switch"}
    return True


def _tell(first: _Use, now: _Use) -> None:
    is_loop = (first.place, first.instruction) == (now.place, now.instruction)
    rule = "key-reuse-in-loop" if is_loop else "parent-key-after-split" if first.name == "split" else "key-reuse"
    message = f"`random.{now.name}` uses a key again that `random.{first.name}` used: the numbers are not independent"
    path, line = first.place
    where = "here" if first.place == now.place else f"at line {line}" if path == now.place[0] else f"at {path}:{line}"
    hazards.tell(rule, now.place, message, evidence=[f"first used {where}"])


def _forget_tracers() -> None:
    """No trace is open any more."""
    for told in [told for told in _uses if isinstance(told, int)]:
        del _uses[told]
