"""Notebooks and Markdown on the command line: what is found where, what is changed, and what is said of the rest."""

from __future__ import annotations

import json
import os
import re
import subprocess
import textwrap
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.cli.command_line import Finished, project
from tests.cli.command_line import real_jaxlint_here as here
from tests.rulebook_blocks import rulebook_blocks
from tests.syntax.notebook_files import code_cell, notebook, of_code

IMPORTS = "import jax\nimport jax.numpy as jnp\nx = jnp.zeros(3)"
STORE = "y = 'é'\nx[0] = 1.0"
REUSE = "key = jax.random.key(0)\na = jax.random.normal(key)"
AGAIN = "b = jax.random.normal(key)"


def check(folder: Path, *arguments: str, **options: Any) -> Finished:
    return here("check", "--isolated", *arguments, cwd=folder, **options)


def concise(folder: Path, *arguments: str, **options: Any) -> list[str]:
    done = check(folder, "--output-format", "concise", *arguments, **options)
    assert "internal error" not in done.err
    return [line[: line.index(": JX") + 7] for line in done.out.splitlines()[:-1]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, {"n.ipynb": of_code(IMPORTS, STORE)})


def sources(path: Path) -> list[str]:
    """The cells of a notebook, which is valid."""
    read = nbformat.read(path, as_version=4)
    nbformat.validate(read)
    return [cell.source for cell in read.cells]


MARGIN = "   "


def test_indented_cells_are_the_cells_that_ipython_runs(tmp_path: Path) -> None:
    """Each cell twice, the second time indented: the same findings further to the right, and the same fixes."""
    codes = [block.code for block in rulebook_blocks()[::6] if block.kind == "bad"]
    files: dict[str, bytes] = {}
    for number, code in enumerate(codes):
        files[f"flat/n{number}.ipynb"] = of_code("x = 1", code)
        files[f"margin/n{number}.ipynb"] = of_code("x = 1", textwrap.indent(code, MARGIN))
    folder = project(tmp_path, files)
    flat, indented = (check(folder, "--output-format", "json", name).json["diagnostics"] for name in ("flat", "margin"))
    assert len({found["rule"] for found in flat}) > 10
    assert [placed(found, len(MARGIN)) for found in flat] == [placed(found, 0) for found in indented]
    check(folder, "--fix", "--unsafe-fixes")
    is_changed = 0
    for number, code in enumerate(codes):
        [_, before], [_, after] = (sources(folder / name / f"n{number}.ipynb") for name in ("flat", "margin"))
        is_changed += before != code
        assert "\f" not in after
        assert [line.removeprefix(MARGIN) for line in after.split("\n")] == before.split("\n")
    assert is_changed > len(codes) // 4


def placed(found: dict[str, Any], shift: int) -> tuple[Any, ...]:
    """A finding with its evidence, whose columns are those of a cell that is indented so much more."""
    places = [
        (each["line"], each["column"] and each["column"] + shift, each["message"]) for each in (found, *found["notes"])
    ]
    return (os.path.basename(found["path"]), found["cell"], found["rule"], *places)


# --- where it is


def test_places_are_in_cells(folder: Path) -> None:
    found = check(folder, "--output-format", "json").json["diagnostics"][0]
    assert (found["path"], found["cell"], found["line"], found["column"]) == ("n.ipynb", 2, 2, 1)
    assert (found["end_line"], found["end_column"]) == (2, 5)
    assert {edit["cell"] for edit in found["fix"]["edits"]} == {2}
    assert {edit["line"] for edit in found["fix"]["edits"]} == {2}
    assert concise(folder) == ["n.ipynb:cell 2:2:1: JX101"]


def test_cells_of_text_are_counted(tmp_path: Path) -> None:
    text = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# Title"}
    cells = notebook([text, code_cell(IMPORTS, 1), text | {"id": "u"}, code_cell(STORE, 2)])
    project(tmp_path, {"n.ipynb": json.dumps(cells)})
    assert concise(tmp_path) == ["n.ipynb:cell 4:2:1: JX101"]


def test_the_source_is_shown_as_it_was_written(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, "%%time\nz = x @ x\n%time x[0] = 1")})
    done = check(tmp_path, "--output-format", "full", "--select", "JX101")
    assert "--> n.ipynb:cell 2:3:7\n" in done.out
    assert "3 | %time x[0] = 1\n" in done.out


def test_evidence_of_another_cell_names_it(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code("import jax\ndef f(x):\n    if x > 0: return x\n", "jax.jit(f)(1.0)")})
    done = check(tmp_path, "--output-format", "full")
    assert "--> n.ipynb:cell 1:3:8\n" in done.out
    assert "::: n.ipynb:cell 2:1:1\n" in done.out
    notes = check(tmp_path, "--output-format", "json").json["diagnostics"][0]["notes"]
    assert {(note["cell"], note["line"]) for note in notes} == {(1, 2), (2, 1)}


@pytest.mark.parametrize(
    ("output_format", "expected"),
    [
        ("grouped", "  cell 2:2:1  JX101"),
        ("junit", 'name="JX101 in-place-item-assignment at cell 2:2:1"'),
        ("github", "file=n.ipynb,line=23,endLine=23,col=6,endColumn=10::cell 2, line 2: "),
        ("gitlab", '"line": 23,'),
        ("azure", "linenumber=23;columnnumber=6;"),
        ("pylint", "n.ipynb:23: [JX101"),
        ("sarif", '"startLine": 23,'),
        ("rdjson", '"line": 23,'),
    ],
)
def test_formats_for_hosts_have_lines_of_the_file(folder: Path, output_format: str, expected: str) -> None:
    lines = (folder / "n.ipynb").read_text().splitlines()
    assert lines[22] == '    "x[0] = 1.0"'
    assert expected in check(folder, "--output-format", output_format).out


def test_columns_of_the_file_count_escapes(tmp_path: Path) -> None:
    data = json.dumps(notebook([code_cell(IMPORTS), code_cell('s = "é\\t"; x[0] = 1', 1)]))
    project(tmp_path, {"n.ipynb": data})
    shown = check(tmp_path, "--output-format", "pylint").out
    assert shown.startswith("n.ipynb:1: ")
    run = json.loads(check(tmp_path, "--output-format", "sarif").out)["runs"][0]
    region = run["results"][0]["locations"][0]["physicalLocation"]["region"]
    assert data[region["startColumn"] - 1 : region["endColumn"] - 1] == "x[0]"
    assert "fixes" not in run["results"][0]


def test_why(folder: Path) -> None:
    done = here("why", "n.ipynb:cell 2:2:1", "--isolated", cwd=folder)
    assert done.code == 0
    assert "n.ipynb:cell 2:2:1: `x`: array float32[3]" in done.out.replace("`x[0]`", "`x`") or "cell 2:2:1" in done.out
    for place, complaint in [
        ("n.ipynb:2:1", "name the cell too, as in n.ipynb:cell 1:2"),
        ("n.ipynb:cell 9:1", "has no code in cell 9"),
        ("n.ipynb:cell 0:1", "is not of the form"),
    ]:
        done = here("why", place, "--isolated", cwd=folder)
        assert done.code == 2
        assert complaint in done.err
    project(folder, {"a.py": "import jax\n"})
    assert "is not a notebook" in here("why", "a.py:cell 1:1", "--isolated", cwd=folder).err


# --- what IPython adds


def test_clocks_of_ipython(tmp_path: Path) -> None:
    lines = ["@jax.jit\ndef f(x):\n    return x @ x\n", "%time f(x)", "%timeit f(x)", "%%time\nx\nf(x)"]
    waited = ["%timeit f(x).block_until_ready()", "%%time\njax.block_until_ready(f(x))", "%time print(f(x))"]
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, *lines, *waited)})
    later = ["n.ipynb:cell 4:1:9: JX801", "n.ipynb:cell 5:3:1: JX801"]
    assert concise(tmp_path) == later, "the first call compiles, which is waited for"
    assert concise(tmp_path, "--min-confidence", "possible") == ["n.ipynb:cell 3:1:7: JX801", *later]
    assert "`%timeit` does not measure `f(x)`" in check(tmp_path, "--output-format", "concise").out


def test_clocks_of_ipython_around_what_is_compiled_each_time(tmp_path: Path) -> None:
    of_a_new_body = "def f(x):\n    return jax.lax.fori_loop(0, 9, lambda i, y: y * x, x)\n\nf(x)"
    of_one_body = "def body(i, y):\n    return y * y\n\ndef g(x):\n    return jax.lax.fori_loop(0, 9, body, x)\n\ng(x)"
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, of_a_new_body, of_one_body, "%timeit f(x)", "%timeit g(x)")})
    assert concise(tmp_path) == ["n.ipynb:cell 5:1:9: JX801"]
    assert concise(tmp_path, "--min-confidence", "possible") == [f"n.ipynb:cell {n}:1:9: JX801" for n in (4, 5)]


def test_what_is_only_timed_draws_nothing(tmp_path: Path) -> None:
    timed = "%timeit jax.random.normal(key).block_until_ready()\n%time jax.random.normal(key).block_until_ready()"
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, REUSE + "\n" + timed)})
    assert concise(tmp_path) == []
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, REUSE + "\n%time b = jax.random.normal(key)")})
    assert concise(tmp_path, "--select", "JX201") == ["n.ipynb:cell 2:3:11: JX201"]


def test_a_key_of_another_cell_is_possible_only(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, REUSE, AGAIN)})
    assert concise(tmp_path) == []
    assert concise(tmp_path, "--min-confidence", "possible") == ["n.ipynb:cell 3:1:5: JX201"]
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, REUSE, f"{AGAIN}\n{AGAIN}")})
    assert concise(tmp_path) == ["n.ipynb:cell 3:2:5: JX201"], "within one cell it is certain"


STEPS = """
class World:
    def step(self, {0}):
        return x * 0.5

def run(x):
    return {1}
"""


def test_a_call_means_the_class_that_an_earlier_cell_defines(tmp_path: Path) -> None:
    """The program that `jax.jit` makes is traced at its call, before another cell defines the class anew."""
    looped = STEPS.format("i, x", "jax.lax.fori_loop(0, 3, World().step, x)")
    plain = STEPS.format("x", "World().step(x)")
    called = "double = jax.jit(run)\nw = double(x)\nv = double(x)"
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, looped, called, plain, "u = run(x)")})
    assert concise(tmp_path) == []
    wrong = looped.replace("i, x):", "x):")
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, wrong, called, plain, "u = run(x)")})
    assert concise(tmp_path) == ["n.ipynb:cell 2:7:12: JX707"]


def test_a_script_in_cells_likewise(tmp_path: Path) -> None:
    text = "\n# %%\n".join([IMPORTS, REUSE, AGAIN])
    project(tmp_path, {"a.py": text})
    assert concise(tmp_path) == []
    assert concise(tmp_path, "--min-confidence", "possible") == ["a.py:8:5: JX201"]
    project(tmp_path, {"a.py": text.replace("# %%\n", "# text\n")})
    assert concise(tmp_path) == ["a.py:8:5: JX201"]


def test_commands_of_ipython_in_a_script_in_cells(tmp_path: Path) -> None:
    """VS Code runs such a script in IPython; outside of cells, and in Python, a percent sign stays what it is."""
    script = f"# %%\n%load_ext autoreload\n!ls 'a\n# %%\n{IMPORTS}\n%time x = x + 1\nx[0] = 1.0\n# %%\n%%bash\nls 'x\n"
    project(tmp_path, {"a.py": script})
    assert concise(tmp_path) == ["a.py:9:1: JX101"]
    assert check(tmp_path, "--fix-only").code == 0
    assert (tmp_path / "a.py").read_text() == script.replace("x[0] = 1.0", "x = x.at[0].set(1.0)")
    project(tmp_path, {"a.py": script.replace("# %%\n", "# text\n")})
    assert "JXE01" in check(tmp_path, "--output-format", "concise").out
    project(tmp_path, {"a.py": f"# %%\n{IMPORTS}\ny = (x\n% 2)\nx[0] = 1.0\n"})
    assert concise(tmp_path) == ["a.py:7:1: JX101"]


def test_the_last_expression_of_a_cell_is_shown(tmp_path: Path) -> None:
    cells = (IMPORTS, "x.at[0].set(1)  # see\n", "x.at[0].set(1)\nx", "x.at[0].get()")
    project(tmp_path, {"n.ipynb": of_code(*cells)})
    assert concise(tmp_path) == ["n.ipynb:cell 3:1:1: JX103"]
    possible = ["n.ipynb:cell 2:1:1: JX103", "n.ipynb:cell 3:1:1: JX103"]
    assert concise(tmp_path, "--min-confidence", "possible") == possible


# --- suppressions


def test_a_cell_is_a_file_of_its_own_for_comments(tmp_path: Path) -> None:
    ignore = "# jaxlint: file-ignore[JX101] -- a reason\n" + STORE
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, ignore, STORE)})
    assert concise(tmp_path) == ["n.ipynb:cell 3:2:1: JX101"]
    disable = "# jaxlint: disable[JX101]\n" + STORE
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, disable, STORE)})
    assert concise(tmp_path) == ["n.ipynb:cell 3:2:1: JX101"]
    below = "y = 1\n# jaxlint: ignore[JX101]"
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, below, "x[0] = 1", "x[0] = 1  # jaxlint: ignore")})
    assert concise(tmp_path) == ["n.ipynb:cell 2:2:1: JXE05", "n.ipynb:cell 3:1:1: JX101"]


def test_suppressions_are_added(tmp_path: Path) -> None:
    cells = (IMPORTS, STORE, "%time x @ x\n%timeit x @ x", "%%time\nx @ x  # why")
    project(tmp_path, {"n.ipynb": of_code(*cells)})
    before = len(concise(tmp_path))
    done = check(tmp_path, "--add-ignore=old")
    assert before == 4
    assert done.err == "Added suppressions for 4 findings in 1 file.\n"
    timing = "# jaxlint: ignore[unsynchronized-timing] -- old\n"
    assert sources(tmp_path / "n.ipynb") == [
        IMPORTS,
        f"{STORE}  # jaxlint: ignore[in-place-item-assignment] -- old",
        f"{timing}%time x @ x\n{timing}%timeit x @ x",
        f"%%time\n{timing}x @ x  # why",
    ]
    assert concise(tmp_path) == []


# --- changes


def test_fixes_keep_the_layout(folder: Path) -> None:
    before = (folder / "n.ipynb").read_bytes()
    assert b"\xc3\xa9" in before
    done = check(folder, "--fix")
    assert done.code == 0
    after = (folder / "n.ipynb").read_bytes()
    assert after == before.replace(b"x[0] = 1.0", b"x = x.at[0].set(1.0)")
    assert sources(folder / "n.ipynb")[1] == "y = 'é'\nx = x.at[0].set(1.0)"


def test_fixes_that_add_lines(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, f"{REUSE}\n{AGAIN}", indent=2)})
    done = check(tmp_path, "--fix", "--unsafe-fixes")
    assert done.code == 0
    code = sources(tmp_path / "n.ipynb")[1]
    assert code.count("jax.random.split(key)") == 1
    assert (tmp_path / "n.ipynb").read_bytes() == of_code(IMPORTS, code, indent=2)


def test_what_is_masked_is_never_changed(tmp_path: Path) -> None:
    cells = (IMPORTS, "%time x[0] = 1", "%%time\nx[0] = 1", "!ls\nx[0] = 1")
    project(tmp_path, {"n.ipynb": of_code(*cells)})
    check(tmp_path, "--fix")
    assert sources(tmp_path / "n.ipynb") == [
        IMPORTS,
        "%time x[0] = 1",
        "%%time\nx = x.at[0].set(1)",
        "!ls\nx = x.at[0].set(1)",
    ]


def test_await_outside_functions_is_no_obstacle(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code(IMPORTS, "await g()\nx[0] = 1")})
    assert check(tmp_path, "--fix").code == 0
    assert sources(tmp_path / "n.ipynb")[1] == "await g()\nx = x.at[0].set(1)"


def test_the_difference_can_be_applied(folder: Path) -> None:
    done = check(folder, "--diff")
    assert done.code == 1
    subprocess.run(["patch", "-p0"], cwd=folder, input=done.out.encode(), check=True, capture_output=True)
    assert sources(folder / "n.ipynb")[1].endswith("x = x.at[0].set(1.0)")


def test_standard_input(tmp_path: Path) -> None:
    data = of_code(IMPORTS, STORE)
    project(tmp_path, {})
    name = ("--stdin-filename", "a/n.ipynb", "-")
    assert concise(tmp_path, *name, stdin=data) == ["a/n.ipynb:cell 2:2:1: JX101"]
    done = check(tmp_path, "--fix", *name, stdin=data)
    assert done.out.encode() == data.replace(b"x[0] = 1.0", b"x = x.at[0].set(1.0)")


# --- baselines, the cache, changed lines


def test_a_baseline_survives_other_cells(folder: Path) -> None:
    check(folder, "--write-baseline=b.json")
    known = ("--baseline", "b.json")
    assert concise(folder, *known) == []
    project(folder, {"n.ipynb": of_code("# new", IMPORTS, "z = 1", f"{STORE}\n")})
    assert concise(folder, *known) == []
    project(folder, {"n.ipynb": of_code(IMPORTS, STORE, "x[1] = 2")})
    assert concise(folder, *known) == ["n.ipynb:cell 3:1:1: JX101"]


def test_the_cache_tells_the_same(folder: Path) -> None:
    os.utime(folder / "n.ipynb", (1, 1))
    first = check(folder, "--output-format", "json").out
    assert (folder / ".jaxlint_cache").is_dir()
    assert check(folder, "--output-format", "json").out == first
    project(folder, {"n.ipynb": of_code("pass", IMPORTS, STORE)})
    assert concise(folder) == ["n.ipynb:cell 3:2:1: JX101"]


def test_changed_lines_are_those_of_the_file(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q")
    (tmp_path / "n.ipynb").write_bytes(of_code(IMPORTS, "x[0] = 1", "x[1] = 2"))
    git("add", ".")
    git("commit", "-qm", "a")
    assert concise(tmp_path, "--diff-base", "HEAD") == []
    (tmp_path / "n.ipynb").write_bytes(of_code(IMPORTS, "x[0] = 1", "x[1] = 3"))
    assert concise(tmp_path, "--diff-base", "HEAD") == ["n.ipynb:cell 3:1:1: JX101"]


# --- what cannot be read


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"", "n.ipynb:1:1: JXE02 unreadable-file: the notebook is empty"),
        (b'{"cells": [\n1 2]}', "n.ipynb:2:1: JXE02 unreadable-file: the notebook is not valid JSON"),
        (b"import jax", "n.ipynb:1:1: JXE02 unreadable-file: the file is not a notebook"),
        (
            b'{"worksheets": [], "nbformat": 3}',
            "n.ipynb:1:1: JXE02 unreadable-file: the notebook is of format 3, which is not read: "
            "`jupyter nbconvert --to notebook --inplace` brings it up to date",
        ),
    ],
)
def test_what_is_no_notebook(tmp_path: Path, data: bytes, line: str) -> None:
    project(tmp_path, {"n.ipynb": data})
    done = check(tmp_path, "--output-format", "concise")
    assert done.out.splitlines()[0] == line
    assert (done.code, done.err) == (1, "")


def test_a_cell_that_is_no_python_is_told(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": of_code("x = 1", "y = (1,\n", "z = )")})
    assert concise(tmp_path) == ["n.ipynb:cell 2:1:7: JXE01"]
    project(tmp_path, {"n.ipynb": of_code("import jax", "x = 1\ny = = 1")})
    assert concise(tmp_path) == ["n.ipynb:cell 2:2:5: JXE01"]


def test_other_languages_are_skipped_and_counted(tmp_path: Path) -> None:
    julia = {"kernelspec": {"language": "julia", "name": "julia", "display_name": "Julia"}}
    project(tmp_path, {"n.ipynb": of_code("using jax", metadata=julia), "m.ipynb": of_code("x <- 1", metadata=julia)})
    done = check(tmp_path)
    assert (done.code, done.err) == (0, "jaxlint: warning: 2 notebooks skipped, not written in Python: julia\n")


def test_notebooks_without_code(tmp_path: Path) -> None:
    project(tmp_path, {"n.ipynb": json.dumps(notebook([])), "m.ipynb": of_code("", "  ", "# jax")})
    done = check(tmp_path, "--output-format", "json")
    assert (done.code, done.json["summary"]["files_checked"]) == (0, 2)


def test_checkpoints_are_left_out(folder: Path) -> None:
    project(folder, {".ipynb_checkpoints/n-checkpoint.ipynb": of_code(IMPORTS, STORE)})
    assert len(concise(folder)) == 1


def test_a_notebook_is_no_module(tmp_path: Path) -> None:
    project(tmp_path, {"m.ipynb": of_code(IMPORTS, STORE), "a.py": "import jax\nimport m\n"})
    assert concise(tmp_path, "a.py") == []


def test_a_notebook_imports_modules_beside_it(tmp_path: Path) -> None:
    helper = "import jax\n\n@jax.jit\ndef f(x):\n    return g(x)\n\ndef g(x):\n    return float(x)\n"
    project(tmp_path, {"n.ipynb": of_code("import helper\nhelper.f(1.0)"), "helper.py": helper})
    assert concise(tmp_path) == ["helper.py:8:12: JX304"]


# --- Markdown


MARKDOWN = f"# Title\n\n```python\n{IMPORTS}\n```\n\nText.\n\n- item\n\n  ```python\n  x[0] = 1\n  ```\n"


def test_markdown_is_read_where_it_is_asked_for(tmp_path: Path) -> None:
    project(tmp_path, {"d.md": MARKDOWN, "e/f.markdown": MARKDOWN})
    assert concise(tmp_path) == []
    expected = ["d.md:14:3: JX101", "e/f.markdown:14:3: JX101"]
    assert concise(tmp_path, "--include-markdown") == expected
    assert concise(tmp_path, "d.md") == expected[:1], "a file that is named is read as what it is"
    assert concise(tmp_path, "--config", 'include = ["*.md"]') == expected[:1]


def test_markdown_is_fixed(tmp_path: Path) -> None:
    project(tmp_path, {"d.md": MARKDOWN})
    assert check(tmp_path, "--fix", "d.md").code == 0
    assert (tmp_path / "d.md").read_text() == MARKDOWN.replace("x[0] = 1", "x = x.at[0].set(1)")


def test_blocks_that_are_passed_over_are_counted(tmp_path: Path) -> None:
    project(tmp_path, {"d.md": f"{MARKDOWN}\n```python\njax ...\n```\n", "e.md": "```py\njax $\n```\n```py\n$\n```\n"})
    done = check(tmp_path, "--include-markdown")
    message = "3 code blocks in 2 Markdown files passed over: no Python that can be parsed"
    assert done.err == f"jaxlint: warning: {message}\n"


def test_a_block_is_a_cell(tmp_path: Path) -> None:
    blocks = "".join(f"```python\n{block}\n```\n" for block in (IMPORTS, REUSE, AGAIN))
    project(tmp_path, {"d.md": blocks})
    assert concise(tmp_path, "d.md") == []
    assert concise(tmp_path, "d.md", "--min-confidence", "possible") == ["d.md:11:5: JX201"]


def test_full_reports_of_markdown_show_the_document(tmp_path: Path) -> None:
    project(tmp_path, {"d.md": MARKDOWN})
    done = check(tmp_path, "d.md", "--output-format", "full")
    assert re.search(r"^14 \|   x\[0\] = 1$", done.out, re.MULTILINE)


def test_verify_leaves_notebooks_out(folder: Path) -> None:
    left_out = "jaxlint: warning: 1 finding in notebooks and Markdown left out: a probe imports modules\n"
    assert left_out in here("verify", "n.ipynb", "--isolated", cwd=folder).err
    done = here("verify", "--probe", "n.ipynb::f", "--isolated", cwd=folder)
    assert (done.code, done.err) == (2, "jaxlint: error: n.ipynb: is no module: a run imports what it probes\n")


def stored(name: str) -> dict[str, Any]:
    return {"output_type": "error", "ename": name, "evalue": "...", "traceback": ['"ename": "TypeError"']}


def text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": f"text-{len(source)}", "metadata": {}, "source": source}


SET = "x[0] = 1.0"
SHOWN = [
    [code_cell(SET) | {"outputs": [stored("TypeError")]}],
    [text("JAX arrays are immutable, so this fails:"), code_cell(SET)],
    [code_cell(SET), text("This doesn't work. Now with `at`:")],
    [code_cell(f"{SET}  # Oops!")],
]
NOT_SHOWN = [
    [code_cell(SET) | {"outputs": [stored("KeyboardInterrupt")]}],
    [code_cell(SET) | {"outputs": [{"output_type": "stream", "name": "stdout", "text": '"ename": "TypeError"'}]}],
    [text("The mean squared error:"), code_cell(SET)],
    [text("This fails:"), code_cell("y = 1"), code_cell(SET)],
]


@pytest.mark.parametrize(("cells", "shown"), [*((c, True) for c in SHOWN), *((c, False) for c in NOT_SHOWN)])
def test_what_a_cell_shows_on_purpose_is_possible(tmp_path: Path, cells: list[dict[str, Any]], shown: bool) -> None:
    folder = project(tmp_path, {"n.ipynb": json.dumps(notebook([code_cell(IMPORTS), *cells]))})
    [found] = check(folder, "--output-format", "json", "--min-confidence", "possible").json["diagnostics"]
    assert (found["rule"], found["confidence"]) == ("in-place-item-assignment", "possible" if shown else "certain")
    assert any("on purpose" in note["message"] for note in found["notes"]) == shown


RAN = {"execution_count": 3}
RUNS = [
    ([code_cell(SET) | RAN], "possible"),
    ([code_cell(f"def f(x):\n    {SET}"), code_cell("f(x)") | RAN], "possible"),
    ([code_cell(SET) | RAN | {"outputs": [stored("KeyboardInterrupt")]}], "certain"),
    ([code_cell(f"def f(x):\n    {SET}") | RAN, code_cell("f(x)")], "certain"),
]


@pytest.mark.parametrize(("cells", "confidence"), RUNS)
def test_an_error_in_a_cell_that_has_run_is_possible(
    tmp_path: Path, cells: list[dict[str, Any]], confidence: str
) -> None:
    folder = project(tmp_path, {"n.ipynb": json.dumps(notebook([code_cell(IMPORTS), *cells]))})
    [found] = check(folder, "--output-format", "json", "--min-confidence", "possible").json["diagnostics"]
    assert (found["rule"], found["confidence"]) == ("in-place-item-assignment", confidence)
    assert any("had run" in note["message"] for note in found["notes"]) == (confidence == "possible")
