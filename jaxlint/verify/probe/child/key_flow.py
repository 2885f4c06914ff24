"""Follows PRNG keys through a jaxpr by value numbering: two uses of one number are uses of the same key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .programs import subprograms, user_lines

_DRAWS = ("random_bits", "random_gamma")
_SAME = ("random_wrap", "random_unwrap", "copy", "copy_p", "sharding_constraint", "optimization_barrier")
_CALLS = ("jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr",
          "remat", "remat2", "checkpoint", "custom_lin", "shard_map", "xla_pmap")  # fmt: skip
_MOST = 20_000

Place = tuple[str, int]


@dataclass(frozen=True)
class Use:
    """One consumption of a key. `repeated` says that it happens in each round of a compiled loop, with the same key.

    `branches` are the alternatives it stands in, as (equation, index): uses in different ones exclude each other.
    """

    kind: str
    key: int
    data: int
    lines: tuple[Place, ...]
    repeated: bool
    branches: tuple[tuple[int, int], ...]
    rank: int
    constant: bool


class KeyUses:
    """The uses of keys in one program, in order."""

    def __init__(self, files: Container[str]) -> None:
        self.files = files
        self.uses: list[Use] = []
        self._numbers: dict[Any, int] = {}
        self._depth_of: dict[int, int] = {}
        self._constants: set[int] = set()
        self._count = 0

    def read(self, closed: Any) -> None:
        """Follow the keys of one closed jaxpr."""
        values = [self._fresh(0) for _ in closed.jaxpr.invars]
        constants = [self._number(("constant", id(constant)), 0) for constant in closed.consts]
        self._program(closed.jaxpr, constants, values, (), (), 0)

    def _fresh(self, depth: int) -> int:
        self._count += 1
        self._depth_of[self._count] = depth
        return self._count

    def _number(self, what: Any, depth: int) -> int:
        if what not in self._numbers:
            self._numbers[what] = self._fresh(depth)
        return self._numbers[what]

    def _program(
        self, jaxpr: Any, constants: Sequence[int], values: Sequence[int],
        lines: tuple[Place, ...], branches: tuple[tuple[int, int], ...], depth: int,
    ) -> list[int]:  # fmt: skip
        """Number what a program computes from the numbers of what it gets; `depth` counts the loops around it."""
        known: dict[int, int] = dict(zip(map(id, jaxpr.constvars), constants, strict=False))
        known.update(zip(map(id, jaxpr.invars), values, strict=False))

        def number(atom: Any) -> int:
            if hasattr(atom, "val"):
                literal = self._number(("literal", str(atom.aval), repr(atom.val)), 0)
                self._constants.add(literal)
                return literal
            return known[id(atom)] if id(atom) in known else self._fresh(depth)

        for equation in jaxpr.eqns:
            if self._count > _MOST:
                break
            taken = [number(atom) for atom in equation.invars]
            where = (*lines, *reversed(user_lines(equation, self.files)))  # the innermost last
            results = self._equation(equation, taken, where, branches, depth)
            known.update(zip(map(id, equation.outvars), results, strict=False))
        return [number(atom) for atom in jaxpr.outvars]

    def _equation(
        self, equation: Any, taken: list[int], where: tuple[Place, ...],
        branches: tuple[tuple[int, int], ...], depth: int,
    ) -> list[int]:  # fmt: skip
        name = equation.primitive.name
        if name in _SAME and taken:
            return taken[:1] if len(equation.outvars) == 1 else taken
        if name in _DRAWS or name in ("random_split", "random_fold_in", "random_seed"):
            self._note(equation, name, taken, where, branches, depth)
        elif name == "cond":
            return self._alternatives(equation, taken, where, branches, depth)
        elif name in ("scan", "while"):
            return self._loop(equation, taken, where, branches, depth)
        elif name in _CALLS:
            inner = next(subprograms(equation), None)
            if inner is not None and len(inner.invars) == len(taken):
                closed = [self._fresh(depth) for _ in inner.constvars]
                return self._program(inner, closed, taken, where, branches, depth)
        if name == "random_clone" or getattr(equation, "effects", None) or any(subprograms(equation)):
            return [self._fresh(depth) for _ in equation.outvars]
        inside = max([0, *(self._depth_of[value] for value in taken)])
        what = (name, _parameters(equation.params), tuple(taken))
        results = [self._number((what, index), inside) for index, _ in enumerate(equation.outvars)]
        if self._constants.issuperset(taken):
            self._constants.update(results)
        return results

    def _note(
        self, equation: Any, name: str, taken: list[int], where: tuple[Place, ...],
        branches: tuple[tuple[int, int], ...], depth: int,
    ) -> None:  # fmt: skip
        kind = {"random_split": "split", "random_fold_in": "fold_in", "random_seed": "seed"}.get(name, "draw")
        shape = getattr(equation.invars[0].aval, "shape", ())
        data = taken[1] if len(taken) > 1 else self._number(("parameters", _parameters(equation.params)), 0)
        is_constant = taken[0] in self._constants
        self.uses.append(
            Use(kind, taken[0], data, where, self._depth_of[taken[0]] < depth, branches, len(shape), is_constant)
        )

    def _alternatives(
        self, equation: Any, taken: list[int], where: tuple[Place, ...],
        branches: tuple[tuple[int, int], ...], depth: int,
    ) -> list[int]:  # fmt: skip
        for index, inner in enumerate(subprograms(equation)):
            inside = (*branches, (id(equation), index))
            self._program(inner, [self._fresh(depth) for _ in inner.constvars], taken[1:], where, inside, depth)
        return [self._fresh(depth) for _ in equation.outvars]

    def _loop(
        self, equation: Any, taken: list[int], where: tuple[Place, ...],
        branches: tuple[tuple[int, int], ...], depth: int,
    ) -> list[int]:  # fmt: skip
        for inner, kept, carried in _loop_bodies(equation, taken):
            noted = len(self.uses)
            closed = [self._fresh(depth) for _ in inner.constvars]
            fresh = [self._fresh(depth + 1) for _ in range(len(inner.invars) - len(kept))]
            results = self._program(inner, closed, [*kept, *fresh], where, branches, depth + 1)
            same = [i for i, number in enumerate(fresh[: len(carried)]) if i < len(results) and results[i] == number]
            if same:  # what a round hands on unchanged is the same in every round
                del self.uses[noted:]
                for index in same:
                    fresh[index] = carried[index]
                self._program(inner, closed, [*kept, *fresh], where, branches, depth + 1)
        return [self._fresh(depth) for _ in equation.outvars]


def _loop_bodies(equation: Any, taken: list[int]) -> Iterator[tuple[Any, list[int], list[int]]]:
    """The programs of a loop, each with the numbers of its constants and of what the first round gets."""
    params = equation.params
    if equation.primitive.name == "scan":
        first, second = params["num_consts"], params["num_consts"] + params["num_carry"]
        yield getattr(params["jaxpr"], "jaxpr", params["jaxpr"]), taken[:first], taken[first:second]
        return
    first, second = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
    yield getattr(params["cond_jaxpr"], "jaxpr", params["cond_jaxpr"]), taken[:first], []
    yield getattr(params["body_jaxpr"], "jaxpr", params["body_jaxpr"]), taken[first:second], taken[second:]


def _parameters(params: Mapping[str, Any]) -> str:
    return "; ".join(f"{name}={value}" for name, value in sorted(params.items()))[:2000]


def described(uses: Sequence[Use]) -> list[dict[str, Any]]:
    """What the uses of keys show, as JSON: repetitions of one key, and seeds that are constants."""
    by_key: defaultdict[int, list[Use]] = defaultdict(list)
    for use in uses:
        by_key[use.key].append(use)
    found = []
    if any(use.constant for use in uses if use.kind != "seed"):
        is_drawn = any(use.constant for use in uses if use.kind == "draw")
        found = [{**_constant(use), "drawn": is_drawn} for use in uses if use.kind == "seed" and use.constant]
    found += [_repetition("single draw", [use]) for use in uses if use.kind == "draw"]
    for group in by_key.values():
        consumed = [use for use in group if use.kind in ("draw", "split")]
        found += [_repetition("loop", [use]) for use in consumed if use.repeated]
        found += _pairs(consumed)
        found += _collisions(group)
    return [entry for entry in found if entry["lines"]][:200]


def _pairs(consumed: Sequence[Use]) -> list[dict[str, Any]]:
    if len(consumed) < 2:
        return []
    compatible = [
        (first, second)
        for index, first in enumerate(consumed[:50])
        for second in consumed[index + 1 : 50]
        if not _exclusive(first, second)
    ]
    return [_repetition(f"{first.kind} and {second.kind}", [first, second]) for first, second in compatible]


def _collisions(group: Sequence[Use]) -> list[dict[str, Any]]:
    splits = [use for use in group if use.kind == "split"]
    folds = [use for use in group if use.kind == "fold_in"]
    pairs = [(a, b) for a in splits for b in folds if not _exclusive(a, b)]
    found = [_repetition("split and fold_in", [a, b]) for a, b in pairs[:20]]
    for index, first in enumerate(folds[:50]):
        equal = (b for b in folds[index + 1 : 50] if b.data == first.data and not _exclusive(first, b))
        found += [_repetition("fold_in and fold_in", [first, b]) for b in equal]
    return found


def _exclusive(first: Use, second: Use) -> bool:
    ways = dict(first.branches)
    return any(ways.get(equation, index) != index for equation, index in second.branches)


def _repetition(what: str, uses: Sequence[Use]) -> dict[str, Any]:
    return {
        "what": what,
        "lines": [list(use.lines[-1]) for use in uses if use.lines],
        "all_lines": [[list(place) for place in use.lines] for use in uses],
        "rank": uses[0].rank,
        "constant": uses[0].constant,
    }


def _constant(use: Use) -> dict[str, Any]:
    return {**_repetition("constant seed", [use]), "number": use.key}
