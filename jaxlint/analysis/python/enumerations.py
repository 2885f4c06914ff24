"""What members of enumerations are equal to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import ClassValue, Qualified, Static, Tuple, Value

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What members of enumerations are beside members, by a base.
_MEMBERS: Final = {"IntEnum": "int", "IntFlag": "int", "StrEnum": "str", "int": "int", "str": "str", "float": "float"}


def member(it: Interpreter, cls: ClassValue, value: Static | Tuple, *, is_made: bool, at: int) -> Value:
    """The member of an enumeration that has this value; of one that derives from a type, a value of that type.

    What members that the class's own `__new__` makes, or that are written as tuples, are equal to is not known.
    """
    bases = {base.name.rpartition(".")[2] for base in cls.bases if isinstance(base, Qualified)}
    is_plain = bases <= {"Enum", "Flag"} and not any(isinstance(base, ClassValue) for base in cls.bases)
    if isinstance(value, Static) and not is_made:
        return Static(value.value, "enum") if is_plain else value
    kinds = {_MEMBERS[name] for name in bases & _MEMBERS.keys()}
    if is_plain or len(kinds) == 1:
        return Static(type=kinds.pop() if kinds else "enum")
    return it.unknown(f"a member of `{cls.name}`", at)
