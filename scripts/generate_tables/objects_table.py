"""objects.tsv: the frameworks' objects, what makes them, what their members give and which keys they draw from.

A line is written by hand where a library tells it in its documentation or source; who makes an object of which class
is read from the installed libraries. `tests/jaxapi/test_objects.py` runs the lines on the libraries.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HEADER = ("name", "kind", "like", "params", "returns", "key", "when")

#: Hand-written lines: name, kind, then `like=`, `params=`, `returns=`, `key=`, `when=` as far as they are filled.
SOURCE = Path(__file__).with_name("objects.txt")

#: Modules whose classes of a base make objects of that base: module, base, class in the table.
FAMILIES = (
    ("numpyro.distributions", "Distribution", "numpyro.distributions.Distribution"),
    ("distrax", "Distribution", "distrax.Distribution"),
    ("gymnax.environments", "environment.Environment", "gymnax.environments.environment.Environment"),
    (
        "tensorflow_probability.substrates.jax.distributions",
        "Distribution",
        "tensorflow_probability.substrates.jax.distributions.Distribution",
    ),
)

#: Layers that map an array to an array, and those of a cell's form, by module.
ARRAY_LAYERS = {
    "flax.linen": (
        "Dense DenseGeneral Conv ConvTranspose ConvLocal Embed LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm "
        "Einsum SelfAttention MultiHeadDotProductAttention MultiHeadAttention PReLU"
    ),
    "flax.nnx": (
        "Linear LinearGeneral Conv ConvTranspose Embed LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm Dropout "
        "Einsum MultiHeadAttention PReLU LoRA LoRALinear"
    ),
    "equinox.nn": (
        "Linear MLP Embedding Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d "
        "LayerNorm GroupNorm RMSNorm PReLU MultiheadAttention AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d "
        "MaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d RotaryPositionalEmbedding"
    ),
    "haiku": (
        "Linear Conv1D Conv2D Conv3D ConvND Conv1DTranspose Conv2DTranspose Conv3DTranspose DepthwiseConv2D Embed "
        "LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm MultiHeadAttention Bias Flatten nets.MLP nets.ResNet18 "
        "nets.ResNet50 nets.VectorQuantizer"
    ),
}
BASES = {
    "flax.linen": "flax.linen.Module",
    "flax.nnx": "flax.nnx.Module",
    "equinox.nn": "equinox.Module",
    "haiku": "haiku.Module",
}
#: Of these the call gives something else.
NOT_ARRAYS = frozenset({"haiku.nets.VectorQuantizer"})

#: Schedules of Optax that give an array whatever they are given; a constant one gives back its number.
SCHEDULES = (
    "cosine_decay_schedule cosine_onecycle_schedule exponential_decay join_schedules linear_onecycle_schedule "
    "linear_schedule piecewise_constant_schedule piecewise_interpolate_schedule polynomial_schedule sgdr_schedule "
    "warmup_constant_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule"
)


def rows() -> Iterator[tuple[str, ...]]:
    """All rows; of a name that comes twice, the hand-written one."""
    found: dict[str, tuple[str, ...]] = {}
    for row in (*written(), *families(), *layers(), *optimizers()):
        found.setdefault(row[0], row)
    yield from found.values()


def written() -> Iterator[tuple[str, ...]]:
    """The lines of objects.txt."""
    for line in SOURCE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, kind, *cells = line.split()
            filled = dict(cell.split("=", 1) for cell in cells)
            yield (name, kind, *(filled.get(column, "") for column in HEADER[2:]))


def families() -> Iterator[tuple[str, ...]]:
    """Classes of one base, all whose members are the base's."""
    for module, base, like in FAMILIES:
        namespace = module_of(module)
        root = None if namespace is None else operator.attrgetter(base)(namespace)
        for name, value in sorted(vars(namespace).items()) if root is not None else ():
            if inspect.isclass(value) and issubclass(value, root) and value is not root:
                yield (f"{module}.{name}", "maker", "", "", f"object({like})", "", "")


def layers() -> Iterator[tuple[str, ...]]:
    """Layers and what a call of one gives."""
    for module, names in ARRAY_LAYERS.items():
        for name in names.split():
            full = f"{module}.{name}"
            if full in NOT_ARRAYS:
                continue
            yield (full, "class", BASES[module], "", "", "", "")
            yield (f"{full}.__call__", "method", "", "", "array", "", "")


def optimizers() -> Iterator[tuple[str, ...]]:
    """Functions of Optax that are annotated to return a gradient transformation, and schedules."""
    for module in ("optax", "optax.contrib"):
        members = module_of(module)
        for name, value in sorted(vars(members).items()) if members is not None else ():
            is_function = inspect.isfunction(value) or isinstance(value, functools.partial)
            if is_function and "GradientTransformation" in returned(value):
                yield (f"{module}.{name}", "maker", "", "", "object(optax.GradientTransformation)", "", "")
    for name in SCHEDULES.split():
        yield (f"optax.{name}", "maker", "", "", "object(optax.schedule)", "", "")


def returned(function: Any) -> str:
    """The return annotation, as text; nothing where it is a function that returns the class."""
    text = str(inspect.signature(function).return_annotation)
    return "" if "Callable" in text else text


def module_of(name: str) -> Any:
    """The module, None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
