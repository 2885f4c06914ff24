"""Notebooks under observation: real kernels, run by real nbconvert, with places by cell and findings judged."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxlint.verify.notebooks import cell_of
from jaxlint.verify.observe.cells import in_cells, named_notebooks
from tests.verify.observing import PROGRAMS, PYTHON, ROOT, Observed, observe, verify

#: Each cell, `# traces NAME: REASONS` where a function is compiled, and `# confirmed: RULE` and its like at findings.
CELLS = (
    """\
import os
import jax
import jax.numpy as jnp
from counted import ran
""",
    """\
log = []

@jax.jit
def step(x, lr):  # traces step: first shape shape weak-type
    ran("step")
    return (x * lr).sum()

@jax.jit
def branch(x):  # traces branch: first
    ran("branch")
    log.append(1)  # confirmed: captured-mutation
    if x > 0:  # confirmed: traced-branch
        return x
    return -x
""",
    """\
for size in (3, 4, 5):
    step(jnp.ones(size), 0.5)  # observed: varying-shape
step(jnp.ones(5), jnp.float32(0.5))  # confirmed: weak-type-recompile
""",
    """\
%%time
order = jax.jit(jnp.sort)  # traces jnp.sort: first shape shape
for size in (3, 4, 5):
    order(jnp.arange(size))  # observed: varying-shape
""",
    """\
%%capture out
def local(x):
    made = jax.jit(  # confirmed: jit-in-function
        lambda y: y + 1  # traces local.<locals>.<lambda>: first new-function-object
    )
    return made(x)
local(1.0), local(2.0)
""",
    """\
key = jax.random.key(0)
a = jax.random.normal(key)
!echo shell
b = jax.random.normal(key)  # confirmed: key-reuse
value = %time step(jnp.ones(5), 0.5)
other, = jax.random.split(jax.random.key(1), 1)
table = [0, 0]
table[0] = 1
""",
    """\
if "NEVER" in os.environ:
    key = jax.random.key(2)
    jax.random.normal(key) + jax.random.normal(key)  # not-reached: key-reuse
try:
    branch(jnp.ones(()))
except jax.errors.TracerBoolConversionError as error:
    print(type(error).__name__)
""",
)


def written(path: Path, cells: tuple[str, ...]) -> Path:
    """A notebook of a paragraph and these cells."""
    code = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell.splitlines(True)}
        for cell in cells
    ]
    prose: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": ["# Training"]}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": [prose, *code], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


def marks(word: str) -> Iterator[tuple[int, int, str]]:
    """Cell, line and what stands behind `# WORD` there; the paragraph is the first cell."""
    for number, cell in enumerate(CELLS, 2):
        for line, text in enumerate(cell.splitlines(), 1):
            if f"# {word}" in text:
                yield number, line, text.partition(f"# {word}")[2].strip(": ")


def needs(*modules: str) -> None:
    """Skip where the interpreter of the programs lacks them."""
    code = f"import importlib.util, sys; sys.exit(any(importlib.util.find_spec(m) is None for m in {modules}))"
    if subprocess.run([PYTHON, "-c", code], check=False).returncode:
        pytest.skip(f"needs {', '.join(modules)}")


def environment(folder: Path) -> dict[str, str]:
    return {"PYTHONPATH": f"{ROOT}{os.pathsep}{PROGRAMS}", "IPYTHONDIR": str(folder), "JUPYTER_PLATFORM_DIRS": "1"}


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Observed:
    """The notebook, run by nbconvert; its own output is the last line of the kernel's."""
    needs("ipykernel", "nbconvert")
    folder = tmp_path_factory.mktemp("notebooks")
    written(folder / "train.ipynb", CELLS)
    command = [PYTHON, "-m", "nbconvert", "--to", "notebook", "--execute", "train.ipynb", "--output", "done.ipynb"]
    return observe(command, folder, "--isolated", "--no-cache", env=environment(folder))


def test_functions_stand_in_their_cells(executed: Observed) -> None:
    assert executed.code == 0, executed.err
    told = {(f["path"], f["cell"], f["line"]): f for f in executed.report["functions"]}
    wanted = {(cell, line): text.partition(": ") for cell, line, text in marks("traces")}
    assert {(cell, line): told["train.ipynb", cell, line]["name"] for cell, line in wanted} == {
        place: name for place, (name, _, _) in wanted.items()
    }
    for (cell, line), (_, _, reasons) in wanted.items():
        function = told["train.ipynb", cell, line]
        assert [miss["reason"] for miss in function["misses"]] == reasons.split()
        assert function["traces"] == len(reasons.split())


def test_calls_stand_in_the_cells_that_make_them(executed: Observed) -> None:
    misses = next(f["misses"] for f in executed.report["functions"] if f["name"] == "step")
    assert [(m["call"]["path"], m["call"]["cell"], m["call"]["line"]) for m in misses] == [
        ("train.ipynb", 4, 2), ("train.ipynb", 4, 2), ("train.ipynb", 4, 2), ("train.ipynb", 4, 3),
    ]  # fmt: skip


def test_findings_in_cells_are_judged(executed: Observed) -> None:
    told = {(f["cell"], f["line"], f["rule"]): f["verdict"] for f in executed.judged}
    wanted = {
        (cell, line, rule): verdict for verdict in ("confirmed", "not-reached") for cell, line, rule in marks(verdict)
    }
    assert {place: told.get(place) for place in wanted} == wanted
    assert {place for place, verdict in told.items() if verdict == "confirmed"} == {
        place for place, verdict in wanted.items() if verdict == "confirmed"
    }


def test_what_the_run_finds_stands_in_its_cell(executed: Observed) -> None:
    found = {(f["cell"], f["line"], f["rule"]) for f in executed.report["findings"] if f["source"] == "observed"}
    assert {(cell, line, rule) for cell, line, rule in marks("observed")} <= found
    assert all(cell is not None for cell, _, _ in found)


def test_a_clock_of_ipython_is_not_judged_by_what_is_not_watched(executed: Observed) -> None:
    timed = [f for f in executed.judged if f["rule"] == "unsynchronized-timing"]
    assert timed
    assert {f["verdict"] for f in timed} == {"inconclusive"}


def test_all_processes_tell_their_compilations(executed: Observed) -> None:
    assert executed.report["complete"], executed.report["problems"]


def test_the_notebook_comes_out_as_without_the_observer(tmp_path: Path) -> None:
    needs("ipykernel", "nbconvert")
    written(tmp_path / "train.ipynb", (*CELLS[:3], *CELLS[4:]))  # without the cell that prints how long it took
    command = [PYTHON, "-m", "nbconvert", "--to", "notebook", "--execute", "train.ipynb", "--output"]
    env = {**os.environ, "JAX_PLATFORMS": "cpu", **environment(tmp_path)}
    subprocess.run([*command, "plain.ipynb"], cwd=tmp_path, env=env, check=True, capture_output=True, timeout=300)
    verify("--isolated", "--no-cache", "--", *command, "observed.ipynb", cwd=tmp_path, env=environment(tmp_path))
    assert outputs(tmp_path / "observed.ipynb") == outputs(tmp_path / "plain.ipynb") != []


def outputs(path: Path) -> list[Any]:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        (output.get("text") or output.get("data"))
        for cell in cells
        for output in cell.get("outputs", [])
        if "RuntimeWarning" not in str(output) and "Wall time" not in str(output)
    ]


LIVE = (
    "%load_ext jaxlint\nimport jax, jax.numpy as jnp",
    "@jax.jit\ndef step(x):\n    return x + 1",
    "%%jaxlint\n# a comment\nfor n in range(3):\n    step(jnp.ones(n + 1))",
    "%%jaxlint quiet\nstep(jnp.ones(1))",
    "%%jaxlint quiet\nmade = [jax.jit(lambda x: x)(1.0) for _ in range(2)]",
)


def test_the_magic_reports_below_its_cell(tmp_path: Path) -> None:
    needs("ipykernel", "nbconvert")
    written(tmp_path / "live.ipynb", LIVE)
    command = [PYTHON, "-m", "nbconvert", "--to", "notebook", "--execute", "live.ipynb", "--output", "done.ipynb"]
    env = {**os.environ, "JAX_PLATFORMS": "cpu", **environment(tmp_path)}
    subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True, timeout=300)
    cells = json.loads((tmp_path / "done.ipynb").read_text(encoding="utf-8"))["cells"][1:]
    texts = ["".join("".join(output.get("text", [])) for output in cell["outputs"]) for cell in cells]
    assert texts[0] == texts[1] == texts[3] == ""
    assert "2 recompilations of 1 function" in texts[2]
    assert "cell [2]:2  step" in texts[2]
    assert "called at cell [3]:4" in texts[2]
    assert "cell [5]:2" in texts[4]


# --- what is told of cells, without a kernel


def test_the_notebooks_of_a_command_are_those_that_it_reads(tmp_path: Path) -> None:
    for name in ("a.ipynb", "b.ipynb"):
        written(tmp_path / name, CELLS)
    command = ["jupyter", "nbconvert", "--execute", "a.ipynb", "--output", "b.ipynb"]
    assert named_notebooks(command, str(tmp_path)) == [str(tmp_path / "a.ipynb")]
    assert named_notebooks(["papermill", "a.ipynb", "c.ipynb"], str(tmp_path)) == [str(tmp_path / "a.ipynb")]


def test_places_move_into_cells_in_the_order_in_which_these_ran(tmp_path: Path) -> None:
    notebook = str(written(tmp_path / "n.ipynb", CELLS))
    timed = {"e": "cell", "t": 0, "file": "<timed exec>", "number": 5, "text": None}
    records = [
        {**timed, "path": notebook, "line": 22},
        {"e": "begin", "t": 1, "call": ["<timed exec>", 3], "sig": ["x", 1]},
        {**timed, "path": None, "line": 2, "text": "%%time\na = 1"},
        {"e": "hazard", "t": 2, "path": "<timed exec>", "line": 1, "evidence": ["first used at <timed exec>:1"]},
    ]
    _, begun, _, told = in_cells([records])[0]
    assert begun["call"] == [notebook, 24]
    assert begun["sig"] == ["x", 1]
    assert (told["path"].startswith("<ipython-input-5-"), told["line"]) == (True, 2)
    assert told["evidence"] == ["first used at cell [5]:2"]


def test_lines_of_other_files_are_their_own(tmp_path: Path) -> None:
    assert cell_of(str(tmp_path / "a.py"), 7) == (None, 7)
    assert cell_of(str(written(tmp_path / "n.ipynb", CELLS)), 6) == (3, 1)
