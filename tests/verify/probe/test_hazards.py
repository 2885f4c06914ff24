"""Modules that hang, crash or run programs, interpreters without JAX, and places that cannot be written."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import time
import venv
from pathlib import Path

import pytest

from jaxlint.config import ConfigError
from jaxlint.verify.probe.child.guard import refusal
from jaxlint.verify.probe.sandbox import Child, environment
from tests.verify.probe.probing import Outcome, probed, written

pytestmark = pytest.mark.jax

FLAGGED = """
@jax.jit
def f(x):
    if x.sum() > 0:
        return x
    return -x
"""
TRACING = {"select": ("tracing",)}
GOOD = "# jaxlint: spec x=f32[3]" + FLAGGED


def doing(what: str) -> str:
    """A flagged function that does something bad before the flagged line, and a good one after it."""
    return f"""
import os, signal, time

WHAT = {what!r}


# jaxlint: spec x=f32[2]
@jax.jit
def bad(x):
    exec(WHAT)
    if x.sum() > 0:
        return x
    return -x


{GOOD}
"""


def evidence(outcome: Outcome) -> list[str]:
    return [finding["evidence"] for finding in outcome.report["findings"]]


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("os._exit(3)", "exit code 3"),
        ("os._exit(0)", "exit code 0 before it was done"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by SIGKILL, perhaps for want of memory"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV"),
        ("os.closerange(3, 200); os._exit(0)", "before it was done"),
        ("os.closerange(3, 200)", "exit code"),
        ("os.killpg(0, signal.SIGKILL)", "killed by SIGKILL"),
    ],
)
def test_one_target_that_ends_the_process_costs_only_itself(tmp_path: Path, what: str, says: str) -> None:
    outcome = probed(written(tmp_path, doing(what)), settings=TRACING)
    assert outcome.verdicts == [("traced-branch", "inconclusive"), ("traced-branch", "confirmed")]
    assert says in evidence(outcome)[0]
    assert outcome.code == 4
    assert not outcome.report["complete"]
    assert says in outcome.report["ended"]


@pytest.mark.parametrize("what", ["raise SystemExit(0)", "raise KeyboardInterrupt", "raise MemoryError"])
def test_an_exception_of_any_kind_is_an_answer(tmp_path: Path, what: str) -> None:
    outcome = probed(written(tmp_path, doing(what)), settings=TRACING)
    assert outcome.verdicts == [("traced-branch", "inconclusive"), ("traced-branch", "confirmed")]
    assert "ended before this line" in evidence(outcome)[0]
    assert outcome.code == 0


def test_a_target_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    marker = tmp_path / "pid"
    head = "import subprocess\nSLEEPER = subprocess.Popen(['sleep', '600'])\n"
    head += f"SAID = open({str(marker)!r}, 'a').write(f'{{SLEEPER.pid}} ')\n"
    path = written(tmp_path, head + doing("time.sleep(600)"))
    outcome = probed(path, timeout=10, settings=TRACING)
    assert outcome.verdicts == [("traced-branch", "inconclusive"), ("traced-branch", "confirmed")]
    assert "no answer for 10 s" in evidence(outcome)[0]
    for _ in range(50):
        if not Path(f"/proc/{marker.read_text().split()[0]}/cmdline").exists():
            break
        time.sleep(0.1)
    else:
        raise AssertionError("a process that the target started is still there")


def test_memory_is_limited(tmp_path: Path) -> None:
    code = "data = [bytearray(1 << 24) for _ in range(1 << 10)]\n" + FLAGGED
    path = written(tmp_path, code)
    job = {
        "kind": "probe", "path": str(path), "module": "model", "sys_path": [str(tmp_path)], "roots": [str(tmp_path)],
        "files": [str(path)], "points": {}, "platform": None, "lower_for": [], "compile": False, "execute": False,
        "drops": False, "targets": [],
    }  # fmt: skip
    with Child(sys.executable, None, 60, memory=3 << 30) as child:
        (failed,) = [record for record in child.records(job) if record["event"] == "import-failed"]
    assert failed["error"]["class"] == "MemoryError"


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("def train():\n    pass\n\n\ntrain()", "calls `train`"),
        ("for step in range(3):\n    jnp.ones(3).block_until_ready()", "a loop at line 6 calls"),
        ("import argparse\nargs = argparse.ArgumentParser().parse_args()", "parse_args"),
        (
            "def fit():\n    for _ in range(9):\n        print(jnp.ones(2))\n\n\nparams = fit()",
            "calls `fit`, which loops",
        ),
    ],
)
def test_a_program_is_not_imported(tmp_path: Path, code: str, says: str) -> None:
    marker = tmp_path / "imported"
    outcome = probed(written(tmp_path, f"{code}\nopen({str(marker)!r}, 'w')\n{GOOD}"))
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert says in outcome.evidence
    assert "__main__" in outcome.evidence
    assert not marker.exists()


def test_a_program_is_not_imported_by_a_neighbour_either(tmp_path: Path) -> None:
    marker = tmp_path / "imported"
    (tmp_path / "program.py").write_text(f"def main():\n    open({str(marker)!r}, 'w')\n\n\nmain()\n")
    outcome = probed(written(tmp_path, f"import program\n\n{GOOD}"))
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert "program.py: line 5 calls `main`" in outcome.evidence
    assert not marker.exists()


def test_a_module_that_fails_to_import_is_told(tmp_path: Path) -> None:
    outcome = probed(written(tmp_path, f"import there_is_no_such_module\n\n{GOOD}"))
    assert outcome.verdicts == [("traced-branch", "inconclusive")]
    assert "No module named 'there_is_no_such_module'" in outcome.evidence
    assert outcome.code == 0


def test_a_file_that_is_no_python_is_told_when_it_was_named(tmp_path: Path) -> None:
    path = written(tmp_path, "def f(:\n    pass")
    with pytest.raises(ConfigError, match="the chosen Python cannot read this file"):
        probed(path, "f")


def test_a_module_named_as_one_of_the_library_is_itself(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, "random.py")
    assert probed(path).verdicts == [("traced-branch", "confirmed")]


def test_an_interpreter_that_is_not_there_or_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    with pytest.raises(ConfigError, match=r"cannot run .*nowhere: no such file"):
        probed(path, python=str(tmp_path / "nowhere"))
    with pytest.raises(ConfigError, match="is no Python that can be used"):
        probed(path, python="/bin/true")


def test_an_interpreter_without_jax_is_told(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    path = written(tmp_path, GOOD)
    with pytest.raises(ConfigError, match=r"JAX cannot be imported by .*No module named 'jax'.*--python"):
        probed(path, python=str(tmp_path / "bare" / "bin" / "python"))


def test_a_platform_that_is_absent_ends_the_run_before_anything_runs(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    marker = tmp_path / "imported"
    path = written(tmp_path, f"open({str(marker)!r}, 'w')\n{GOOD}".replace("open(", "handle = open("))
    outcome = probed(path, platform="tpu", timeout=100)
    assert outcome.code == 3
    assert outcome.report == {}
    assert not marker.exists()
    assert "platform `tpu` is absent: JAX has no support for it here: none of libtpu" in capfd.readouterr().err
    with pytest.raises(ConfigError, match="--platform: `gpu` is none of cpu, cuda, rocm, tpu"):
        probed(path, platform="gpu")


def test_a_read_only_project_is_probed_and_nothing_is_written(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD, "project/model.py")
    before = sorted(os.listdir(path.parent))
    path.parent.chmod(0o555)
    command = [sys.executable, "-m", "jaxlint", "verify", "--isolated", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, cwd=path.parent)
    finally:
        path.parent.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert "confirmed" in done.stdout
    assert sorted(os.listdir(path.parent)) == before


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ("open('steps.log', 'w').close()", "it opens `steps.log` for writing"),
        ("import pathlib; pathlib.Path(__file__).unlink()", "it removes a file"),
        ("import subprocess; subprocess.run(['sleep', '600'])", "it starts a process ('sleep')"),
        ("import socket; socket.create_connection(('192.0.2.1', 9))", "it opens a socket"),
    ],
)
def test_what_reaches_out_of_the_process_is_stopped_and_told(tmp_path: Path, what: str, says: str) -> None:
    outcome = probed(written(tmp_path, doing(what)), settings=TRACING)
    assert outcome.verdicts == [("traced-branch", "inconclusive"), ("traced-branch", "confirmed")]
    assert f"stopped at line 14: {says}" in evidence(outcome)[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.py", "report.json"]
    assert outcome.code == 0


def test_a_module_that_changed_since_the_check_is_not_probed(tmp_path: Path) -> None:
    other = written(tmp_path, GOOD, "other.py")
    time.sleep(0.05)
    change = f"from pathlib import Path\n\nsize = Path({str(other)!r}).write_text('# new')\n\n\n"
    written(tmp_path, change + GOOD, "first.py")
    outcome = probed(tmp_path)
    assert outcome.verdicts == [("traced-branch", "confirmed"), ("traced-branch", "inconclusive")]
    assert "it has changed since the check" in outcome.evidence


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD + '\n\nprint("noise " * 100000)\n')
    command = f"{sys.executable} -m jaxlint verify --isolated {path} | head -c 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_the_program_sees_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "secret")
    monkeypatch.setenv("JAX_ENABLE_X64", "1")
    monkeypatch.setenv("JAX_COMPILATION_CACHE_DIR", "/somewhere")
    seen = environment("cpu")
    assert "MY_TOKEN" not in seen
    assert "JAX_COMPILATION_CACHE_DIR" not in seen
    assert (seen["JAX_ENABLE_X64"], seen["JAX_PLATFORMS"]) == ("1", "cpu")


def test_what_the_module_prints_is_not_in_the_report(tmp_path: Path) -> None:
    outcome = probed(written(tmp_path, 'print("loading")\n' + GOOD))
    assert outcome.verdicts == [("traced-branch", "confirmed")]


def test_lowering_and_compiling_are_reported(tmp_path: Path) -> None:
    code = """
    # jaxlint: spec a=f32[64,64] b=f32[64,64]
    @jax.jit
    def product(a, b):
        return a @ b
    """
    outcome = probed(written(tmp_path, code), "product", platform="cpu", lower_for=("cuda", "tpu"))
    (function,) = outcome.report["functions"]
    assert function["lowered_for"] == {"cuda": None, "tpu": None}
    assert function["compile_seconds"] > 0
    assert function["cost"]["flops"] == 2 * 64**3
    assert function["cost"]["memory"]["argument_bytes"] == 2 * 64 * 64 * 4
    assert outcome.report["target"]["platform"] == "cpu"
    assert outcome.report["target"]["device_kind"]


@pytest.mark.parametrize(
    "line",
    [
        'sys.path.append(os.path.join(os.path.dirname(__file__), ".."))',
        "sys.path.insert(0, str(Path(__file__).resolve().parent))",
    ],
)
def test_finding_out_where_a_file_is_runs_no_program(line: str) -> None:
    assert refusal(ast.parse(line)) is None
    assert refusal(ast.parse("main(os.path.join(folder))")) is not None
