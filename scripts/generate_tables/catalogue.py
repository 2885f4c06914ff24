"""Which modules are public, and which of their names are functions of ours to describe."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

#: In order of preference: a function that two modules hold is described under the first.
MODULES = (
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.random",
    "jax.tree",
    "jax",
    "jax.lax",
    "jax.lax.linalg",
    "jax.nn",
    "jax.nn.initializers",
    "jax.tree_util",
    "jax.flatten_util",
    "jax.ops",
    "jax.dtypes",
    "jax.image",
    "jax.debug",
    "jax.errors",
    "jax.custom_batching",
    "jax.custom_derivatives",
    "jax.ad_checkpoint",
    "jax.export",
    "jax.experimental",
    "jax.experimental.checkify",
    "jax.experimental.mesh_utils",
    "jax.experimental.multihost_utils",
    "jax.experimental.ode",
    "jax.experimental.sparse",
    "jax.experimental.shard_map",
    "jax.experimental.pallas",
    "jax.scipy.cluster.vq",
    "jax.scipy.fft",
    "jax.scipy.integrate",
    "jax.scipy.interpolate",
    "jax.scipy.linalg",
    "jax.scipy.ndimage",
    "jax.scipy.optimize",
    "jax.scipy.signal",
    "jax.scipy.sparse.linalg",
    "jax.scipy.spatial.transform",
    "jax.scipy.special",
    "jax.scipy.stats",
    *(
        f"jax.scipy.stats.{name}"
        for name in [
            "bernoulli",
            "beta",
            "betabinom",
            "binom",
            "cauchy",
            "chi2",
            "dirichlet",
            "expon",
            "gamma",
            "gennorm",
            "geom",
            "laplace",
            "logistic",
            "multinomial",
            "multivariate_normal",
            "nbinom",
            "norm",
            "pareto",
            "poisson",
            "t",
            "truncnorm",
            "uniform",
            "vonmises",
            "wrapcauchy",
            "gumbel_l",
            "gumbel_r",
        ]
    ),
    "optax",
    "optax.losses",
    "optax.tree_utils",
    "optax.tree",
    "optax.projections",
    "optax.schedules",
    "chex",
    "flax.linen",
    "flax.linen.initializers",
    "flax.linen.activation",
    "flax.linen.attention",
    "flax.core",
    "flax.core.frozen_dict",
    "flax.traverse_util",
    "flax.jax_utils",
    "flax.nnx",
    "flax.nnx.initializers",
    "flax.training.common_utils",
    "equinox",
    "haiku",
    "haiku.initializers",
    "jraph",
    "distrax",
    "rlax",
)

#: The distributions whose functions count as a module's own, whatever module defines them.
OWNERS = ("jax", "optax", "chex", "flax", "equinox", "haiku", "numpy", "rlax", "distrax", "jraph", "jaxlib")


def load(module: str) -> ModuleType | None:
    """The module, or None where its distribution is not installed or too old for it."""
    try:
        return importlib.import_module(module)
    except (ImportError, AttributeError):
        return None


def public_functions(module: ModuleType) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The module's own public callables, by name; classes only where they are scalar types such as `jnp.float32`."""
    for name in sorted(dir(module)):
        if name.startswith("_"):
            continue
        value = getattr(module, name, None)
        if not callable(value) or inspect.ismodule(value):
            continue
        if inspect.isclass(value) and not is_scalar_type(value):
            continue
        owner = getattr(value, "__module__", None) or ""
        if owner.split(".")[0] in OWNERS or (not owner and type(value).__module__.startswith("jax")):
            yield name, value


def is_scalar_type(value: object) -> bool:
    """Whether this is `jnp.float32` or one of its siblings: a class that makes arrays."""
    return type(value).__name__ == "_ScalarMeta"


def all_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every public function of every installed module, with its qualified name."""
    for module_name in MODULES:
        module = load(module_name)
        if module is not None:
            for name, function in public_functions(module):
                yield f"{module_name}.{name}", function


#: Of these modules only some names are meant to be public.
ONLY = {
    "jax.experimental.ode": {"odeint"},
    "jax.experimental.multihost_utils": {
        "broadcast_one_to_all", "process_allgather", "sync_global_devices", "assert_equal",
        "host_local_array_to_global_array", "global_array_to_host_local_array", "reached_preemption_sync_point",
    },
    "jax.errors": set(),
}  # fmt: skip

#: Calling these changes the process, waits for others, or asks for hardware.
UNSAFE_PREFIXES = (
    "jax.distributed",
    "jax.clear_",
    "jax.set_",
    "jax.config",
    "jax.experimental.multihost_utils",
    "jax.experimental.pallas",
    "jax.export",
    "jax.debug",
    "jax.lax.p",
    "jax.tree_util.register",
    "jax.no_",
    "jax.numpy.save",
    "jax.numpy.load",
    "jax.numpy.set_printoptions",
    "chex.set_",
    "chex.fake",
    "chex.restrict",
    "flax.jax_utils.prefetch",
    "flax.jax_utils.pad_shard",
    "flax.nnx",
    "haiku.set",
    "haiku.get",
)

UNSAFE_EXCEPTIONS = (
    "jax.lax.pad",
    "jax.lax.pow",
    "jax.lax.population_count",
    "jax.lax.polygamma",
    "flax.nnx.initializers",
)


def is_described(qualname: str) -> bool:
    """Whether the name is public in its module."""
    module, _, name = qualname.rpartition(".")
    return module not in ONLY or name in ONLY[module]


def is_unsafe(qualname: str) -> bool:
    """Whether the function must not be called to see what it does."""
    return qualname.startswith(UNSAFE_PREFIXES) and not qualname.startswith(UNSAFE_EXCEPTIONS)
