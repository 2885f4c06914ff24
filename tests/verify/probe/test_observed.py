"""Probes of whole files: every function as if it were compiled, what it shows on its own, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.verify.probe import probe_command
from jaxlint.verify.verify_options import VerifyOptions
from tests.verify.probe.probing import Outcome, probed, written

pytestmark = pytest.mark.jax

CODE = """
    import time
    from typing import NamedTuple

    LOG = []
    STEPS = 0
    TABLE = {}


    class Batch(NamedTuple):
        image: jax.Array
        label: jax.Array


    def branches(batch: Batch, n: int):
        if n > 1 and batch.image.sum() > 0:  # traced-branch
            return batch.label
        return batch.image


    def leaks(x: jax.Array):
        LOG.append(x * 2)  # leaked-tracer
        return x


    def counts(x: jax.Array, parts: list[jax.Array]):
        global STEPS
        STEPS += 1  # global-mutation
        return x + parts[0]


    def fills(x: jax.Array):
        if "table" not in TABLE:
            TABLE["table"] = np.arange(3)
        LOG.append("inside")
        shape = x.shape
        LOG.pop()
        print(shape)
        return x * len(TABLE)


    @jax.jit
    def step(x):
        return x * 2


    def train(x: jax.Array):
        start = time.time()
        LOG.append(step(x))
        return float(LOG[-1].sum()), time.time() - start


    def repeats(x: jax.Array):
        for n in range(x.size):
            x = x + step(jnp.ones(n)).sum()  # varying-shape
        return x


    def restores(state: "TrainState", x: jax.Array):
        return state.params, x


    def advance(state):
        state["t"] = state["a"] + 1
        return state


    def advances(state: dict[str, jax.Array]):
        state = advance(state)
        return state["t"]


    def notes(state: dict[str, jax.Array]):
        state["t"] = state["a"] + 1  # argument-mutation
        return state["t"].sum()


    def hands_back(state: dict[str, jax.Array]):
        state["t"] = state["a"] + 1
        return 0, {"state": state}


    def saves(x: jax.Array):
        open("weights.txt", "w").write("x")
        return x
"""


def probed_whole(path: Path) -> Outcome:
    """The report of a probe of all functions of a file, findings of the check left out."""
    with pytest.MonkeyPatch.context() as patched:
        whole = VerifyOptions(probe=(str(path),))
        patched.setattr(probe_command, "_wanted", lambda _options, wanted=probe_command._wanted: wanted(whole))
        return probed(path, settings={"ignore": ("ALL",)})


def test_a_file_is_probed_function_by_function(tmp_path: Path) -> None:
    path = written(tmp_path, CODE)
    marked = {(n, line.partition("# ")[2]) for n, line in enumerate(path.read_text().splitlines(), 1) if "  # " in line}
    outcome = probed_whole(path)
    found = outcome.report["findings"]
    assert {(f["line"], f["rule"]) for f in found} == marked
    assert {f["source"] for f in found} == {"observed"}
    errors = {f["name"]: f["probes"][0]["error"] for f in outcome.report["functions"]}
    assert "stopped at line" in errors["saves"]
    assert "opens `weights.txt` for writing" in errors["saves"]
    assert errors["restores"] == "no source for `state`"
    assert "at line" in errors["branches"]
    assert outcome.code == 0


def test_one_function_alone_and_its_gate(tmp_path: Path) -> None:
    path = written(tmp_path, CODE)
    outcome = probed(path, "leaks", "x=float32[8]", settings={"ignore": ("ALL",)}, fail_on="observed")
    assert [f["name"] for f in outcome.report["functions"]] == ["leaks"]
    assert [(f["rule"], f["evidence"].splitlines()[-1]) for f in outcome.report["findings"]] == [
        ("leaked-tracer", "with x=f32[8] (traced as `jax.jit` would)")
    ]
    assert outcome.code == 1
