"""The Python of a Markdown document keeps its lines and columns, and nothing else is left of the document."""

from __future__ import annotations

import ast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.syntax.documents import Change, Document, open_document
from jaxlint.syntax.source import Failure, read

RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def document(text: str) -> Document:
    return open_document("d.md", text.encode())


def code(text: str) -> dict[int, str]:
    """The lines of code by number."""
    lines = document(text).text.split("\n")
    return {number: line.rstrip() for number, line in enumerate(lines, start=1) if line.strip()}


def test_fenced_blocks() -> None:
    text = "# Title\n\n```python\nx = 1\n```\ntext `y`\n\n~~~py title='a'\n\ny = 2\n~~~\n```\nz\n```\n```sh\nls\n```\n"
    assert code(text) == {4: "x = 1", 10: "y = 2"}
    assert document(text).passed_over == 0


@pytest.mark.parametrize(
    "info",
    ["python", "py", "Python", "python3", "ipython3", " python ", "{python}", "{.python #id}", "{code-cell}",
     "{code-cell} ipython3", "{code-block} python", "python hl_lines=1", "python,ignore", "{ .python .annotate }"],
)  # fmt: skip
def test_names_of_python(info: str) -> None:
    assert code(f"```{info}\nx\n```") == {2: "x"}


@pytest.mark.parametrize(
    "info", ["", "text", "pythonic", "{code-cell} julia", "{note}", "{eval-rst}", "console", "{code-block}", "r"]
)
def test_other_blocks(info: str) -> None:
    assert code(f"```{info}\nx\n```") == {}


def test_fences_inside_fences() -> None:
    text = "````markdown\n```python\nx\n```\n````\n```python\ns = '''\n~~~\n'''\n```"
    assert code(text) == {7: "s = '''", 8: "~~~", 9: "'''"}


def test_a_block_that_is_not_closed_ends_with_the_document() -> None:
    assert code("```python\nx\ny") == {2: "x", 3: "y"}


def test_blocks_that_are_no_python_are_passed_over_and_counted() -> None:
    text = "```python\nx =\n```\n```python\ny\n```\n```python\n$ ls\n```"
    assert code(text) == {5: "y"}
    assert document(text).passed_over == 2


def test_indented_blocks() -> None:
    text = "- item\n\n  ```python\n  if a:\n    b\n  ```\n"
    assert code(text) == {4: "\f\fif a:", 5: "\f\f  b"}
    ast.parse(document(text).text)


def test_sessions() -> None:
    text = "```python\n>>> x = f(\n...   1)\n>>> x\n2\n\n>>> # a comment\n```\n"
    assert code(text) == {
        2: "\f\f\f\fx = f(", 3: "\f\f\f\f  1)", 4: "\f\f\f\fx", 7: "\f\f\f\f# a comment"
    }  # fmt: skip
    ast.parse(document(text).text)


def test_options_of_directives() -> None:
    text = "```{code-cell}\n:tags: [a]\n:other: b\n\nx: int = 1\n```\n```{code-cell}\n---\ntags: [a]\n---\ny\n```\n"
    assert code(text) == {5: "x: int = 1", 11: "y"}


def test_magics_in_code_cells() -> None:
    text = "```{code-cell}\n%%time\nf(x)\n```\n```{code-cell}\n!ls\n%timeit f(x)\n```\n"
    assert code(text) == {2: "_0T", 3: "f(x)", 4: "_0s", 6: "...", 7: "_0r;    f(x)"}


def test_blocks_are_cells_of_one_module() -> None:
    text = "```python\nimport jax\n```\n\n```python\nx = jax.numpy.ones(3)\n```\n"
    source = read("d.md", text.encode(), "d", False)
    assert not isinstance(source, Failure)
    assert source.layout is not None
    assert [(cell.number, cell.line) for cell in source.layout.cells] == [(0, 2), (0, 6)]
    assert len(source.module.body) == 2


def test_changes_are_made_in_the_document() -> None:
    text = "é\r\n```python\r\nx = 1\r\n```\r\nend"
    found = document(text)
    start = found.text.index("1")
    assert found.with_changes([Change(start, start + 1, "'ü'")]) == text.replace("1", "'ü'").encode()
    with_mark = open_document("d.md", b"\xef\xbb\xbf" + text.encode())
    assert with_mark.with_changes([]) == b"\xef\xbb\xbf" + text.encode()


def test_prose_is_out_of_bounds() -> None:
    text = "text\n```python\nx\n```\ntext\n```python\n>>> y\n```\n"
    layout = document(text).layout
    assert layout is not None
    x, y = text.index("x\n```"), text.rindex("y")
    assert layout.may_change(x, x + 1, "z")
    assert layout.may_change(x, x, "import jax\n")
    assert not layout.may_change(0, 0, "import jax\n")
    assert not layout.may_change(x, y, "")
    assert not layout.may_change(y, y + 1, "z"), "a session shows what came out"


PIECES = st.sampled_from(
    ["```python", "```", "~~~py", "~~~", "````", "  ```python", "  ```", "    x = 1", "x = 1", ">>> x", "... y", "text",
     "if x:", "  y", "```{code-cell}", "---", ":a: b", "%%time", "%time f(x)", "!ls", "", "'''", "\té"]
)  # fmt: skip


@settings(RELAXED, max_examples=300)
@given(st.lists(PIECES, max_size=14), st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_document_becomes_a_module_of_its_shape(pieces: list[str], newline: str) -> None:
    text = newline.join(pieces)
    found = document(text)
    assert len(found.text) == len(text)
    assert [at for at, c in enumerate(found.text) if c in "\r\n"] == [at for at, c in enumerate(text) if c in "\r\n"]
    assert found.with_changes([]) == text.encode()
    assert not isinstance(read("d.md", text.encode(), "d", False), Failure)
