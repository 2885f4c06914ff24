"""What members of enumerations are equal to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import ClassValue, Qualified, Static, Tuple, Value
from jaxlint.analysis.python import classes

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter

#: What members of enumerations are beside members, by a base.
_MEMBERS: Final = {"IntEnum": "int", "IntFlag": "int", "StrEnum": "str", "int": "int", "str": "str", "float": "float"}


def member(it: Interpreter, cls: ClassValue, value: Static | Tuple, at: int) -> Value:
    """The member of an enumeration that has this value; of one that derives from a type, a value of that type.

    What the members of a class with its own `__new__`, or those that are written as tuples, are equal to is not known.
    """
    bases = {base.name.rpartition(".")[2] for base in cls.bases if isinstance(base, Qualified)}
    is_plain = bases <= {"Enum", "Flag"} and not any(isinstance(base, ClassValue) for base in cls.bases)
    if isinstance(value, Static) and classes.find(it, cls, "__new__") is None:
        return Static(value.value, "enum") if is_plain else value
    kinds = {_MEMBERS[name] for name in bases & _MEMBERS.keys()}
    if is_plain or len(kinds) == 1:
        return Static(type=kinds.pop() if kinds else "enum")
    return it.unknown(f"a member of `{cls.name}`", at)
