"""What is counted is what ran, and the reasons are those that the programs were written to have."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from tests.verify.observing import PROGRAMS, PYTHON, Observed, observe

COUNTED = ("keys", "transforms", "objects", "frameworks")
_EXPECTED = re.compile(r"# reasons: (.*)\n(?:\s*@.*\n)*\s*def (\w+)")


@cache
def run(name: str, folder: Path) -> Observed:
    script = str(PROGRAMS / f"{name}.py")
    return observe([PYTHON, script], folder, "--isolated", "--no-cache", script)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("observed")


def counted(observed: Observed) -> dict[str, int]:
    """What the counters by hand printed."""
    last = observed.out.strip().splitlines()[-1]
    found: dict[str, int] = json.loads(last)
    return found


@pytest.mark.parametrize("name", COUNTED)
def test_traces_are_counted_as_by_hand(name: str, folder: Path) -> None:
    observed = run(name, folder)
    assert observed.code == 0, observed.err
    by_hand = counted(observed)
    ours = {key.replace("main.<locals>.", ""): count for key, count in observed.traces().items()}
    assert {key: ours.get(key, 0) for key in by_hand} == by_hand


@pytest.mark.parametrize("name", ["keys", "objects"])
def test_reasons_are_those_that_were_meant(name: str, folder: Path) -> None:
    observed = run(name, folder)
    expected = _EXPECTED.findall((PROGRAMS / f"{name}.py").read_text(encoding="utf-8"))
    functions = {f["name"].rpartition(".")[2]: f for f in observed.report["functions"]}
    found = {function: " ".join(m["reason"] for m in functions[function]["misses"]) for _, function in expected}
    assert found == {function: reasons.strip() for reasons, function in expected}


def test_a_reason_names_the_argument_what_it_was_and_is_and_the_call(folder: Path) -> None:
    misses = run("keys", folder).function("types")["misses"]
    lines = (PROGRAMS / "keys.py").read_text(encoding="utf-8").splitlines()
    second = misses[1]
    assert (second["argument"], second["before"], second["now"]) == ("x", "f32[3]", "f32[4]")
    assert lines[second["call"]["line"] - 1] == "types(jnp.ones(4))"
    assert second["seconds"] >= second["parts"]["compile"] > 0


def test_a_static_object_is_compared_by_its_fields(folder: Path) -> None:
    last = run("keys", folder).function("by_identity")["misses"][-1]
    assert (last["before"], last["now"]) == ("<Config> with rate=1", "<Config> with rate=2")


def test_each_compilation_belongs_to_the_function_that_was_compiled(folder: Path) -> None:
    observed = run("keys", folder)
    assert all(f["compiles"] == f["lowerings"] == f["traces"] for f in observed.report["functions"])


def test_the_line_is_that_of_the_def(folder: Path) -> None:
    lines = (PROGRAMS / "keys.py").read_text(encoding="utf-8").splitlines()
    for function in run("keys", folder).report["functions"]:
        assert lines[function["line"] - 1].startswith(f"def {function['name']}(")
