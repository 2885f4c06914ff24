"""What makes a field static: `dataclasses.field` and its kin, called in the class or by a helper of the project."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jaxlint.analysis.domain.values import Arguments, DictCell, Made, Object, Qualified, Static, Unknown, Value
from jaxlint.analysis.python import calls
from jaxlint.syntax import ir

if TYPE_CHECKING:
    from jaxlint.analysis.machine.interpreter import Interpreter
    from jaxlint.analysis.machine.semantics import Handler

#: The class of what a call that makes a field static returns.
_FIELD: Final = "dataclasses.Field"
#: What keeps a field out of the leaves, as a keyword or in the metadata.
_STATIC: Final = {"static": True, "pytree_node": False}


def specify(it: Interpreter, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`field(...)`: its value says whether the field is static, and nothing else."""
    value = calls.call_unknown(it, Qualified(name), arguments, node, f"call of `{name}`")
    meaning = it.api.meaning(name)
    always = meaning is not None and meaning.first == "static"
    if isinstance(value, Unknown) and (always or _is_static(it, arguments)):
        return Made(value.ident, value.reason, _FIELD)
    return value


def _is_static(it: Interpreter, arguments: Arguments) -> bool:
    given = dict(arguments.keywords)
    metadata = given.get("metadata")
    cell = it.cell(metadata) if isinstance(metadata, Object) else None
    if isinstance(cell, DictCell):
        given |= {key: value for key, value in cell.items.items() if isinstance(key, str)}
    return any(isinstance(v := given.get(name), Static) and v.value is wanted for name, wanted in _STATIC.items())


def take_static(namespace: dict[str, Value]) -> frozenset[str]:
    """The names of a class's body that stand for static fields, whose values become plain ones."""
    found = {name: value for name, value in namespace.items() if isinstance(value, Made) and value.cls == _FIELD}
    namespace.update({name: Unknown(value.ident, value.reason) for name, value in found.items()})
    return frozenset(found)


SPECIAL: Final[dict[str, Handler]] = {"dataclasses.field": specify, "field_specifier": specify}
