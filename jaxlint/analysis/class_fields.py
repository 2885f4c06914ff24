"""What decorators and base classes of libraries make of a project class, and its annotated fields."""

from __future__ import annotations

from jaxlint.analysis.values import ClassValue
from jaxlint.syntax import ir

#: What a base class or a decorator makes of a class.
CLASS_KINDS = {
    "typing.NamedTuple": "namedtuple",
    "enum.Enum": "enum",
    "enum.IntEnum": "enum",
    "enum.StrEnum": "enum",
    "enum.Flag": "enum",
    "dataclasses.dataclass": "dataclass",
    "flax.struct.dataclass": "pytree",
    "flax.struct.PyTreeNode": "pytree",
    "chex.dataclass": "pytree",
    "chex.mappable_dataclass": "pytree",
    "equinox.Module": "pytree",
    "jax.tree_util.register_pytree_node_class": "pytree",
    "jax.tree_util.register_pytree_with_keys_class": "pytree",
    "jax.tree_util.register_dataclass": "pytree",
    "jax.tree_util.register_static": "static",
    "simple_pytree.Pytree": "pytree",
    "penzai.core.struct.pytree_dataclass": "pytree",
    "flax.training.train_state.TrainState": "pytree",
    "flax.linen.Module": "module",
    "flax.nnx.Module": "module",
    "haiku.Module": "module",
}


def fields(cls: ClassValue) -> dict[str, tuple[ir.Expr | None, bool]]:
    """The annotated fields in order: (annotation, whether it is static, i.e. no leaf of the pytree)."""
    found: dict[str, tuple[ir.Expr | None, bool]] = {}
    for base in reversed(cls.bases):
        if isinstance(base, ClassValue):
            found.update(fields(base))
    for statement in cls.cls.body:
        if not isinstance(statement, ir.AnnotatedAssign) or not isinstance(statement.target, ir.Name):
            continue
        if not _is_class_variable(statement.annotation):
            found[statement.target.id] = (statement.annotation, _is_static_field(statement.value))
    return found


def _is_class_variable(annotation: ir.Expr) -> bool:
    base = annotation.base if isinstance(annotation, ir.Subscript) else annotation
    return (isinstance(base, ir.Name) and base.id == "ClassVar") or (
        isinstance(base, ir.Attribute) and base.attr == "ClassVar"
    )


def _is_static_field(value: ir.Expr | None) -> bool:
    """`eqx.field(static=True)`, `struct.field(pytree_node=False)`, `field(metadata=dict(static=True))`."""
    if not isinstance(value, ir.Call):
        return False
    for name, argument in value.keywords:
        if isinstance(argument, ir.Constant) and (name, argument.value) in (("static", True), ("pytree_node", False)):
            return True
        if name == "metadata":
            return True
    return isinstance(value.func, ir.Attribute) and value.func.attr == "static_field"
