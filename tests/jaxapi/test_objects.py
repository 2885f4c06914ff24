"""What objects.tsv says of the frameworks' objects is what the installed frameworks do."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from jaxlint.jaxapi import Api  # noqa: E402
from jaxlint.jaxapi import api as api_module  # noqa: E402

from .probes import resolve  # noqa: E402

pytestmark = [pytest.mark.jax, pytest.mark.filterwarnings("ignore")]

DATA = Path(api_module.__file__).with_name("data") / "objects.tsv"
API = Api.load(None)
#: Names of the table that stand for objects without a public class.
NAMELESS = {"optax.schedule", "flax.linen.apply_fn", "jraph.network"}


def lines() -> list[dict[str, str]]:
    with DATA.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def installed(name: str) -> Any:
    """The module of a framework; one that is missing, or lacks what it needs itself, skips the test."""
    return pytest.importorskip({"brax": "brax.envs"}.get(name, name), exc_type=ImportError)


PACKAGES = sorted({line["name"].partition(".")[0] for line in lines()})


@pytest.mark.parametrize("package", PACKAGES)
def test_classes_and_makers_resolve(package: str) -> None:
    installed(package)
    named = [line["name"] for line in lines() if line["kind"] in ("class", "maker")]
    missing = []
    for name in named:
        if name.startswith(f"{package}.") and name not in NAMELESS:
            try:
                assert callable(resolve(name))
            except (AttributeError, ImportError):
                missing.append(name)
    assert missing == []


def test_each_line_leads_to_a_class_of_the_table() -> None:
    classes = {line["name"] for line in lines() if line["kind"] == "class"}
    assert {line["like"] for line in lines()} - classes == {""}
    for line in lines():
        if line["kind"] in ("method", "classmethod", "attribute", "property"):
            assert line["name"].rpartition(".")[0] in classes, line["name"]
        row = API.object(line["name"])
        assert row is not None
        assert row.kind == line["kind"]


@pytest.mark.parametrize("line", [line for line in lines() if line["key"]], ids=lambda line: line["name"])
def test_the_key_is_a_parameter(line: dict[str, str]) -> None:
    """Of the method as it is defined today; a keyword that goes through `**kwargs` counts."""
    if line["name"] == "flax.linen.apply_fn.__call__":
        pytest.skip("stands for a bound `apply`")
    installed(line["name"].partition(".")[0])
    parameters = inspect.signature(resolve(line["name"])).parameters
    assert line["key"] in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


# --- what calls give


def is_traced(value: Any) -> bool:
    leaves = jax.tree.leaves(value)
    return bool(leaves) and all(isinstance(leaf, jax.core.Tracer) for leaf in leaves)


def traced_inside(run: Callable[[], Any]) -> bool:
    """Whether what `run` gives under jit, on nothing but constants, is traced."""
    seen: list[bool] = []

    def body() -> None:
        seen.append(is_traced(run()))

    jax.jit(body)()
    return seen[0]


def optimizer() -> Any:
    return installed("optax").chain(installed("optax").clip(1.0), installed("optax").adam(0.1))


def schedules() -> dict[str, Callable[[Any], Any]]:
    return {
        "cosine_decay_schedule": lambda o: o.cosine_decay_schedule(0.1, 100),
        "cosine_onecycle_schedule": lambda o: o.cosine_onecycle_schedule(10, 1.0),
        "exponential_decay": lambda o: o.exponential_decay(1.0, 5, 0.5),
        "join_schedules": lambda o: o.join_schedules([o.linear_schedule(0.0, 1.0, 5), o.constant_schedule(1.0)], [5]),
        "linear_onecycle_schedule": lambda o: o.linear_onecycle_schedule(10, 1.0),
        "linear_schedule": lambda o: o.linear_schedule(0.0, 1.0, 10),
        "piecewise_constant_schedule": lambda o: o.piecewise_constant_schedule(1.0, {2: 0.1}),
        "piecewise_interpolate_schedule": lambda o: o.piecewise_interpolate_schedule("linear", 1.0, {2: 0.1}),
        "polynomial_schedule": lambda o: o.polynomial_schedule(1.0, 0.0, 2, 5),
        "sgdr_schedule": lambda o: o.sgdr_schedule(
            [{"init_value": 0.0, "peak_value": 1.0, "decay_steps": 10, "warmup_steps": 2}]
        ),
        "warmup_constant_schedule": lambda o: o.warmup_constant_schedule(0.0, 1.0, 5),
        "warmup_cosine_decay_schedule": lambda o: o.warmup_cosine_decay_schedule(0.0, 1.0, 5, 10),
        "warmup_exponential_decay_schedule": lambda o: o.warmup_exponential_decay_schedule(0.0, 1.0, 2, 5, 0.5),
    }


@pytest.mark.parametrize("name", sorted(schedules()))
def test_schedules_give_arrays_of_numbers(name: str) -> None:
    optax = installed("optax")
    row = API.object(f"optax.{name}")
    assert row is not None
    assert row.call.returns.first == "optax.schedule"
    assert traced_inside(lambda: schedules()[name](optax)(3))
    assert isinstance(schedules()[name](optax)(jnp.int32(3)), jax.Array)


def test_the_constant_schedule_gives_its_number_back() -> None:
    assert API.object("optax.constant_schedule") is None
    assert installed("optax").constant_schedule(0.1)(3) == 0.1


def test_optimizers_are_known_by_their_annotation() -> None:
    """Those with a row have the methods; called under jit, they give arrays."""
    installed("optax")
    for line in lines():
        if line["returns"] == "object(optax.GradientTransformation)" and line["kind"] == "maker":
            assert inspect.isfunction(getattr(resolve(line["name"]), "func", resolve(line["name"])))
    tx, params = optimizer(), {"w": np.ones(3)}
    assert traced_inside(lambda: tx.init(params))
    assert traced_inside(lambda: tx.update(params, tx.init(params), params))


def test_distributions_compute_their_properties() -> None:
    dist = installed("numpyro").distributions
    made = [dist.Normal(0.0, 1.0), dist.Bernoulli(0.3), dist.Delta(0.3), dist.Gamma(1.0, 2.0), dist.Uniform(0.0, 1.0)]
    for one in made:
        assert traced_inside(lambda one=one: (one.mean, one.variance)), one
        assert traced_inside(lambda one=one: one.log_prob(0.5)), one
    assert isinstance(dist.Normal(0.0, 1.0).batch_shape, tuple)


# --- what is drawn


#: A use of each kind of row; whether a second one with the same key gives the same numbers.
DRAWS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "flax.linen.Module.init": ("flax.linen", lambda m, k: m.Dense(3).init(k, jnp.ones((2, 3)))),
    "flax.linen.Dropout.__call__": (
        "flax.linen",
        lambda m, k: m.Dropout(0.5, deterministic=False).apply({}, jnp.ones(50), rngs={"dropout": k}),
    ),
    "flax.nnx.Rngs": ("flax.nnx", lambda m, k: m.Rngs(k)()),
    "equinox.nn.Dropout.__call__": ("equinox", lambda m, k: m.nn.Dropout(0.5)(jnp.ones(50), key=k)),
    "numpyro.distributions.Distribution.sample": (
        "numpyro.distributions",
        lambda m, k: m.Normal(0.0, 1.0).sample(k, (3,)),
    ),
    "distrax.Distribution.sample": ("distrax", lambda m, k: m.Normal(0.0, 1.0).sample(seed=k)),
    "gymnax.environments.environment.Environment.reset": (
        "gymnax",
        lambda m, k: m.make("CartPole-v1")[0].reset(k, m.make("CartPole-v1")[1])[0],
    ),
    "diffrax.VirtualBrownianTree": (
        "diffrax",
        lambda m, k: m.VirtualBrownianTree(0.0, 1.0, 1e-2, (), key=k).evaluate(0.0, 0.5),
    ),
}


def numbers(value: Any) -> list[float]:
    leaves = jax.tree.leaves(value)
    plain = [jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x for x in leaves]
    return [float(number) for leaf in plain for number in np.ravel(leaf)]


@pytest.mark.parametrize("name", sorted(DRAWS))
def test_the_same_key_gives_the_same_numbers(name: str) -> None:
    module, use = DRAWS[name]
    library = installed(module)
    once, again, other = (numbers(use(library, jax.random.key(seed))) for seed in (0, 0, 1))
    assert once == again
    assert once != other


def test_what_is_turned_off_draws_nothing() -> None:
    """`unless(FLAG)`: the result depends on no key, nor do layers that only take one for the sake of their siblings."""
    eqx, nn = installed("equinox"), installed("flax.linen")
    x = jnp.arange(4.0)
    keys = [jax.random.key(seed) for seed in (0, 1)]
    off = [eqx.nn.Dropout(0.5, inference=True)(x, key=key) for key in keys]
    zero = [eqx.nn.Dropout(0.0)(x, key=key) for key in keys]
    linear = eqx.nn.Linear(4, 4, key=keys[0])
    plain = [nn.Dropout(0.5, deterministic=True).apply({}, x, rngs={"dropout": key}) for key in keys]
    for first, second in (off, zero, plain, [linear(x, key=key) for key in keys]):
        assert (first == second).all()


def test_rngs_fold_their_key() -> None:
    key = jax.random.key(0)
    rngs = installed("flax.nnx").Rngs(key)
    for number in range(2):
        assert (jax.random.key_data(rngs()) == jax.random.key_data(jax.random.fold_in(key, number))).all()


def _arguments(maker: Callable[..., Any], optax: Any) -> dict[str, Any]:
    """Arguments with which most optimizers can be made."""
    known = {
        "learning_rate": 0.01, "step_size": 0.01, "decay": 0.9, "weight_decay": 0.01, "max_delta": 1.0,
        "max_norm": 1.0, "threshold": 1.0, "clipping": 0.1, "eta": 0.1, "gamma": 0.1, "seed": 0, "key": 0, "k": 2,
        "step_size_fn": optax.constant_schedule(0.1), "l2_norm_clip": 1.0, "noise_multiplier": 0.1,
    }  # fmt: skip
    wanted = inspect.signature(maker).parameters
    return {n: known[n] for n in wanted if n in known and wanted[n].default is inspect.Parameter.empty}


def _raises(call: Callable[..., Any], *args: Any, **keywords: Any) -> bool:
    try:
        call(*args, **keywords)
    except Exception:
        return True
    return False


def test_optimizers_want_parameters_and_keep_states_as_said() -> None:
    optax = installed("optax")
    params = {"w": jnp.ones((3, 2))}
    measured = 0
    for name in [line["name"] for line in lines() if line["returns"] == "object(optax.GradientTransformation)"]:
        maker = None if "._" in name or not name.startswith("optax.") else resolve(name)
        if not callable(maker) or _raises(maker, **_arguments(maker, optax)):
            continue
        optimizer = maker(**_arguments(maker, optax))
        if _raises(getattr(optimizer, "init", None), params):
            continue  # it is made of others
        state = optimizer.init(params)
        if not _raises(optimizer.update, params, state, params):
            assert _raises(optimizer.update, params, state) == API.has(name, "reads-params"), name
        # what the state of the latter holds is only looked at
        assert name == "optax.zero_nans" or bool(jax.tree.leaves(state)) == API.has(name, "has-state"), name
        measured += 1
    assert measured > 80
    assert jax.tree.leaves(optax.sgd(0.1, momentum=0.9).init(params))
    assert API.has("optax.sgd", "keeps-momentum")
