"""What is counted is what ran, and the reasons are those that the programs were written to have."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.verify.judged import finding_in, judge
from tests.verify.observing import PROGRAMS, PYTHON, Observed, observe
from tests.verify.truth import COUNTED, LOGGED, REASONED, counted, logged, marks, reasons, script_of


@cache
def run(name: str, folder: Path) -> Observed:
    script = str(PROGRAMS / f"{name}.py")
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
def test_nothing_is_confirmed_that_is_not_marked_as_true(name: str, folder: Path) -> None:
    true = {(mark.rule, mark.line) for mark in marks(name) if mark.is_true}
    found = run(name, folder).report["findings"]
    assert {(f["rule"], f["line"]) for f in found if f["verdict"] == "confirmed"} <= true


@pytest.mark.parametrize("name", [name for name in COUNTED if marks(name)])
def test_marked_findings_are_confirmed_and_look_alikes_are_not(name: str) -> None:
    marked, script = marks(name), script_of(name)
    verdicts = judge(script, [finding_in(script, mark.rule, mark.line, mark.text) for mark in marked])
    confirmed = [verdict.value == "confirmed" for verdict, _ in verdicts]
    assert confirmed == [mark.is_true for mark in marked], list(zip(marked, verdicts, strict=True))


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
