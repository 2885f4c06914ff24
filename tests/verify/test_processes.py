"""Whatever becomes of the program's processes: nothing recorded is lost, and output and exit code are their own."""

from __future__ import annotations

import ast
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.observing import PYTHON, ROOT, observe, observe_code, verify

INJECTED = ROOT / "jaxlint/verify/observe/injected"
TRACE = "import jax, os, sys\njax.jit(lambda x: x + 1)(1.0)\n"


def plain(code: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    (cwd / "program.py").write_text(code, encoding="utf-8")
    command = [PYTHON, "program.py"]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize(
    ("ending", "code", "complete"),
    [
        ("", 0, True),
        ("sys.exit(3)", 3, True),
        ("os._exit(4)", 4, True),
        ("raise ValueError('no')", 1, True),
        ("os.kill(os.getpid(), 9)", 128 + signal.SIGKILL, False),
        ("os.abort()", 128 + signal.SIGABRT, False),
        ("import ctypes; ctypes.string_at(0)", 128 + signal.SIGSEGV, False),
    ],
)
def test_ends(tmp_path: Path, ending: str, code: int, complete: bool) -> None:
    observed = observe_code(TRACE + ending, tmp_path)
    assert observed.code == code
    assert observed.report["complete"] is complete
    assert observed.traces() == {"<lambda>": 1}


def test_a_kill_inside_a_trace_leaves_what_was_begun(tmp_path: Path) -> None:
    code = "import jax, os\n@jax.jit\ndef f(x):\n    os.kill(os.getpid(), 9)\nf(1.0)\n"
    observed = observe_code(code, tmp_path)
    assert observed.code == 137
    assert observed.traces() == {"f": 1}
    assert any("inside the trace of f" in problem for problem in observed.report["problems"])


@pytest.mark.parametrize(
    ("watched", "test"),
    [
        (False, "if x > 0:"),
        (True, "if x > 0:"),
        (True, "if x is not None and not x > 0 and True:"),
        (True, "while (x\n           > 0):"),
    ],
)
def test_an_uncaught_error_looks_as_it_does_without_the_observer(tmp_path: Path, watched: bool, test: str) -> None:
    version = subprocess.run([PYTHON, "-c", "import sys; print(sys.version_info[1])"], capture_output=True, check=True)
    if int(version.stdout) < 11:
        pytest.skip("Python 3.10 raises again with the traceback it noted: one frame more is shown (docs/verify.md)")
    code = """
import jax, jax.numpy as jnp
from jax import lax

@jax.jit
def inner(x):
    TEST
        return x
    return -x

def outer(c, x):
    return inner(c) + x, None

lax.scan(outer, 1.0, jnp.ones(3))
""".replace("TEST", test)
    without = plain(code, tmp_path)
    (tmp_path / "empty.py").touch()  # what is not checked gets no points
    observed = observe_code(code, tmp_path, "--isolated", "program.py" if watched else "empty.py")
    assert [finding["verdict"] for finding in observed.judged] == ["confirmed"] * watched
    assert observed.code == without.returncode == 1
    theirs = observed.err.partition("Traceback")[2].partition("\n\njaxlint verify")[0]
    assert theirs.strip() == without.stderr.partition("Traceback")[2].strip()
    assert "TracerBoolConversionError" in theirs


def test_forked_and_spawned_children_are_observed(tmp_path: Path) -> None:
    code = """
import multiprocessing, os, subprocess, sys
import jax

def work(n):
    return float(jax.jit(lambda x: x * n)(1.0))

if __name__ == "__main__":
    if sys.argv[1:]:
        print(work(5))
    else:
        context = multiprocessing.get_context("spawn")
        with context.Pool(1) as pool:
            print(pool.map(work, [2]))
        child = context.Process(target=work, args=(3,))
        child.start()
        child.join()
        pid = os.fork()
        if pid == 0:
            jax.eval_shape(jax.jit(lambda x: x), 1.0)
            os._exit(0)
        os.waitpid(pid, 0)
        subprocess.run([sys.executable, __file__, "child"], check=True)
"""
    observed = observe_code(code, tmp_path)
    assert observed.code == 0, observed.err
    assert observed.traces()["work.<locals>.<lambda>"] == 3
    assert sum(observed.traces().values()) == 4
    assert observed.report["complete"] is True, observed.report["problems"]


def test_a_killed_child_is_told(tmp_path: Path) -> None:
    code = """
import os
import jax
if os.fork() == 0:
    jax.jit(lambda x: x)(1.0) if False else jax.eval_shape(jax.jit(lambda x: x), 1.0)
    os.kill(os.getpid(), 9)
os.wait()
"""
    observed = observe_code(code, tmp_path)
    assert observed.code == 4
    assert observed.report["complete"] is False
    assert sum(observed.traces().values()) == 1


def test_exec_keeps_what_was_recorded(tmp_path: Path) -> None:
    code = TRACE + "if len(sys.argv) < 2: os.execv(sys.executable, [sys.executable, __file__, 'again'])"
    observed = observe_code(code, tmp_path)
    assert observed.traces() == {"<lambda>": 2}
    assert observed.report["complete"] is True


def test_all_descriptors_may_be_closed(tmp_path: Path) -> None:
    code = "import jax, os\nos.closerange(3, 100)\njax.eval_shape(jax.jit(lambda x: x), 1.0)\n"
    observed = observe_code(code, tmp_path)
    assert observed.traces() == {"<lambda>": 1}
    assert observed.report["complete"] is True


def test_the_program_reads_standard_input_and_arguments(tmp_path: Path) -> None:
    script = tmp_path / "echo.py"
    script.write_text("import sys\nprint(sys.argv[1:], sys.stdin.read())\nsys.stderr.write('err')\n", encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "jaxlint",
        "verify",
        "--output-format",
        "json",
        "--",
        PYTHON,
        str(script),
        "--",
        "-x",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, input="hello", capture_output=True, text=True, check=False, timeout=60, env=environment
    )
    out = done.stdout.splitlines()
    assert out[0] == "['--', '-x'] hello"
    assert out[1].startswith('{"schema_version": 1')
    assert "err" in done.stderr
    assert done.returncode == 0


def test_a_program_that_hangs_is_stopped(tmp_path: Path) -> None:
    code = TRACE + "import subprocess, time\nprint(subprocess.Popen(['sleep', '300']).pid, flush=True)\ntime.sleep(300)"
    observed = observe_code(code, tmp_path, "--timeout", "8")
    assert observed.code == 128 + signal.SIGTERM
    assert observed.report["ended"] == "stopped after 8 s"
    assert observed.report["complete"] is False
    assert observed.traces() == {"<lambda>": 1}
    child = Path(f"/proc/{int(observed.out.split()[0])}/stat")
    assert not child.exists() or child.read_text().rpartition(")")[2].split()[0] == "Z"


def test_shadowed_sitecustomize_still_runs_and_ours_is_not_seen(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("import builtins\nbuiltins.customized = __file__\n", encoding="utf-8")
    code = "import sys, builtins\nprint(customized)\nprint([p for p in sys.path if 'injected' in p])\n"
    observed = observe_code(code, tmp_path, env={"PYTHONPATH": f"{Path(__file__).parents[2]}:{site}"})
    assert observed.out.splitlines() == [str(site / "sitecustomize.py"), "[]"]
    asked = "import sys\nprint('sitecustomize' in sys.modules)\n"
    alone = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)  # some have one
    assert observe_code(asked, tmp_path).out == alone.stdout


def test_a_program_without_jax_is_no_failure(tmp_path: Path) -> None:
    observed = observe_code("print('no jax')", tmp_path)
    assert (observed.code, observed.out) == (0, "no jax\n")
    assert observed.report["target"]["jax"] is None
    assert observed.report["functions"] == []


def test_a_command_that_runs_no_python_is_told(tmp_path: Path) -> None:
    observed = observe(["true"], tmp_path)
    assert observed.code == 4
    assert "no Python process was observed" in observed.report["problems"][0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--", "no-such-program-here"], "no-such-program-here: cannot be run: no such file or directory"),
        (["--"], "a command is needed after `--`"),
        (["--python", "py", "--", "true"], "--python belongs to --probe"),
        (["--max-recompiles", "1", "x.py"], "--max-recompiles needs a command"),
        (["-o", "none/report.json", "--", "touch", "ran"], "none/report.json: cannot be written: no such file"),
        (["--verdicts", ".", "--", "touch", "ran"], "cannot be written: is a directory"),
        (["none.py", "--", "touch", "ran"], "none.py: no such file or folder"),
        (["--timeout", "0", "--", "touch", "ran"], "'--timeout': 0.0 is not in the range"),
    ],
)
def test_wrong_use(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = verify(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "ran").exists()


def test_the_reader_of_the_output_may_go_away(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import os\nos.write(1, b'y')\n", encoding="utf-8")
    command = [sys.executable, "-m", "jaxlint", "verify", "--output-format", "json", "--", PYTHON, "program.py"]
    reading, writing = os.pipe()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert os.read(reading, 1) == b"y"
    os.close(reading)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "Traceback" not in errors


def test_python_that_is_too_old_is_not_disturbed(tmp_path: Path) -> None:
    """What stands in for an old interpreter: `sitecustomize` itself must be readable by it, and do nothing."""
    tree = ast.parse((INJECTED / "sitecustomize.py").read_text(encoding="utf-8"), feature_version=(3, 4))
    assert not any(isinstance(node, (ast.JoinedStr, ast.AnnAssign)) for node in ast.walk(tree))
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree)), (
        "from __future__ is read by new ones only"
    )


def test_two_observers_at_once(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(TRACE, encoding="utf-8")
    inner = [sys.executable, "-m", "jaxlint", "verify", "--output-format", "json", "--", PYTHON, "program.py"]
    done = verify("--output-format", "json", "--", *inner, cwd=tmp_path)
    first, second = done.stdout.splitlines()
    assert '"name": "<lambda>"' in first
    assert '"name": "<lambda>"' not in second


def test_the_persistent_cache_has_the_same_keys_and_its_hits_are_no_compilations(tmp_path: Path) -> None:
    code = """
import os, jax, jax.numpy as jnp
from functools import partial
jax.config.update("jax_compilation_cache_dir", os.path.join(os.getcwd(), "cache"))
jax.config.update("jax_persistent_cache_min_compile_time_secs", 0)
jax.config.update("jax_persistent_cache_min_entry_size_bytes", -1)

class Model:
    def step(self, x):
        return jnp.sin(x) * 2

@jax.jit
def f(x):
    return x * 3

def power(n, x):
    return x**n

f(1.0)
jax.jit(Model().step)(2.0)
jax.jit(partial(power, 3))(2.0)
jax.jit(lambda x: x - 5)(2.0)
"""
    done = plain(code, tmp_path)
    assert done.returncode == 0, done.stderr
    entries = {path.name for path in (tmp_path / "cache").iterdir() if not path.name.endswith("-atime")}
    observed = observe_code(code, tmp_path)
    assert {path.name for path in (tmp_path / "cache").iterdir() if not path.name.endswith("-atime")} == entries
    counts = {f["name"]: (f["traces"], f["compiles"], f["cache_hits"]) for f in observed.report["functions"]}
    assert counts == dict.fromkeys(("f", "Model.step", "power", "<lambda>"), (1, 0, 1))


def test_another_device_is_a_compilation_without_a_trace(tmp_path: Path) -> None:
    code = """
import jax
f = jax.jit(lambda x: x + 1)
for device in jax.devices():
    f(jax.device_put(1.0, device))
"""
    observed = observe_code(code, tmp_path, env={"XLA_FLAGS": "--xla_force_host_platform_device_count=2"})
    function = observed.function("<lambda>")
    assert (function["traces"], function["compiles"]) == (1, 2)
    assert [miss["reason"] for miss in function["misses"]] == ["first", "no-retrace"]
    assert function["misses"][1]["before"] != function["misses"][1]["now"]


def test_what_goes_wrong_in_the_observer_is_told_and_not_felt(tmp_path: Path) -> None:
    code = """
import jax
from _jaxlint_observer import signatures
def broken(*args): raise RuntimeError("broken on purpose")
signatures.context = broken
print(jax.jit(lambda x: x + 1)(1.0))
"""
    observed = observe_code(code, tmp_path)
    assert observed.out == "2.0\n"
    assert observed.report["complete"] is False
    assert "broken on purpose" in observed.report["problems"][0]


def test_a_program_that_runs_the_handlers_of_atexit_itself_still_ends_with_a_record(tmp_path: Path) -> None:
    code = "import atexit, jax\natexit._run_exitfuncs()\natexit._clear()\njax.jit(lambda x: x + 1)(1.0)\n"
    observed = observe_code(code, tmp_path, "--isolated")
    assert (observed.report["complete"], observed.report["problems"]) == (True, [])
    assert observed.report["compilations"]["announced"] == observed.report["compilations"]["counted"] >= 1


def test_the_report_says_that_its_count_is_that_of_jax(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import jax\njax.jit(lambda x: x + 1)(1.0)\n", encoding="utf-8")
    done = verify("--isolated", "--", PYTHON, "program.py", cwd=tmp_path)
    assert re.search(r"JAX announced \d+ compilations?: all of them are counted", done.stderr), done.stderr
