"""What the tables say of JAX is what the installed JAX does."""

# ruff: noqa: PLW0108 - a lambda keeps the call readable beside its neighbours

from __future__ import annotations

import csv
import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

from jaxlint.jaxapi import Api, TransformRow  # noqa: E402
from jaxlint.jaxapi import api as api_module  # noqa: E402
from jaxlint.jaxapi.versions import is_current, parse_version  # noqa: E402

from .probes import CALLS, Probe, resolve  # noqa: E402

pytestmark = [pytest.mark.jax, pytest.mark.filterwarnings("ignore")]

DATA = Path(api_module.__file__).with_name("data")
INSTALLED = parse_version(jax.__version__)
API = Api.load(jax.__version__)
MEASURED_ON = (0, 10, 2)


def lines(table: str) -> list[dict[str, str]]:
    with (DATA / f"{table}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def is_alive(line: dict[str, str]) -> bool:
    return is_current(line["since"], line["until"], INSTALLED)


def package(name: str) -> str:
    return name.split(".", maxsplit=1)[0]


def by_package(table: str) -> dict[str, list[dict[str, str]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for line in lines(table):
        if not line["name"].startswith("*") and "()" not in line["name"]:
            found.setdefault(package(line["name"]), []).append(line)
    return found


def skip_unless_installed(name: str) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed")


def exists(name: str) -> bool:
    try:
        resolve(name)
    except (AttributeError, ImportError):
        return False
    return True


#: Names in the tables that are written by hand which the newest releases of JAX and NumPy no longer have.
OLD = {
    "jax.array_ref", "jax.core.trace_state_clean", "jax.device_put_replicated", "jax.device_put_sharded",
    "jax.experimental.mutable_array", "jax.extend.core.Tracer", "jax.sharding.use_mesh", "numpy.float_",
    "jax.api_util.safe_zip", "jax.experimental.host_callback.call", "jax.experimental.host_callback.id_tap",
    "jax.core.safe_map", "jax.core.safe_zip", "jax.util.safe_map", "jax.util.safe_zip",
    "jax.config.config.update", "jax.config.config.jax_disable_jit",
}  # fmt: skip
#: Names that the table of objects gives to what has no public name: what functions such as `constant_schedule` return.
OURS = {"optax.schedule"}


@pytest.mark.skipif(INSTALLED < MEASURED_ON, reason="the tables written by hand have no lifetimes")
@pytest.mark.parametrize(
    ("table", "name"), [(t, p) for t in ("classes", "meanings", "traits") for p in sorted(by_package(t))]
)
def test_names_in_tables_written_by_hand_exist(table: str, name: str) -> None:
    skip_unless_installed(name)
    named = {line["name"].removesuffix(".*") for line in by_package(table)[name]}
    assert sorted(each for each in named - OLD - OURS if not exists(each)) == []


@pytest.mark.parametrize(
    ("table", "name"), [(t, p) for t in ("functions", "transforms", "random") for p in sorted(by_package(t))]
)
def test_names_resolve_within_their_lifetime(table: str, name: str) -> None:
    skip_unless_installed(name)
    rows = by_package(table)[name]
    missing = {row["name"] for row in rows if is_alive(row) and not exists(row["name"])}
    assert sorted(missing - OLD) == []


def test_names_are_absent_outside_their_lifetime() -> None:
    rows = [row for table in ("functions", "transforms", "random") for row in by_package(table)["jax"]]
    alive = {row["name"] for row in rows if is_alive(row)}  # one row of a function that changed is not
    gone = {row["name"] for row in rows} - alive
    assert sorted(name for name in gone if exists(name)) == []


def test_rows_that_ran_are_the_ones_with_a_probe() -> None:
    assert {line["name"] for line in lines("transforms") if line["ran"] == "yes"} == set(CALLS)


#: What JAX of about 0.4.30 did otherwise: tracers were hashable, and jet evaluated its function differently.
CHANGED_BEFORE_05 = {"jax.experimental.jet.jet", "builtins.hash"}


def skip_changed(name: str) -> None:
    if name in CHANGED_BEFORE_05 and INSTALLED < (0, 5, 0):
        pytest.skip(f"JAX {jax.__version__} does otherwise")


#: What a probe sees where the transform has no trace of its own.
SEEN = {"host": "concrete", "inherit": "concrete", "scope": "refs"}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_transforms_trace_as_the_table_says(name: str) -> None:
    row = API.transform(name)
    assert isinstance(row, TransformRow)
    skip_unless_installed(package(name))
    if not is_current(row.since, row.until, INSTALLED):
        pytest.skip(f"JAX {jax.__version__} does not have it")
    skip_changed(name)
    probe = Probe()
    CALLS[name](resolve(name), probe)
    assert probe.level == SEEN.get(row.level, row.level)


@pytest.mark.parametrize("name", sorted(line["name"] for line in lines("transforms") if line["factory"] == "yes"))
def test_factories_give_a_decorator_without_a_function(name: str) -> None:
    skip_unless_installed(package(name))
    needs = {
        "jax.experimental.pallas.when": (True,),
        "flax.nnx.split_rngs": None,
        "haiku.layer_stack": (2,),
        "jax.experimental.pallas.core_map": None,
    }
    arguments = needs.get(name, ())
    if arguments is None:
        pytest.skip("needs more than a call without arguments")
    if name == "jax.jit" and INSTALLED < (0, 8, 0):
        pytest.skip(f"JAX {jax.__version__} wants the function")
    assert callable(resolve(name)(*arguments))


KEY_CALLS: dict[str, tuple[Any, ...]] = {
    "categorical": (jnp.array([0.2, 0.8]),),
    "beta": (1.0, 1.0),
    "gamma": (1.0,),
    "loggamma": (1.0,),
    "t": (2.0,),
    "dirichlet": (jnp.ones(2),),
    "multivariate_normal": (jnp.zeros(2), jnp.eye(2)),
    "choice": (3,),
    "permutation": (3,),
    "randint": ((), 0, 3),
    "poisson": (1.0,),
    "chisquare": (2.0,),
    "f": (2.0, 2.0),
    "pareto": (2.0,),
    "triangular": (0.0, 0.5, 1.0),
    "truncated_normal": (-1.0, 1.0),
    "wald": (1.0,),
    "weibull_min": (1.0, 1.0),
    "binomial": (3.0, 0.5),
    "geometric": (0.5,),
    "multinomial": (3, jnp.array([0.2, 0.8])),
    "ball": (2,),
    "orthogonal": (2,),
    "generalized_normal": (1.0,),
    "double_sided_maxwell": (0.0, 1.0),
    "fold_in": (1,),
    "rayleigh": (1.0,),
}


@pytest.mark.parametrize(
    "name", [row["name"] for row in lines("random") if row["name"].startswith("jax.random.") and row["key"]]
)
def test_the_key_reuse_checker_agrees_on_who_consumes(name: str) -> None:
    row = API.random(name)
    assert row is not None
    if not is_current(row.since, row.until, INSTALLED):
        pytest.skip(f"JAX {jax.__version__} does not have it")
    short = name.rpartition(".")[2]
    with jax.debug_key_reuse(True):
        key = jax.random.key(0)
        jax.eval_shape(lambda: None)
        getattr(jax.random, short)(key, *KEY_CALLS.get(short, ()))
        reused = False
        try:
            jax.random.bits(key)
        except jax.errors.KeyReuseError:
            reused = True
    assert row.consumes == reused


#: One call per kind of static parameter: the function of a traced scalar must raise.
STATIC_CALLS: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("jax.numpy.zeros", "shape"): lambda n: jnp.zeros((n, 2)),
    ("jax.numpy.ones", "shape"): lambda n: jnp.ones((n,)),
    ("jax.numpy.full", "shape"): lambda n: jnp.full((n,), 1.0),
    ("jax.numpy.arange", "start"): lambda n: jnp.arange(n),
    ("jax.numpy.eye", "N"): lambda n: jnp.eye(n),
    ("jax.numpy.linspace", "num"): lambda n: jnp.linspace(0.0, 1.0, n),
    ("jax.numpy.reshape", "shape"): lambda n: jnp.reshape(jnp.ones(4), (n, 2)),
    ("jax.numpy.broadcast_to", "shape"): lambda n: jnp.broadcast_to(1.0, (n,)),
    ("jax.numpy.sum", "axis"): lambda n: jnp.sum(jnp.ones((2, 2, 2)), axis=n),
    ("jax.numpy.sum", "keepdims"): lambda n: jnp.sum(jnp.ones(2), keepdims=n > 0),
    ("jax.numpy.concatenate", "axis"): lambda n: jnp.concatenate([jnp.ones((2, 2, 2))], axis=n),
    ("jax.numpy.split", "indices_or_sections"): lambda n: jnp.split(jnp.ones(4), n),
    ("jax.numpy.tile", "reps"): lambda n: jnp.tile(jnp.ones(2), n),
    ("jax.numpy.pad", "pad_width"): lambda n: jnp.pad(jnp.ones(2), n),
    ("jax.numpy.squeeze", "axis"): lambda n: jnp.squeeze(jnp.ones((1, 1, 1)), n),
    ("jax.numpy.expand_dims", "axis"): lambda n: jnp.expand_dims(jnp.ones(2), n),
    ("jax.lax.dynamic_slice", "slice_sizes"): lambda n: jax.lax.dynamic_slice(jnp.ones(4), (0,), (n,)),
    ("jax.lax.slice", "limit_indices"): lambda n: jax.lax.slice(jnp.ones(4), (0,), (n,)),
    ("jax.lax.iota", "size"): lambda n: jax.lax.iota(jnp.int32, n),
    ("jax.lax.top_k", "k"): lambda n: jax.lax.top_k(jnp.ones(4), n),
    ("jax.nn.one_hot", "num_classes"): lambda n: jax.nn.one_hot(jnp.arange(2), n),
    ("jax.nn.softmax", "axis"): lambda n: jax.nn.softmax(jnp.ones((2, 2, 2)), axis=n),
    ("jax.ops.segment_sum", "num_segments"): lambda n: jax.ops.segment_sum(jnp.ones(2), jnp.arange(2), n),
    ("jax.image.resize", "shape"): lambda n: jax.image.resize(jnp.ones((2, 2)), (n, n), "nearest"),
    ("jax.random.normal", "shape"): lambda n: jax.random.normal(jax.random.key(0), (n,)),
    ("jax.random.split", "num"): lambda n: jax.random.split(jax.random.key(0), n),
}


@pytest.mark.parametrize(("name", "parameter"), STATIC_CALLS)
def test_static_parameters_reject_tracers(name: str, parameter: str) -> None:
    row = API.function(name)
    assert row is not None
    assert parameter in row.static
    with pytest.raises(Exception, match=r".") as caught:
        jax.eval_shape(STATIC_CALLS[name, parameter], jnp.asarray(2))
    assert not isinstance(caught.value, AssertionError)


SIZED: dict[str, Callable[..., Any]] = {
    "jax.numpy.nonzero": lambda x, **k: jnp.nonzero(x, **k),
    "jax.numpy.where": lambda x, **k: jnp.where(x > 0, **k),
    "jax.numpy.argwhere": lambda x, **k: jnp.argwhere(x, **k),
    "jax.numpy.flatnonzero": lambda x, **k: jnp.flatnonzero(x, **k),
    "jax.numpy.unique": lambda x, **k: jnp.unique(x, **k),
    "jax.numpy.union1d": lambda x, **k: jnp.union1d(x, x, **k),
    "jax.numpy.repeat": lambda x, **k: jnp.repeat(x, x.astype(int), **k),
    "jax.numpy.bincount": lambda x, **k: jnp.bincount(x.astype(int), **k),
}


@pytest.mark.parametrize("name", SIZED)
def test_data_dependent_shapes_need_their_size(name: str) -> None:
    row = API.function(name)
    assert row is not None
    assert row.size is not None
    x = jnp.arange(3.0)
    with pytest.raises((jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError)):
        jax.eval_shape(SIZED[name], x)
    jax.eval_shape(lambda v: SIZED[name](v, **{row.size: 4}), x)


NUMPY_CALLS: dict[str, Callable[[Any], Any]] = {
    "numpy.sum": np.sum,
    "numpy.mean": np.mean,
    "numpy.reshape": lambda x: np.reshape(x, (2, 2)),
    "numpy.round": np.round,
    "numpy.sqrt": np.sqrt,
    "numpy.dot": lambda x: np.dot(x, x),
    "numpy.where": lambda x: np.where(x > 0, x, x),
    "numpy.stack": lambda x: np.stack([x, x]),
    "numpy.asarray": np.asarray,
    "numpy.array": np.array,
    "numpy.clip": lambda x: np.clip(x, 0, 1),
    "numpy.float32": lambda x: np.float32(x[0]),
    "math.sqrt": lambda x: math.sqrt(x[0]),
    "builtins.float": lambda x: float(x[0]),
    "builtins.int": lambda x: int(x[0]),
    "builtins.bool": lambda x: bool(x[0]),
    "builtins.len": len,
    "builtins.sum": sum,
    "builtins.max": max,
    "builtins.sorted": sorted,
    "builtins.any": any,
    "builtins.str": str,
    "builtins.hash": hash,
    "builtins.format": lambda x: format(x[0], ".2f"),
    "builtins.list": list,
    "builtins.range": lambda x: range(x[0].astype(int)),
}


def verdict(action: Callable[[], Any]) -> str:
    try:
        action()
    except Exception as error:
        return type(error).__name__
    return "works"


@pytest.mark.parametrize("name", NUMPY_CALLS)
def test_numpy_and_builtins_do_as_the_table_says(name: str) -> None:
    row = API.numpy(name)
    assert row is not None
    skip_changed(name)
    x = jnp.linspace(0.1, 0.9, 4)
    call = NUMPY_CALLS[name]
    assert row.jit == verdict(lambda: jax.eval_shape(lambda v: (call(v), v)[1], x))
    assert row.grad == verdict(lambda: jax.grad(lambda v: (call(v), v.sum())[1])(x))


@pytest.mark.parametrize("row", lines("array_members"), ids=lambda row: row["name"])
def test_array_members_are_there_or_absent(row: dict[str, str]) -> None:
    if not is_alive(row) or (INSTALLED != MEASURED_ON and row["kind"] not in ("absent", "at")):
        pytest.skip(f"measured on another release than {jax.__version__}")
    owner = jnp.ones(3).at[0] if row["kind"] == "at" else jnp.ones(3)
    found = row["name"].removeprefix("at.") in dir(owner)
    assert found == (row["kind"] != "absent")


@pytest.mark.parametrize("row", lines("array_members"), ids=lambda row: row["name"])
def test_arrays_of_numpy_have_what_the_table_says(row: dict[str, str]) -> None:
    if row["numpy"]:
        found = {hasattr(owner, row["name"]) for owner in (np.ones(3), np.float32(1.0), np.bool_(True))}
        assert found == {row["numpy"] == "yes"}


def test_a_tracer_has_the_methods_that_the_table_says() -> None:
    if INSTALLED != MEASURED_ON:
        pytest.skip(f"measured on another release than {jax.__version__}")
    rows = [row for row in lines("array_members") if row["kind"] in ("method", "absent") and is_alive(row)]
    found: dict[str, bool] = {}
    jax.eval_shape(lambda x: (found.update({row["name"]: hasattr(x, row["name"]) for row in rows}), x)[1], jnp.ones(3))
    assert found == {row["name"]: row["tracer"] != "error:AttributeError" for row in rows}


def test_members_that_are_static_on_a_tracer_stay_so() -> None:
    names = [row["name"] for row in lines("array_members") if row["kind"] == "attribute" and row["tracer"] == "static"]
    seen: dict[str, bool] = {}

    def look(x: Any) -> Any:
        seen.update({name: isinstance(getattr(x, name), jax.core.Tracer) for name in names})
        return x

    jax.eval_shape(look, jnp.ones((2, 3)))
    assert {"shape", "dtype", "ndim", "size"} <= set(seen)
    assert not any(seen.values())
