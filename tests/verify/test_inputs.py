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
        "x=f32[3,4] params={} mode=static:'relu' n=float sizes=static:(1, 'a', None)",
    ],
    "variadic": ["other=f32[1] scale=float xs=(f32[3], int)"],
    "keyed": ["key=key w=bf16[3]", "key=key[3]"],
    "Model.apply": ["x=bool[3]"],
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
    assert "inconclusive: nothing says what `params` of `step` is" in without.stdout
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
