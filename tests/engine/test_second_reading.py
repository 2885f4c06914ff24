"""Python's own parser decides what is found, libcst what is shown; which of them reads a file changes no report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jaxlint.config import load_configuration
from jaxlint.engine.load import Loaded, LoadTask, load
from jaxlint.engine.part_cache import PartCache
from jaxlint.engine.result import Result
from jaxlint.engine.session import Request, open_session
from jaxlint.engine.workers import Crash
from jaxlint.files.discovery import FoundFile
from jaxlint.syntax import source as front_end
from jaxlint.syntax.positions import PositionTable
from tests.cli.command_line import ROOT, project
from tests.syntax.notebook_files import of_code

REUSE = "import jax\n\nkey = jax.random.key(0)\na = jax.random.normal(key)\nb = jax.random.normal(key)\n"
CLEAN = "import jax\n\nx = jax.numpy.ones(3)\n"
#: A finding in code that Python takes and libcst does not.
FOR_AST_ALONE = REUSE + "(y): int = 3\n"


def check(*arguments: str, front_end: str, jobs: int = 1, cwd: Path = ROOT, **env: str) -> str:
    options = ["--no-cache", "--isolated", "--select", "ALL", "--min-confidence", "possible", "--include-markdown"]
    options += ["--config", f'front-end="{front_end}"', f"-j{jobs}", "--output-format", "json"]
    command = [sys.executable, "-m", "jaxlint", "check", *options, *arguments]
    full = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **env}
    done = subprocess.run(command, cwd=cwd, env=full, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


class Here:
    """Loads files in this process; `answer` may say otherwise of a task."""

    def __init__(self, answer: Callable[[LoadTask], Loaded | Crash | None] = lambda _: None) -> None:
        self.answer = answer
        self.tasks: list[LoadTask] = []

    def run(self, tasks: Iterable[LoadTask]) -> Iterator[tuple[LoadTask, Loaded | Crash]]:
        for task in tasks:
            self.tasks.append(task)
            yield task, self.answer(task) or load(task)


def result_of(
    folder: Path, files: dict[str, str], runner: Here, *, cache: Path | None = None, **settings: object
) -> Result:
    project(folder, dict(files))
    configuration = load_configuration(
        command_line=settings, environment={}, isolated=True, working_directory=str(folder)
    )
    found = [FoundFile(str(folder / name), str(folder), None) for name in files]
    kept = PartCache(str(cache), configuration, ()) if cache else None
    session = open_session(Request(found, configuration, kept=kept), runner)
    result = session.check()
    session.keep()
    return result


def read_by_libcst(runner: Here) -> list[str]:
    return sorted(task.path.rpartition("/")[2] for task in runner.tasks if not task.triage)


def rules_of(result: Result) -> list[str]:
    return [diagnostic.rule for diagnostic in result.diagnostics]


@pytest.fixture(scope="module")
def reference() -> str:
    return check("benchmarks/cases", "rules", front_end="libcst", jobs=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_all_examples_give_the_same_bytes(reference: str, jobs: int) -> None:
    assert len(json.loads(reference)["diagnostics"]) > 200
    assert check("benchmarks/cases", "rules", front_end="ast", jobs=jobs) == reference


def test_odd_files_give_the_same_bytes_and_no_warning(tmp_path: Path) -> None:
    code = REUSE.replace("import jax\n", "import jax\n\ns = '\\d'\n")
    project(tmp_path, {
        "plain.py": code,
        "crlf.py": code.replace("\n", "\r\n"),
        "cr.py": code.replace("\n", "\r"),
        "bom.py": b"\xef\xbb\xbf" + code.encode(),
        "latin.py": ("# coding: latin-1\nä = 'é'; " + code).encode("latin-1"),
        "wide.py": f"é = '😀'; {code}",
        "normalised.py": code.replace("key", "ﬁeld") + "field = 1\n",
        "error.py": code + "x = (\n",
        "two.py": code + "print 'a'\n",
        "null.py": code + "\0",
        "surrogate.py": code.encode() + b"s = '\xed\xa0\x80'\n",
        "undecodable.py": code.encode() + b"\xff",
        "huge.py": code + f"n = {'9' * 5000}\n",
        "deep.py": code + "x = " + "(" * 99 + "1" + ")" * 99 + "\n",
        "deeper.py": code + "x = " + "[" * 300 + "]" * 300 + "\n",
        "chain.py": code + "x = " + "1 + " * 600 + "1\n",
        "cells.ipynb": of_code("%matplotlib inline\n" + code, "%time c = jax.random.normal(key); c", "!ls\nawait c"),
        "broken.ipynb": of_code("import jax\nx = (", "y"),
        "page.md": f"# Ä\n\n```python\n{code}```\n\n```python\nno python\n```\n",
        "directive.py": code.replace("(key)\n", "(key)  # jaxlint: ignore[key-reuse]\n"),
        "idle.py": CLEAN + "y = 1  # jaxlint: ignore[key-reuse]\n",
        "wrong.py": CLEAN + "y = 1  # jaxlint: ingore\n",
    })  # fmt: skip
    wanted = check(".", front_end="libcst", cwd=tmp_path)
    assert {"key-reuse", "syntax-error", "analysis-limited", "unreadable-file", "unused-suppression"} <= {
        found["rule"] for found in json.loads(wanted)["diagnostics"]
    }
    assert check(".", front_end="ast", cwd=tmp_path, PYTHONWARNINGS="error") == wanted
    assert check(".", front_end="ast", jobs=2, cwd=tmp_path) == wanted


def test_libcst_reads_what_is_shown_of_a_project_and_no_more(tmp_path: Path) -> None:
    files = {
        "clean.py": CLEAN,
        "found.py": REUSE,
        "evidence.py": "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n",
        "caller.py": "import jax\nfrom evidence import draw\n\nkey = jax.random.key(0)\na = draw(key)\nb = draw(key)\n",
        "directive.py": CLEAN + "y = 1  # jaxlint: ignore\n",
        "noqa.py": CLEAN + "y = 1  # noqa: E501\n",
        "ignored.py": "import jax\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n",
    }
    runner = Here()
    result = result_of(tmp_path, files, runner, ignore=["print-in-traced-code"])
    assert read_by_libcst(runner) == ["caller.py", "directive.py", "evidence.py", "found.py"]
    assert result.statistics.readings == {"ast": 3, "libcst": 4}


def test_the_setting_leaves_all_to_libcst(tmp_path: Path) -> None:
    runner = Here()
    result = result_of(tmp_path, {"a.py": CLEAN}, runner, **{"front-end": "libcst"})
    assert [task.triage for task in runner.tasks] == [False]
    assert result.statistics.readings == {"libcst": 1}


def test_what_libcst_refuses_is_found_by_ast_and_not_fixed(tmp_path: Path) -> None:
    result = result_of(tmp_path, {"a.py": FOR_AST_ALONE}, Here())
    expected = result_of(tmp_path, {"a.py": REUSE}, Here())
    assert [replace(d, fix=None) for d in expected.diagnostics] == list(result.diagnostics)
    assert expected.diagnostics[0].fix is not None
    assert result.statistics.readings == {"ast": 1, "ast, refused by libcst": 1}
    assert rules_of(result_of(tmp_path, {"a.py": FOR_AST_ALONE}, Here(), **{"front-end": "libcst"})) == ["syntax-error"]


def test_a_second_reading_that_dies_costs_the_fix_alone(tmp_path: Path) -> None:
    def dies(task: LoadTask) -> Crash | None:
        return None if task.triage else Crash("its process was ended", is_timeout=False)

    result = result_of(tmp_path, {"a.py": REUSE}, Here(dies))
    assert rules_of(result) == ["key-reuse"]
    assert result.diagnostics[0].fix is None


def test_where_the_parsers_differ_libcst_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    triaged = front_end._triaged

    def misread(path: str, document: front_end.Document, name: str, is_package: bool) -> front_end.SourceFile | None:
        wrong = replace(document, text=document.text.replace("one", "two"))
        return triaged(path, wrong, name, is_package)

    monkeypatch.setattr(front_end, "_triaged", misread)
    code = "import jax\nfrom lib import draw\n\none = jax.random.key(0)\ntwo = jax.random.key(1)\n"
    code += "a = draw(one)\nb = draw(two)\n"
    lib = "import jax\n\ndef draw(key):\n    return jax.random.normal(key)\n"
    result = result_of(tmp_path, {"a.py": code, "lib.py": lib}, Here())
    assert rules_of(result) == []
    assert result.statistics.readings == {"libcst": 2, "libcst, otherwise than by ast": 1}


def test_a_file_that_changes_between_the_readings_counts_as_it_is_then(tmp_path: Path) -> None:
    def changed(task: LoadTask) -> Loaded | None:
        return None if task.triage else load(task._replace(data=CLEAN.encode()))

    assert rules_of(result_of(tmp_path, {"a.py": REUSE}, Here(changed))) == []


def test_libcst_reads_a_content_once_where_a_cache_keeps_what_it_says(tmp_path: Path) -> None:
    folder, cache = tmp_path, tmp_path / ".jaxlint_cache"
    files = {"found.py": REUSE, "leaf.py": CLEAN + "import found\n"}
    for change, again in (
        ({}, ["found.py"]),
        ({"leaf.py": files["leaf.py"] + "y = 1\n"}, []),
        ({"leaf.py": files["leaf.py"] + "y = found.a  # jaxlint: ignore\n"}, ["leaf.py"]),
        ({"found.py": "'''Reuse.'''\n" + REUSE}, ["found.py"]),
    ):
        files |= change
        runner = Here()
        result = result_of(folder, files, runner, cache=cache)
        assert read_by_libcst(runner) == again
        fresh = result_of(folder, files, Here())
        assert result == fresh
        assert next(found for found in result.diagnostics if found.rule == "key-reuse").fix is not None


def test_what_libcst_reads_otherwise_is_read_again(tmp_path: Path) -> None:
    folder, cache = tmp_path, tmp_path / ".jaxlint_cache"
    files = {"found.py": REUSE, "leaf.py": CLEAN + "import found\n"}

    def moved(task: LoadTask) -> Loaded | None:
        found = None if task.triage else load(task)
        if found is None or found.source is None or found.source.positions is None:
            return None
        starts, ends = list(found.source.positions.starts), list(found.source.positions.ends)
        starts[1], ends[1] = starts[1] + 1, ends[1] + 1
        positions = PositionTable(array("I", starts), array("I", ends))
        return found._replace(source=replace(found.source, positions=positions))

    result_of(folder, files, Here(moved), cache=cache)
    runner = Here()
    result_of(folder, files | {"leaf.py": files["leaf.py"] + "y = 1\n"}, runner, cache=cache)
    assert read_by_libcst(runner) == ["found.py"]


def test_a_clean_project_needs_no_libcst(tmp_path: Path) -> None:
    program = (
        "import sys; from tests.engine.test_second_reading import *;"
        "result_of(Path(sys.argv[1]), {'a.py': CLEAN}, Here());"
        "print([name for name in sys.modules if 'libcst' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "[]\n"
