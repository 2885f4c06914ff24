"""Objects of the neural-network frameworks: modules of Linen, and layers whose calls give arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis import attributes, calls, keys
from jaxlint.analysis.values import (
    Arguments,
    Array,
    BoundMethod,
    Leaves,
    Level,
    Object,
    Tuple,
    Value,
    atoms_of,
    level_of,
)

if TYPE_CHECKING:
    from jaxlint.analysis.interpreter import Interpreter
    from jaxlint.syntax import ir

#: Methods of a Linen module that run another of its methods.
MODULE_METHODS = frozenset({"apply", "init", "init_with_output", "lazy_init"})
_OPTIONS = frozenset({"rngs", "mutable", "method", "capture_intermediates"})

#: Layers that map an array to an array, by the last part of their names.
LAYERS = frozenset(
    {
        "Dense", "DenseGeneral", "Conv", "ConvTranspose", "Embed", "LayerNorm", "BatchNorm", "GroupNorm", "RMSNorm",
        "Dropout", "Einsum", "Linear", "MLP", "Embedding", "Conv1d", "Conv2d", "Conv3d", "Conv1D", "Conv2D", "Conv3D",
        "SelfAttention", "MultiHeadDotProductAttention", "MultiHeadAttention", "PReLU",
    }
)  # fmt: skip
_LAYER_MODULES = ("flax.linen.", "flax.nnx.", "equinox.nn.", "haiku.")


def is_layer(name: str) -> bool:
    """Whether a library class is a layer that maps an array to an array."""
    return name.startswith(_LAYER_MODULES) and name.rpartition(".")[2] in LAYERS


def call_module_method(it: Interpreter, receiver: Object, name: str, arguments: Arguments, node: ir.Expr) -> Value:
    """`model.apply(variables, x)` and `model.init(key, x)` run `__call__`, or the method named, on the rest."""
    first = arguments.positional[0] if arguments.positional else None
    inner = arguments.after(1)
    options = {option: inner.keywords.pop(option) for option in _OPTIONS & inner.keywords.keys()}
    if name != "apply" and first is not None:
        keys.use(it, first, "consume", f"{name}", None, node, arguments.at(0, None))
    method = options.get("method")
    if method is None:
        method = attributes.attribute(it, receiver, "__call__", node.at)
    elif not isinstance(method, BoundMethod):
        method = BoundMethod(method, receiver) if calls.is_callable(method) else method
    result = calls.dispatch(it, method, inner, node)
    variables = Leaves(it.frame.ambient, None, it.ident(node.at))
    if name == "init":
        return variables
    if name == "init_with_output" or "mutable" in options:
        return Tuple((result, variables))
    return result


def call_layer(it: Interpreter, arguments: Arguments, node: ir.Expr) -> Value:
    """A layer's output: an array of the level of its input."""
    levels = [level_of(atom) or Level.HOST for value in arguments.all() for atom in atoms_of(value)]
    level = max([it.frame.ambient, Level.CONCRETE, *levels])
    origin = next((getattr(value, "origin", None) for value in arguments.all() if getattr(value, "origin", None)), None)
    return Array(level, "float", None, False, origin, it.ident(node.at))
