"""Values that hang on a test: which of its sides a joined value came from, where the test's outcome is known again.

Two branches on the same flag go together: what the first assigned is what the second finds. A join remembers the value
of each side with the conditions of that side; a reader whose path excludes one side gets the other's value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain.frames import Choice, Frame, Side
from jaxlint.analysis.domain.lattice import join
from jaxlint.analysis.domain.values import Atom, Union, Value, atoms_of
from jaxlint.analysis.machine.path_conditions import Outcomes, exclusive

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jaxlint.analysis.domain.state import Condition


def remember(frame: Frame, joined: Value, first: Side, second: Side) -> None:
    """Note that a value is that of either side; a value that one side alone can have is no choice."""
    if joined.__class__ is Union and joined is not first.value and joined is not second.value:
        frame.choices[id(joined)] = Choice(joined, (first, second))


def remember_names(
    frame: Frame,
    first: Mapping[str, Value],
    second: Mapping[str, Value],
    holding: Outcomes,
) -> None:
    """Note the names that two branches, with these conditions, left with different values."""
    for name, joined in frame.state.env.items():
        if joined.__class__ is Union and name in first and name in second:
            remember(frame, joined, Side(first[name], holding.true), Side(second[name], holding.false))


def conditions_of(owner: Frame, value: Value, atom: Atom) -> tuple[Condition, ...]:
    """What must hold for a joined value to be this one of its atoms; nothing where either side may be."""
    side = _side_of(owner, value, atom)
    return () if side is None else (*side.conditions, *conditions_of(owner, side.value, atom))


def is_alone(owner: Frame, value: Value, atom: Atom) -> bool:
    """Whether the tests that a joined value hangs on leave no other of its atoms in the place of this one."""
    side = _side_of(owner, value, atom)
    return len(atoms_of(value)) == 1 if side is None else is_alone(owner, side.value, atom)


def _side_of(owner: Frame, value: Value, atom: Atom) -> Side | None:
    """The one side of a join that left an atom; None where several did, or where nobody knows the sides."""
    choice = owner.choices.get(id(value))
    mine = () if choice is None else [side for side in choice.sides if atom in atoms_of(side.value)]
    return mine[0] if len(mine) == 1 else None


def resolve(owner: Frame, value: Value, conditions: tuple[Condition, ...]) -> Value:
    """The value as it can be on a path with these conditions; `owner` is the frame that joined it."""
    if not conditions or id(value) not in owner.choices:
        return value
    return _resolve(owner, value, conditions, {})


def _resolve(owner: Frame, value: Value, conditions: tuple[Condition, ...], seen: dict[int, Value]) -> Value:
    """`seen` has what is resolved already: the sides of many joins share what was joined before."""
    choice = owner.choices.get(id(value))
    if choice is None:
        return value
    if id(value) not in seen:
        seen[id(value)] = _of_sides(owner, choice, conditions, seen)
    return seen[id(value)]


def _of_sides(owner: Frame, choice: Choice, conditions: tuple[Condition, ...], seen: dict[int, Value]) -> Value:
    possible = [side for side in choice.sides if not exclusive(side.conditions, conditions)]
    inner = [_resolve(owner, side.value, conditions, seen) for side in possible]
    if len(inner) < len(choice.sides):
        return inner[0] if inner else choice.joined
    changed = any(new is not side.value for new, side in zip(inner, choice.sides))
    return join(*inner) if changed else choice.joined
