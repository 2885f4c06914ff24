"""Compiled methods whose `self` JAX cannot take: made static, or a pytree, by what their class holds."""

from __future__ import annotations

from typing import Any, Final

from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Change, Code
from jaxlint.fixes.dataclass_edits import dataclass_decorator, field_types, has_leaves_alone, registered
from jaxlint.fixes.imports import name_of
from jaxlint.fixes.names import is_stored_to
from jaxlint.rules.recompilation._fix_options import option
from jaxlint.syntax import ir

#: Types of fields that have no hash, without their modules.
_WITHOUT_HASH: Final = frozenset(
    {"list", "List", "dict", "Dict", "set", "Set", "bytearray", "Array", "ArrayLike", "ndarray"}
)
_NUMBERS: Final = frozenset({"float", "int", "bool", "str", "tuple"})


def with_self(code: Code, at: int, *, is_traced: bool, is_hashable: bool) -> Fix | None:
    """The fix of the decorator at an ordinal, whose `self` is traced or else static."""
    method = code.parent(at)
    cls = code.owner(at)
    if not isinstance(method, ir.FunctionDefinition) or not isinstance(cls, ir.Class):
        return None
    dataclass = dataclass_decorator(code, cls)
    if _changes_later(code, cls):
        return None
    if not is_traced:
        return _frozen(code, dataclass, cls) if dataclass is not None and not is_hashable else None
    if is_hashable and not (dataclass is not None and _hashes_what_has_no_hash(code, dataclass, cls)):
        return _static(code, code.node(at), cls)
    return None if dataclass is None else _registered(code, cls)


def _hashes_what_has_no_hash(code: Code, decorator: Any, cls: ir.Class) -> bool:  # noqa: ANN401 - an expression
    """Whether a dataclass is hashed by its fields, and one of these is a container or an array."""
    equal = option(decorator, "eq")
    is_by_identity = isinstance(equal, ir.Constant) and equal.value is False
    types = {name.rpartition(".")[2] for name in field_types(code, cls)}
    return not is_by_identity and not types.isdisjoint(_WITHOUT_HASH)


def _changes_later(code: Code, cls: ir.Class) -> bool:
    """Whether a method other than `__init__` assigns an attribute of `self`."""
    for node in code.owned(cls):
        if isinstance(node, ir.Attribute) and isinstance(node.base, ir.Name) and is_stored_to(code, node):
            owner = code.owner(node.at)
            is_method = (
                isinstance(owner, ir.Function) and owner.parameters and owner.name not in ("__init__", "__post_init__")
            )
            if is_method and node.base.id == owner.parameters[0].name:  # type: ignore[union-attr]
                return True
    return False


def _static(code: Code, decorator: Any, cls: ir.Class) -> Fix | None:  # noqa: ANN401 - an expression
    """`self` as a static argument: found by identity, its attributes constants."""
    changes: list[Change] = []
    given = option(decorator, "static_argnums")
    if not isinstance(decorator, ir.Call):
        partial = name_of(code, decorator.at, "functools.partial")
        if partial is None:
            return None
        start, end = code.outer(decorator.at)
        changes = [Change(start, start, f"{partial.text}("), Change(end, end, ", static_argnums=0)"), *partial.changes]
    elif given is None:
        end = code.span(decorator.at)[1] - 1
        comma = "" if code.text[slice(*code.token_before(end))] in "(," else ", "
        changes = [Change(end, end, f"{comma}static_argnums=0")]
    elif isinstance(given, ir.Constant):
        changes = [Change(*code.span(given.at), f"(0, {code.segment(given.at)})")]
    elif isinstance(given, ir.SequenceDisplay) and given.elements:
        start = code.outer(given.elements[0].at)[0]
        last = given.elements[-1]
        changes = [Change(start, start, "0, ")]
        after = code.token_from(code.outer(last.at)[1])
        if len(given.elements) == 1 and code.text[slice(*after)] == ",":
            changes.append(Change(*after, ""))
    if not changes:
        return None
    reason = f"the attributes of `{cls.name}` become constants of the compiled method and must not change"
    return code.fix("Make `self` static", changes, Applicability.UNSAFE, reason)


def _frozen(code: Code, decorator: Any, cls: ir.Class) -> Fix | None:  # noqa: ANN401 - an expression
    """A frozen dataclass, which is hashed by its fields."""
    fields = field_types(code, cls)
    if not fields or not set(fields) <= _NUMBERS or option(decorator, "frozen") is not None:
        return None
    if isinstance(decorator, ir.Call):
        end = code.span(decorator.at)[1] - 1
        comma = "" if code.text[slice(*code.token_before(end))] in "(," else ", "
        change = Change(end, end, f"{comma}frozen=True")
    else:
        end = code.outer(decorator.at)[1]
        change = Change(end, end, "(frozen=True)")
    reason = "its fields can no longer be assigned, and JAX compiles again for each new field value"
    return code.fix(f"Freeze `{cls.name}`", [change], Applicability.UNSAFE, reason)


def _registered(code: Code, cls: ir.Class) -> Fix | None:
    """A registered dataclass, whose fields are traced."""
    changes = registered(code, cls) if has_leaves_alone(code, cls) else None
    if changes is None:
        return None
    reason = "its fields become traced in every function that receives an instance"
    return code.fix(f"Register `{cls.name}` as a pytree", changes, Applicability.UNSAFE, reason)
