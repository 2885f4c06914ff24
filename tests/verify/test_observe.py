"""What is counted is what ran, and the reasons are those that the programs were written to have."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.verify.judged import finding_in
from tests.verify.observing import PROGRAMS, PYTHON, Observed, observe, observe_with
from tests.verify.truth import (
    COUNTED,
    JITTED,
    LOGGED,
    REASONED,
    SUMMED,
    counted,
    expected_at_lines,
    logged,
    marks,
    reasons,
    script_of,
    summed,
    told_at_lines,
)  # fmt: skip


@cache
def run(name: str, folder: Path) -> Observed:
    """Once for all tests: with the findings that are marked in the program, else with those of a check."""
    path, marked = script_of(name), marks(name)
    if marked:
        return observe_with([finding_in(path, mark.rule, mark.line, mark.text, mark.first) for mark in marked], path)
    script = str(path)
    return observe([PYTHON, script], folder, "--isolated", "--no-cache", script)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("observed")


@pytest.mark.parametrize("name", COUNTED)
def test_traces_are_counted_as_by_hand(name: str, folder: Path) -> None:
    observed = run(name, folder)
    assert observed.code == 0, observed.err
    by_hand, _ = counted(observed)
    ours = {key.replace("main.<locals>.", ""): count for key, count in observed.traces().items()}
    assert {key: ours.get(key, 0) for key in by_hand} == by_hand


@pytest.mark.parametrize("name", LOGGED)
def test_compilations_are_counted_as_jax_logs_them(name: str, folder: Path) -> None:
    by_log, ours = logged(run(name, folder))
    assert by_log
    assert ours == by_log


@pytest.mark.parametrize("name", SUMMED)
def test_all_compilations_are_counted(name: str, folder: Path) -> None:
    by_log, ours = summed(run(name, folder))
    assert ours == by_log > 0


@pytest.mark.parametrize("name", JITTED)
def test_what_is_compiled_at_a_line_is_named_and_counted(name: str, folder: Path) -> None:
    expected = expected_at_lines(name)
    assert expected
    assert told_at_lines(name, run(name, folder)) == expected


@pytest.mark.parametrize("name", REASONED)
def test_reasons_are_those_that_were_meant(name: str, folder: Path) -> None:
    found = reasons(name, run(name, folder))
    assert [(function, told) for function, _, told in found] == [(function, wanted) for function, wanted, _ in found]


def test_nearly_all_reasons_are_right_over_all_programs(folder: Path) -> None:
    found = [entry for name in REASONED for entry in reasons(name, run(name, folder))]
    right = sum(wanted == told for _, wanted, told in found)
    traces = sum(sum(counted(run(name, folder))[0].values()) for name in REASONED)
    print(f"{right} of {len(found)} reasons right in {len(REASONED)} programs with {traces} traces by hand")
    assert len(REASONED) >= 10
    assert right >= 0.95 * len(found)


@pytest.mark.parametrize("name", COUNTED)
def test_what_is_marked_as_true_is_confirmed_and_nothing_else(name: str, folder: Path) -> None:
    found = run(name, folder).judged
    confirmed = {(f["rule"], f["line"]) for f in found if f["verdict"] == "confirmed"}
    assert confirmed == {(mark.rule, mark.line) for mark in marks(name) if mark.is_true}, found


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
