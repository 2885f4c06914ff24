"""The inputs that an observed run records: what the grammar of input specs can say, and never an array's numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jaxlint.verify.specs import parse_assignments
from tests.verify.observing import PYTHON, observe, observe_code, verify

PROGRAM = """
from functools import partial
from typing import NamedTuple
import jax
import jax.numpy as jnp

class Pair(NamedTuple):
    a: object
    b: object

class Model:
    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x

@partial(jax.jit, static_argnames=("mode", "sizes", "activation"))
def nested(x, params, mode, n=2, sizes=(1,), activation=None):
    return x

@jax.jit
def variadic(*xs, scale, **more):
    return xs[0] * scale

@jax.jit
def keyed(pair, key, w):
    return w

def plain(x):
    return jax.lax.scan(lambda c, row: (c, row), 0.0, x)

layers = [jnp.full(2, 0.125), jnp.ones((2, 2), jnp.int8)]
nested(jnp.ones((3, 4)), {"w": layers, "it's": (jnp.ones(()), None)}, "a 'b'", 2, (1,), "x" * 200)
nested(jnp.ones((3, 4)), {}, "relu", 2.5, (1, "a", None), jax.nn.relu)
variadic(jnp.ones(3), 2, scale=1.5, other=jnp.ones(1))
keyed(Pair(1.0, 2.0), jax.random.key(0), jnp.ones(3, jnp.bfloat16))
keyed(Pair(1.0, 2.0), jax.random.split(jax.random.key(0), 3), jnp.ones(3, jnp.float8_e4m3fn))
Model().apply(jnp.ones(3, bool))
jax.jit(plain)(jnp.ones((3, 2)))
"""

INPUTS = {
    "nested": [
        """x=f32[3,4] params={"it's": (f32[], none), "w": [f32[2], i8[2,2]]} mode=static:"a 'b'" n=int """
        "sizes=static:(1,)",
        "x=f32[3,4] params={} mode=static:'relu' n=float sizes=static:(1, 'a', None) "
        "activation=name:jax._src.nn.functions:relu",
    ],
    "variadic": ["other=f32[1] scale=float xs=(f32[3], int)"],
    "keyed": [
        "pair=object:program:Pair(float, float) key=key w=bf16[3]",
        "pair=object:program:Pair(float, float) key=key[3]",
    ],
    "Model.apply": ["self=object:program:Model{} x=bool[3]"],
    "plain": ["x=f32[3,2]"],
    "plain.<locals>.<lambda>": ["c=float row=f32[2]"],
}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The inputs by function, of one run."""
    observed = observe_code(PROGRAM, tmp_path_factory.mktemp("inputs"))
    assert observed.code == 0, observed.err
    assert "0.125" not in json.dumps(observed.report)
    return {function["name"]: function["inputs"] for function in observed.report["functions"]}


@pytest.mark.jax
@pytest.mark.parametrize("name", INPUTS)
def test_inputs_are_recorded_in_the_grammar_of_specs(recorded: dict[str, list[str]], name: str) -> None:
    assert [parse_assignments(text) for text in recorded[name]] == [parse_assignments(text) for text in INPUTS[name]]


@pytest.mark.jax
def test_a_function_is_probed_with_what_it_was_traced_with(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(
        "import sys\nimport jax.numpy as jnp\nfrom model import step\n\n"
        "if __name__ == '__main__':\n    step({'w': jnp.ones(3)}, [jnp.ones(4)], int(sys.argv[1]))\n"
    )
    (tmp_path / "model.py").write_text(
        "from functools import partial\nimport jax\n\n\n@partial(jax.jit, static_argnames='n')\n"
        "def step(params, xs, n):\n    if n > 3 and params['w'].sum() > xs[0].sum():\n        return params\n"
        "    return xs\n"
    )
    observed = observe([PYTHON, "train.py", "2"], tmp_path)
    assert observed.function("step")["inputs"] == ['params={"w": f32[3]} xs=[f32[4]] n=static:2']
    without = verify("model.py", "--isolated", cwd=tmp_path)
    assert "inconclusive: the type of `params` of `step` is unknown" in without.stdout
    recorded = verify("model.py", "--isolated", "--recorded", "report.json", cwd=tmp_path)
    assert "xs=[f32[4]] (recorded run), n=static:2 (recorded run)" in recorded.stdout
    other = verify(
        "train.py",
        "--probe",
        "model.py::step",
        "--isolated",
        "--recorded",
        "report.json",
        "--arg",
        "n=static:9",
        cwd=tmp_path,
    )
    assert "confirmed: TracerBoolConversionError at line 7" in other.stdout


@pytest.mark.jax
def test_a_report_of_another_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n")
    (tmp_path / "report.json").write_text('{"functions": [{"path": "else.py", "name": "f", "inputs": ["x=f32[]"]}]}')
    done = verify("model.py", "--isolated", "--recorded", "report.json", cwd=tmp_path)
    assert "report.json holds no inputs of what is probed here" in done.stderr
    assert done.returncode == 0


OBJECTS = """\
import enum
import sys
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Mode(enum.Enum):
    FAST = 1
    SAFE = 2


class Carry(NamedTuple):
    position: jax.Array
    speed: jax.Array


class Optimiser(NamedTuple):
    init: object
    update: object


def descent(rate):
    def init(params):
        return Carry(params, jnp.zeros_like(params))

    def update(gradient, carry, *, scale=1.0):
        return Carry(carry.position - rate * scale * gradient, gradient)

    return Optimiser(init, update)


@jax.tree_util.register_pytree_node_class
class State:
    def __init__(self, carry, optimiser, mode):
        raise RuntimeError("a probe does not run it")

    @classmethod
    def of(cls, carry, optimiser, mode):
        made = object.__new__(cls)
        made.carry, made.optimiser, made.mode = carry, optimiser, mode
        return made

    def tree_flatten(self):
        return (self.carry,), (self.optimiser, self.mode)

    @classmethod
    def tree_unflatten(cls, rest, carry):
        return cls.of(*carry, *rest)


@jax.jit
def step(state, data):
    if state.mode is Mode.SAFE and data.sum() > 0:
        return state.carry
    return state.optimiser.update(data, state.carry)


class Sampler:
    def __init__(self, width, draw):
        self.width, self.draw = width, draw

    @partial(jax.jit, static_argnums=0)
    def sample(self, x):
        if self.width > 2 and x > 0:
            return x
        return self.draw(x) * self.width


if __name__ == "__main__":
    optimiser = descent(0.5)
    carry = optimiser.init(jnp.ones(3))
    step(State.of(carry, optimiser, Mode[sys.argv[1]]), jnp.ones(3))
    Sampler(int(sys.argv[2]), jnp.sin).sample(1.0)
"""


@pytest.mark.jax
def test_objects_are_recorded_and_made_again(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OBJECTS)
    observed = observe([PYTHON, "train.py", "FAST", "2"], tmp_path)
    assert observed.report["problems"] == []
    (state,) = observed.function("step")["inputs"]
    assert state.startswith(
        'state=object:train:State{"carry": object:train:Carry(f32[3], f32[3]), "optimiser": object:'
    )
    assert '"mode": name:train:Mode.FAST}' in state
    (sampler,) = observed.function("Sampler.sample")["inputs"]
    assert sampler.startswith('self=object:train:Sampler{"width": static:2, "draw": ')
    text = json.dumps(observed.report).replace("Mode.FAST", "Mode.SAFE").replace("static:2", "static:3")
    (tmp_path / "report.json").write_text(text)
    done = verify("--probe", "train.py", "--isolated", "--recorded", "report.json", cwd=tmp_path)
    assert "with state=State(...) (recorded run), data=f32[3] (recorded run)" in done.stdout
    assert "with self=Sampler(...) (recorded run), x=float (recorded run)" in done.stdout
    assert done.stdout.count("confirmed: TracerBoolConversionError") == 2


@pytest.mark.jax
def test_an_object_whose_class_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(OBJECTS)
    observe([PYTHON, "train.py", "FAST", "2"], tmp_path)
    report = tmp_path / "report.json"
    report.write_text(report.read_text().replace("object:train:State", "object:train:Lost"))
    done = verify("--probe", "train.py::step", "--isolated", "--recorded", "report.json", cwd=tmp_path)
    assert "`state` of `step` was recorded with `train:Lost`, which is not there" in done.stdout
