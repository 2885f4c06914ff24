"""Every transform of the table, applied to a function that records what it is given."""

# ruff: noqa: ARG005, PLW0108 - the lambdas have the parameters that JAX calls them with

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

X = jnp.arange(1.0, 4.0)
S = jnp.float32(1.5)


class Probe:
    """A function that notes whether its arguments and a constant made inside are traced, at any of its calls."""

    def __init__(self, result: Callable[..., Any] = lambda *args, **keywords: args[0]) -> None:
        self.result = result
        self.arguments: list[str] = []
        self.constant_is_traced = False
        self.called = False

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        self.called = True
        self.arguments += [kind for value in (*args, *keywords.values()) for kind in kinds(value)]
        self.constant_is_traced |= isinstance(jnp.ones(()) + 1, jax.core.Tracer)
        return self.result(*args, **keywords)

    def function(self) -> Callable[..., Any]:
        """The probe as a plain function, for transforms that look at the signature."""

        def probe(x: Any) -> Any:
            return self(x)

        return probe

    @property
    def level(self) -> str:
        """The table's word for what was seen."""
        if not self.called:
            return "not called"
        if "ref" in self.arguments:
            return "refs"
        if self.constant_is_traced:
            return "traced"
        if "traced" in self.arguments:
            return "mapped"
        return "grad" if "lifted" in self.arguments else "concrete"


def kinds(value: Any) -> list[str]:
    """The kind of each leaf: concrete, lifted (a tracer that still has a value), traced or ref."""
    return [
        kind_of(leaf)
        for leaf in jax.tree.leaves(value)
        if isinstance(leaf, (jax.Array, np.ndarray, float, int)) or is_ref(leaf)
    ]


def is_ref(leaf: Any) -> bool:
    return "Ref" in type(getattr(leaf, "aval", leaf)).__name__


def kind_of(leaf: Any) -> str:
    if is_ref(leaf):
        return "ref"
    if not isinstance(leaf, jax.core.Tracer):
        return "concrete"
    try:
        bool((leaf > 0).all())
    except Exception:  # TracerBoolConversionError; jet has no rule for `all` and says so
        return "traced"
    return "lifted"


def resolve(name: str) -> Any:
    """The object of a qualified name; AttributeError or ImportError where there is none."""
    first, *rest = name.split(".")
    value: Any = importlib.import_module(first)
    path = first
    for part in rest:
        path = f"{path}.{part}"
        if not hasattr(value, part):
            importlib.import_module(path)
        value = getattr(value, part)
    return value


Call = Callable[[Any, Probe], Any]


def wrapped(*args: Any, **keywords: Any) -> Call:
    """`transform(f)(*args)`."""
    return lambda transform, probe: transform(probe, **keywords)(*args)


def scalar_loss(x: Any, *_: Any, **__: Any) -> Any:
    return jnp.sum(x) * 1.0


def graded(*args: Any) -> Call:
    """`transform(loss)(*args)`."""

    def call(transform: Any, probe: Probe) -> Any:
        probe.result = scalar_loss
        return transform(probe)(*args)

    return call


def returning(result: Callable[..., Any], call: Call) -> Call:
    """The call, with another result of the probe."""

    def changed(transform: Any, probe: Probe) -> Any:
        probe.result = result
        return call(transform, probe)

    return changed


def ruled(function: Any, method: str, *rules: Any) -> Any:
    """The function, once its derivative or batching rules are set."""
    getattr(function, method)(*rules)
    return function


def pair(carry: Any, x: Any) -> Any:
    return carry, x


def true(x: Any, *_: Any) -> Any:
    return jnp.array(False)


def _mesh() -> Any:
    return jax.sharding.Mesh(np.array(jax.devices()[:1]), ("d",))


def _shard_map(transform: Any, probe: Probe) -> Any:
    spec = jax.sharding.PartitionSpec("d")
    return jax.jit(transform(probe, mesh=_mesh(), in_specs=spec, out_specs=spec))(X)


def _custom_jvp_rule(method: str) -> Call:
    def call(transform: Any, probe: Probe) -> Any:
        f = jax.custom_jvp(lambda x: x)
        if method == "defjvp":
            f.defjvp(lambda primals, tangents: (probe(*primals) and None) or (primals[0], tangents[0]))
        else:
            f.defjvps(lambda tangent, answer, x: (probe(tangent), tangent)[1])
        return jax.grad(f)(1.5)

    return call


def _custom_vjp_rule(transform: Any, probe: Probe) -> Any:
    f = jax.custom_vjp(lambda x: x)
    f.defvjp(lambda x: (probe(x), None), lambda _, g: (probe(g),))
    return jax.grad(f)(1.5)


def _custom_root(transform: Any, probe: Probe) -> Any:
    return transform(probe, 1.0, lambda f, x: (f(x), x)[1], lambda g, y: y / g(1.0))


def _linear_solve(transform: Any, probe: Probe) -> Any:
    return transform(probe, X, lambda matvec, b: (matvec(b), b)[1], lambda matvec, b: b)


def _pallas(transform: Any, probe: Probe) -> Any:
    def kernel(x_ref: Any, o_ref: Any) -> None:
        probe(x_ref, o_ref)
        o_ref[...] = x_ref[...]

    return transform(kernel, out_shape=jax.ShapeDtypeStruct(X.shape, X.dtype), interpret=True)(X)


def _custom_vmap_rule(transform: Any, probe: Probe) -> Any:
    f = jax.custom_batching.custom_vmap(lambda x: x)
    f.def_vmap(lambda size, batched, x: (probe(x), batched[0]))
    return jax.vmap(f)(X)


def _numpy_vectorize(transform: Any, probe: Probe) -> Any:
    return transform(probe.function())(X)


def latent() -> Any:
    """A NumPyro model of one latent."""
    numpyro = importlib.import_module("numpyro")
    return numpyro.sample("latent", numpyro.distributions.Normal(0.0, 1.0))


def sampled(kernel: Any) -> Any:
    """A few samples of a NumPyro model."""
    infer = importlib.import_module("numpyro.infer")
    return infer.MCMC(kernel, num_warmup=1, num_samples=1, progress_bar=False).run(jax.random.key(0))


CALLS: dict[str, Call] = {
    "jax.jit": wrapped(S),
    "jax.pmap": wrapped(jnp.ones((1, 2))),
    "jax.vmap": wrapped(X),
    "jax.shard_map": _shard_map,
    "jax.grad": graded(1.5),
    "jax.value_and_grad": graded(1.5),
    "jax.jacfwd": graded(1.5),
    "jax.jacrev": graded(1.5),
    "jax.hessian": graded(1.5),
    "jax.vjp": lambda t, p: t(p, 1.5),
    "jax.jvp": lambda t, p: t(p, (1.5,), (1.0,)),
    "jax.linearize": lambda t, p: t(p, 1.5),
    "jax.linear_transpose": lambda t, p: t(p, 1.5),
    "jax.checkpoint": wrapped(S),
    "jax.named_call": lambda t, p: t(p.function())(S),
    "jax.make_jaxpr": wrapped(S),
    "jax.eval_shape": lambda t, p: t(p, S),
    "jax.closure_convert": lambda t, p: t(p, S),
    "jax.export.export": lambda t, p: t(jax.jit(p))(S),
    "jax.custom_jvp": lambda t, p: ruled(t(p), "defjvp", lambda x, dx: (x[0], dx[0]))(S),
    "jax.custom_jvp.defjvp": _custom_jvp_rule("defjvp"),
    "jax.custom_jvp.defjvps": _custom_jvp_rule("defjvps"),
    "jax.scipy.optimize.minimize": returning(
        lambda x: jnp.sum(x**2), lambda t, p: jax.jit(lambda x: t(p, x, method="BFGS").x)(X)
    ),
    "jax.fwd_and_bwd": lambda t, p: t(p, argnums=0)[0](S),
    "lineax.FunctionLinearOperator": lambda t, p: t(p, jax.ShapeDtypeStruct((3,), jnp.float32)).mv(X),
    "optimistix.root_find": returning(lambda y, args: y - 1.0, lambda t, p: solved(t, p, "Newton")),
    "optimistix.fixed_point": returning(lambda y, args: y * 0.5, lambda t, p: solved(t, p, "FixedPointIteration")),
    "optimistix.least_squares": returning(lambda y, args: y - 1.0, lambda t, p: solved(t, p, "LevenbergMarquardt")),
    "optimistix.minimise": returning(lambda y, args: jnp.sum(y**2), lambda t, p: solved(t, p, "BFGS")),
    "diffrax.ODETerm": returning(lambda t, y, args: -y, lambda t, p: integrated(t(p))),
    "jaxopt.GradientDescent": returning(lambda x: jnp.sum(x**2), lambda t, p: t(p.function(), maxiter=2).run(X)),
    "jaxopt.LBFGS": returning(lambda x: jnp.sum(x**2), lambda t, p: t(p.function(), maxiter=2).run(X)),
    "jaxopt.BFGS": returning(lambda x: jnp.sum(x**2), lambda t, p: t(p.function(), maxiter=2).run(X)),
    "jax.custom_vjp": lambda t, p: ruled(t(p), "defvjp", lambda x: (x, None), lambda _, g: (g,))(S),
    "jax.custom_vjp.defvjp": _custom_vjp_rule,
    "jax.custom_gradient": returning(lambda x: (x, lambda g: g), wrapped(S)),
    "jax.custom_batching.custom_vmap": lambda t, p: ruled(t(p), "def_vmap", lambda size, batched, x: (x, batched[0]))(
        S
    ),
    "jax.custom_batching.custom_vmap.def_vmap": _custom_vmap_rule,
    "jax.custom_batching.sequential_vmap": wrapped(S),
    "jax.numpy.vectorize": _numpy_vectorize,
    "jax.numpy.apply_along_axis": lambda t, p: t(p, 0, jnp.ones((3, 4))),
    "jax.numpy.apply_over_axes": returning(
        lambda a, axis: jnp.sum(a, axis, keepdims=True), lambda t, p: t(p, jnp.ones((3, 4)), [0])
    ),
    "jax.numpy.piecewise": lambda t, p: t(X, [X > 1], [p]),
    "jax.numpy.fromfunction": lambda t, p: t(p, (3,)),
    "jax.lax.scan": returning(pair, lambda t, p: t(p, S, X)),
    "jax.lax.fori_loop": returning(lambda i, c: c, lambda t, p: t(0, 3, p, S)),
    "jax.lax.while_loop": returning(true, lambda t, p: t(p, lambda c: c, S)),
    "jax.lax.cond": lambda t, p: t(True, p, lambda x: x, S),
    "jax.lax.switch": lambda t, p: t(0, [p, lambda x: x], S),
    "jax.lax.map": lambda t, p: t(p, X),
    "jax.lax.associative_scan": returning(lambda a, b: a + b, lambda t, p: t(p, X)),
    "jax.lax.reduce": returning(lambda a, b: a + b, lambda t, p: t(X, S, p, (0,))),
    "jax.lax.reduce_window": returning(lambda a, b: a + b, lambda t, p: t(X, S, p, (2,), (1,), "SAME")),
    "jax.lax.custom_root": _custom_root,
    "jax.lax.custom_linear_solve": _linear_solve,
    "jax.lax.platform_dependent": lambda t, p: t(S, default=p),
    "jax.pure_callback": lambda t, p: jax.jit(lambda x: t(p, jax.ShapeDtypeStruct((), jnp.float32), x))(S),
    "jax.debug.callback": returning(
        lambda x: None, lambda t, p: (jax.jit(lambda x: t(p, x))(S), jax.effects_barrier())
    ),
    "jax.experimental.io_callback": lambda t, p: jax.jit(lambda x: t(p, jax.ShapeDtypeStruct((), jnp.float32), x))(S),
    "jax.experimental.pallas.pallas_call": _pallas,
    "jax.experimental.checkify.checkify": wrapped(S),
    "jax.experimental.jet.jet": returning(lambda x: jnp.sin(x), lambda t, p: t(p, (S,), ((S,),))),
    "jax.experimental.sparse.sparsify": wrapped(X),
    "jax.experimental.sparse.grad": graded(X),
    "jax.experimental.sparse.value_and_grad": graded(X),
    "jax.experimental.ode.odeint": returning(lambda y, t: -y, lambda t, p: t(p, X, jnp.array([0.0, 1.0]))),
    "jax.scipy.sparse.linalg.cg": lambda t, p: t(p, X),
    "jax.scipy.sparse.linalg.gmres": lambda t, p: t(p, X),
    "jax.scipy.sparse.linalg.bicgstab": lambda t, p: t(p, X),
    "jax.tree.map": lambda t, p: t(p, [X]),
    "jax.tree.map_with_path": returning(lambda path, x: x, lambda t, p: t(p, [X])),
    "jax.tree.reduce": returning(lambda a, b: a + b, lambda t, p: t(p, [X, X])),
    "jax.tree.reduce_associative": returning(lambda a, b: a + b, lambda t, p: t(p, [X, X])),
    "equinox.filter_jit": wrapped(S),
    "equinox.filter_grad": graded(S),
    "equinox.filter_value_and_grad": graded(S),
    "equinox.filter_vmap": wrapped(X),
    "equinox.filter_pmap": wrapped(jnp.ones((1, 2))),
    "equinox.filter_checkpoint": wrapped(S),
    "equinox.filter_eval_shape": lambda t, p: t(p, S),
    "equinox.filter_make_jaxpr": wrapped(S),
    "equinox.filter_jvp": lambda t, p: t(p, (S,), (S,)),
    "equinox.filter_vjp": lambda t, p: t(p, S),
    "equinox.filter_jacfwd": graded(S),
    "equinox.filter_jacrev": graded(S),
    "equinox.filter_hessian": graded(S),
    "equinox.filter_custom_jvp": lambda t, p: ruled(t(p), "def_jvp", lambda x, dx: (x[0], dx[0]))(S),
    "equinox.filter_custom_vjp": lambda t, p: _filter_custom_vjp(t, p),
    "equinox.filter_closure_convert": lambda t, p: t(p, S),
    "equinox.filter_pure_callback": lambda t, p: jax.jit(
        lambda x: t(p, x, result_shape_dtypes=jax.ShapeDtypeStruct((), jnp.float32))
    )(S),
    "equinox.internal.while_loop": lambda t, p: t(lambda c: jnp.array(False), p, S, kind="lax"),
    "equinox.internal.scan": returning(pair, lambda t, p: t(p, S, X, kind="lax")),
    "flax.nnx.jit": wrapped(S),
    "flax.nnx.grad": graded(S),
    "flax.nnx.value_and_grad": graded(S),
    "flax.nnx.vmap": wrapped(X),
    "flax.nnx.pmap": wrapped(jnp.ones((1, 2))),
    "flax.nnx.scan": returning(pair, wrapped(S, X)),
    "flax.nnx.remat": wrapped(S),
    "flax.nnx.cond": lambda t, p: t(True, p, lambda x: x, S),
    "flax.nnx.switch": lambda t, p: t(0, [p, lambda x: x], S),
    "flax.nnx.while_loop": returning(true, lambda t, p: t(p, lambda c: c, S)),
    "flax.nnx.fori_loop": returning(lambda i, c: c, lambda t, p: t(0, 3, p, S)),
    "flax.nnx.eval_shape": lambda t, p: t(p, S),
    "flax.nnx.split_rngs": lambda t, p: t(splits=2)(p)(S),
    "flax.nnx.vjp": lambda t, p: t(p, S, graph=False),
    "flax.nnx.jvp": lambda t, p: t(p, (S,), (S,), graph=False),
    "haiku.transform": lambda t, p: t(p).apply({}, None, S),
    "haiku.transform_with_state": lambda t, p: t(p).apply({}, {}, None, S),
    "haiku.remat": lambda t, p: in_haiku(lambda x: t(p)(x)),
    "haiku.vmap": lambda t, p: in_haiku(lambda x: t(p, split_rng=False)(X)),
    "haiku.scan": returning(pair, lambda t, p: in_haiku(lambda x: t(p, x, X))),
    "haiku.cond": lambda t, p: in_haiku(lambda x: t(True, p, lambda y: y, x)),
    "haiku.switch": lambda t, p: in_haiku(lambda x: t(0, [p, lambda y: y], x)),
    "haiku.while_loop": returning(true, lambda t, p: in_haiku(lambda x: t(p, lambda c: c, x))),
    "haiku.fori_loop": returning(lambda i, c: c, lambda t, p: in_haiku(lambda x: t(0, 3, p, x))),
    "haiku.map": lambda t, p: in_haiku(lambda x: t(p, X)),
    "haiku.grad": returning(scalar_loss, lambda t, p: in_haiku(lambda x: t(p)(x))),
    "haiku.value_and_grad": returning(scalar_loss, lambda t, p: in_haiku(lambda x: t(p)(x))),
    "haiku.eval_shape": lambda t, p: in_haiku(lambda x: (t(p, x), x)[1]),
    "haiku.layer_stack": lambda t, p: in_haiku(lambda x: t(2)(p.function())(x)),
    "numpyro.contrib.control_flow.scan": returning(pair, lambda t, p: t(p, S, X)),
    "numpyro.contrib.control_flow.cond": lambda t, p: t(True, p, lambda x: x, S),
    "numpyro.infer.NUTS": returning(latent, lambda t, p: sampled(t(p))),
    "numpyro.infer.Predictive": returning(lambda: None, lambda t, p: t(p, num_samples=1)(jax.random.key(0))),
    "chex.chexify": lambda t, p: t(p.function(), async_check=False)(S),
    "chex.assert_max_traces": lambda t, p: t(p.function(), 1)(S),
    "flax.linen.jit": lambda t, p: in_linen(lambda module, x: p(x), t),
    "flax.linen.remat": lambda t, p: in_linen(lambda module, x: p(x), t),
    "flax.linen.vmap": lambda t, p: in_linen(lambda module, x: p(x), t, X, variable_axes={}, split_rngs={}),
    "flax.linen.scan": returning(
        pair,
        lambda t, p: in_linen(lambda module, c, x: p(c, x), t, S, X, variable_broadcast="params", split_rngs={}),
    ),
    "flax.linen.while_loop": returning(
        true, lambda t, p: lifted(lambda m, x: t(lambda m, c: p(c), lambda m, c: c, m, x))
    ),
    "flax.linen.cond": lambda t, p: lifted(lambda m, x: t(True, lambda m, y: p(y), lambda m, y: y, m, x)),
    "flax.linen.switch": lambda t, p: lifted(lambda m, x: t(0, [lambda m, y: p(y), lambda m, y: y], m, x)),
    "flax.linen.vjp": lambda t, p: lifted(lambda m, x: t(lambda m, y: p(y), m, x)[0]),
    "flax.linen.jvp": lambda t, p: lifted(lambda m, x: t(lambda m, y: p(y), m, (x,), (x,), {})[0]),
    "flax.linen.grad": returning(scalar_loss, lambda t, p: lifted(lambda m, x: t(lambda m, y: p(y), m, x))),
    "flax.linen.value_and_grad": returning(
        scalar_loss, lambda t, p: lifted(lambda m, x: t(lambda m, y: p(y), m, x)[0])
    ),
    "flax.linen.map_variables": lambda t, p: in_linen(lambda module, x: p(x), t, mapped_collections="params"),
}


def solved(solve: Any, probe: Probe, solver: str) -> Any:
    """Run an optimistix solver on the probe, under jit: its first evaluation of the function is eager otherwise."""
    optimistix = importlib.import_module("optimistix")
    return solve(probe, getattr(optimistix, solver)(rtol=1e-3, atol=1e-3), X)


def integrated(term: Any) -> Any:
    """Solve an ODE over a short time with diffrax."""
    diffrax = importlib.import_module("diffrax")
    return diffrax.diffeqsolve(term, diffrax.Euler(), t0=0.0, t1=0.2, dt0=0.1, y0=X)


def _filter_custom_vjp(transform: Any, probe: Probe) -> Any:
    f = transform(probe)
    f.def_fwd(lambda perturbed, x: (x, None))
    f.def_bwd(lambda residuals, g, perturbed, x: g)
    return f(S)


def in_haiku(body: Callable[[Any], Any]) -> Any:
    """Run the body inside a haiku transform, which its lifted transforms ask for."""
    haiku = importlib.import_module("haiku")
    transformed = haiku.transform(body)
    return transformed.apply({}, jax.random.key(0), S)


def in_linen(method: Callable[..., Any], transform: Any, *args: Any, **keywords: Any) -> Any:
    """Apply a linen transform to a module's class whose call is the method."""
    linen = importlib.import_module("flax.linen")
    module = type("Module", (linen.Module,), {"__call__": linen.compact(method)})
    return transform(module, **keywords)().apply({}, *(args or (S,)))


def lifted(method: Callable[..., Any]) -> Any:
    """Run a linen method that applies a lifted transform to its module."""
    linen = importlib.import_module("flax.linen")
    module = type("Module", (linen.Module,), {"__call__": linen.compact(method)})
    return module().apply({}, S)
