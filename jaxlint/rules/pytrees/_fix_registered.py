"""Objects of dataclasses that JAX is to take: their class registered as a pytree."""

from __future__ import annotations

from jaxlint.analysis.domain.findings import FixRequest
from jaxlint.diagnostics import Applicability, Fix
from jaxlint.fixes.code import Code
from jaxlint.fixes.dataclass_edits import dataclass_decorator, has_leaves_alone, registered
from jaxlint.fixes.imports import qualified_name
from jaxlint.syntax import ir


def register(request: FixRequest, code: Code) -> Fix | None:
    """`@jax.tree_util.register_dataclass` above the dataclass of that name, whose fields are arrays or floats."""
    (name,) = request.words
    found = [node.cls for node in code.owned(None) if isinstance(node, ir.ClassDefinition) and node.cls.name == name]
    if len(found) != 1 or dataclass_decorator(code, found[0]) is None or not has_leaves_alone(code, found[0]):
        return None
    changes = registered(code, found[0])
    if changes is None:
        return None
    title = f"Register `{name}` as a pytree"
    if request.is_certain and not _is_leaf_elsewhere(code, found[0]):
        return code.fix(title, changes)
    return code.fix(title, changes, Applicability.UNSAFE, f"its fields become leaves; before, `{name}` itself was one")


def _is_leaf_elsewhere(code: Code, cls: ir.Class) -> bool:
    """Whether the file goes through trees, or names static arguments: an object may be one leaf, or static, there."""
    for node in code.owned(None):
        if isinstance(node, ir.Call):
            if (qualified_name(code, node.func) or "").startswith(("jax.tree.", "jax.tree_util.", "jax.tree_")):
                return True
            if any(name and name.startswith("static_arg") for name, _ in node.keywords):
                return True
        if isinstance(node, ir.ClassDefinition) and any(
            isinstance(base, ir.Name) and base.id == cls.name for base in node.cls.bases
        ):
            return True
    return False
