"""What decorators and base classes of libraries make of a project class, and its annotated fields."""

from __future__ import annotations

from jaxlint.analysis import walks
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


def statics(cls: ClassValue) -> frozenset[str]:
    """The attributes that are no leaves of the pytree: static fields, and what a flattening method hands out beside."""
    marked = {name for name, (_, is_static) in fields(cls).items() if is_static}
    beside = {name for base in cls.bases if isinstance(base, ClassValue) for name in statics(base)}
    for statement in cls.cls.body:
        if isinstance(statement, ir.FunctionDefinition) and _flattens(statement.function):
            beside |= _auxiliary(statement.function)
    return frozenset(marked | beside)


def _flattens(function: ir.Function) -> bool:
    return "flatten" in function.name and "unflatten" not in function.name and bool(function.parameters)


def _auxiliary(function: ir.Function) -> frozenset[str]:
    """The attributes that stand in the second part of `return children, auxiliary`, and not in the first."""
    results = [s.value for s in function.body if isinstance(s, ir.Return)]
    if len(results) != 1 or not isinstance(results[0], ir.SequenceDisplay) or len(results[0].elements) != 2:
        return frozenset()
    given = {
        s.targets[0].id: s.value
        for s in function.body
        if isinstance(s, ir.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ir.Name)
    }
    leaves, rest = (_attributes(given.get(getattr(e, "id", ""), e), function) for e in results[0].elements)
    return rest - leaves


def _attributes(node: ir.Expr, function: ir.Function) -> frozenset[str]:
    """The attributes of its object that an expression of a method reads."""
    own = function.parameters[0].name
    reads = (n for n in walks.nodes(node) if isinstance(n, ir.Attribute) and isinstance(n.base, ir.Name))
    return frozenset(read.attr for read in reads if isinstance(read.base, ir.Name) and read.base.id == own)


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
