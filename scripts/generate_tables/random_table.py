"""random.tsv: who makes, splits, folds, consumes or only looks at a PRNG key, checked with JAX's key-reuse checker."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import jax
from measure import attempt, bind, find_call, format_signature, signature_of

HEADER = ("name", "role", "key", "consumes", "params", "static", "returns", "since", "until", "ran")

ROLES = {
    "PRNGKey": "creator",
    "key": "creator",
    "split": "splitter",
    "fold_in": "folder",
    "clone": "cloner",
    "key_data": "inspector",
    "key_impl": "inspector",
    "wrap_key_data": "wrapper",
}

#: Framework functions that take a key: name, role, key parameter, consumes, params, returns.
FRAMEWORKS: tuple[tuple[str, str, str, str, str, str], ...] = (
    (
        "flax.linen.Module.init",
        "consumer",
        "rngs",
        "yes",
        "rngs,*args,method,mutable,capture_intermediates,**kwargs",
        "tree",
    ),
    (
        "flax.linen.Module.init_with_output",
        "consumer",
        "rngs",
        "yes",
        "rngs,*args,method,mutable,**kwargs",
        "tuple(unknown,tree)",
    ),
    ("flax.linen.Module.lazy_init", "consumer", "rngs", "yes", "rngs,*args,method,mutable,**kwargs", "tree"),
    ("flax.linen.Module.apply", "consumer", "rngs", "yes", "variables,*args,rngs,method,mutable,**kwargs", "unknown"),
    ("flax.linen.Module.make_rng", "creator", "", "no", "name", "key"),
    ("flax.nnx.Rngs", "wrapper", "default", "no", "default,**rngs", "unknown"),
    ("haiku.PRNGSequence", "wrapper", "key_or_seed", "yes", "key_or_seed", "unknown"),
    ("haiku.next_rng_key", "creator", "", "no", "", "key"),
    ("haiku.maybe_next_rng_key", "creator", "", "no", "", "key"),
    ("haiku.next_rng_keys", "creator", "", "no", "num", "keys"),
    ("haiku.dropout", "consumer", "rng", "yes", "rng,rate,x,broadcast_dims", "array"),
    ("haiku.Transformed.init", "consumer", "rng", "yes", "rng,*args,**kwargs", "tree"),
    ("haiku.Transformed.apply", "consumer", "rng", "yes", "params,rng,*args,**kwargs", "unknown"),
    ("haiku.TransformedWithState.init", "consumer", "rng", "yes", "rng,*args,**kwargs", "tuple(tree,tree)"),
    ("haiku.TransformedWithState.apply", "consumer", "rng", "yes", "params,state,rng,*args,**kwargs", "unknown"),
    ("numpyro.sample", "consumer", "rng_key", "yes", "name,fn,obs,rng_key,sample_shape,infer,obs_mask", "array"),
    ("numpyro.distributions.Distribution.sample", "consumer", "key", "yes", "key,sample_shape", "array"),
    ("numpyro.infer.MCMC.run", "consumer", "rng_key", "yes", "rng_key,*args,extra_fields,init_params,**kwargs", "none"),
    ("numpyro.infer.MCMC.warmup", "consumer", "rng_key", "yes", "rng_key,*args,**kwargs", "unknown"),
    ("numpyro.infer.SVI.init", "consumer", "rng_key", "yes", "rng_key,*args,init_params,**kwargs", "unknown"),
    ("numpyro.infer.SVI.run", "consumer", "rng_key", "yes", "rng_key,num_steps,*args,**kwargs", "unknown"),
    ("numpyro.infer.Predictive.__call__", "consumer", "rng_key", "yes", "rng_key,*args,**kwargs", "tree"),
    ("numpyro.handlers.seed", "wrapper", "rng_seed", "no", "fn,rng_seed,hide_types", "function"),
    ("distrax.Distribution.sample", "consumer", "seed", "yes", "*,seed,sample_shape", "array"),
    (
        "distrax.Distribution.sample_and_log_prob",
        "consumer",
        "seed",
        "yes",
        "*,seed,sample_shape",
        "tuple(array,array)",
    ),
    ("*.sample", "consumer", "seed", "yes", "*,seed,sample_shape", "array"),
    ("*.sample_and_log_prob", "consumer", "seed", "yes", "*,seed,sample_shape", "tuple(array,array)"),
    ("equinox.nn.Dropout.__call__", "consumer", "key", "yes", "x,*,key,inference,deterministic", "array"),
    ("jaxopt.linear_model.make_regression", "consumer", "key", "yes", "key,*args,**kwargs", "unknown"),
)

#: Initializers that ignore their key.
CONSTANT = frozenset({"zeros", "ones"})


def rows(functions: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Rows for `jax.random`, the functions that initializers return, layers that take a key, and frameworks."""
    for name in sorted(functions):
        if name.startswith("jax.random."):
            row = random_row(name, functions[name])
            if row is not None:
                yield row
    yield from initializer_rows(functions)
    yield from layer_rows()
    for name, role, key, consumes, params, returns in FRAMEWORKS:
        yield (name, role, key, consumes, params, "", returns, "", "", "no")


def random_row(name: str, function: tuple[str, ...]) -> tuple[str, ...] | None:
    """A function of `jax.random`, called twice with one key under the checker."""
    _, params, returns, static, *_ = function
    short = name.rpartition(".")[2]
    first = params.split(",")[0]
    role = ROLES.get(short, "consumer" if first == "key" else "")
    if not role:
        return None
    consumes = reuses(name)
    key = first if role not in {"creator", "wrapper"} else ""
    return (
        name,
        role,
        key,
        "yes" if consumes else "no",
        params,
        static,
        returns,
        "",
        "",
        "no" if consumes is None else "yes",
    )


def reuses(name: str) -> bool | None:
    """Whether a second call with the same key is a reuse; None where the call fails."""
    function = getattr(jax.random, name.rpartition(".")[2])
    found = find_call(name, function)
    if found is None:
        return None
    arguments, _ = found
    names = [key for key, value in arguments.named.items() if is_key(value)]
    if not names:
        return False
    with jax.debug_key_reuse(True):
        key = jax.random.key(1)
        ok, _ = attempt(lambda: arguments.apply(function, **{names[0]: key}), seconds=120)
        again, error = attempt(lambda: jax.random.bits(key))
    return None if not ok else not again and "KeyReuse" in type(error).__name__


def is_key(value: Any) -> bool:
    """Whether this is a typed key."""
    return isinstance(value, jax.Array) and jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key)


def initializer_rows(functions: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """`jax.nn.initializers.normal()(key, shape, dtype)`, named with the brackets of the call that makes it."""
    for name in sorted(functions):
        if not name.startswith("jax.nn.initializers."):
            continue
        short = name.rpartition(".")[2]
        constant = short in CONSTANT
        call = name if constant else f"{name}()"
        ok = not constant and attempt(lambda short=short: check_initializer(short))[0]
        consumes = "no" if constant or short == "constant" else "yes"
        yield (
            call,
            "consumer",
            "key",
            consumes,
            "key,shape,dtype",
            "dtype,shape",
            "array",
            "",
            "",
            "yes" if ok else "no",
        )


def check_initializer(short: str) -> None:
    """Raise unless the initializer takes a key and a shape as the row says."""
    made = getattr(jax.nn.initializers, short)(*((1.0,) if short in {"constant"} else ()))
    if bind(made, (jax.random.key(0), (2, 3)), {}) is None:
        raise TypeError(short)
    made(jax.random.key(0), (2, 3))


def layer_rows() -> Iterator[tuple[str, ...]]:
    """Classes of `equinox.nn` whose constructor takes a key."""
    try:
        import equinox
    except ImportError:
        return
    for short in sorted(dir(equinox.nn)):
        layer = getattr(equinox.nn, short)
        signature = signature_of(layer) if inspect.isclass(layer) else None
        if signature is not None and "key" in signature.parameters:
            params = format_signature(signature)
            yield (f"equinox.nn.{short}", "consumer", "key", "yes", params, "", "unknown", "", "", "no")
