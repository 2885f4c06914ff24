"""A notebook's code is found without loading the rest, and edits leave every other byte as it was."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jaxlint.syntax.documents import Change, OtherLanguage, open_document
from jaxlint.syntax.notebooks import CellEdit, NotANotebook, read_notebook
from tests.syntax.notebook_files import PYTHON, code_cell, notebook, of_code

RELAXED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
LINES = st.lists(st.text(st.sampled_from('ab "\\é\u2028😀\t/'), max_size=8), max_size=5).map("\n".join)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def notebooks(draw: st.DrawFn) -> tuple[dict[str, Any], bytes]:
    """A notebook and one of the ways to write it."""
    cells = []
    for number in range(draw(st.integers(0, 4))):
        text = draw(LINES)
        source: Any = text if draw(st.booleans()) else text.splitlines(keepends=True)
        cell = code_cell(source, number)
        cell["outputs"] = draw(st.lists(VALUES, max_size=2))
        if draw(st.booleans()):
            cell = dict(reversed(cell.items()))
        if draw(st.integers(0, 3)) == 0:
            cell["cell_type"] = "markdown"
        cells.append(cell)
    whole = notebook(cells, draw(st.just(PYTHON) | st.just({})))
    if draw(st.booleans()):
        whole = dict(reversed(whole.items()))
    text = json.dumps(
        whole, indent=draw(st.sampled_from([None, 0, 1, 4, "\t"])), ensure_ascii=draw(st.booleans()),
        separators=draw(st.sampled_from([None, (",", ":"), (" ,\r\n ", " : ")])),
    )  # fmt: skip
    return whole, (text + draw(st.sampled_from(["", "\n", " \n\n"]))).encode()


def joined(source: str | list[str]) -> str:
    return source if isinstance(source, str) else "".join(source)


@RELAXED
@given(notebooks())
def test_the_code_is_what_json_says(made: tuple[dict[str, Any], bytes]) -> None:
    whole, data = made
    found = read_notebook(data)
    expected = [
        (number, joined(cell["source"]))
        for number, cell in enumerate(whole["cells"], start=1)
        if cell["cell_type"] == "code"
    ]
    assert [(cell.number, cell.text) for cell in found.cells] == expected
    assert found.with_edits([]) == data.decode()


@RELAXED
@given(notebooks(), st.data())
def test_edits_change_the_code_and_nothing_else(made: tuple[dict[str, Any], bytes], data: st.DataObject) -> None:
    whole, raw = made
    found = read_notebook(raw)
    if not found.cells:
        return
    index = data.draw(st.integers(0, len(found.cells) - 1))
    text = found.cells[index].text
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    new = data.draw(LINES)
    after = json.loads(found.with_edits([(index, [CellEdit(places[0], places[1], new)])]))
    changed = found.cells[index].number - 1
    assert joined(after["cells"][changed]["source"]) == text[: places[0]] + new + text[places[1] :]
    after["cells"][changed]["source"] = whole["cells"][changed]["source"]
    assert after == whole


@RELAXED
@given(notebooks(), st.data())
def test_places_in_the_file(made: tuple[dict[str, Any], bytes], data: st.DataObject) -> None:
    """What stands at a character's place in the file is that character, as JSON writes it."""
    found = read_notebook(made[1])
    for index, cell in enumerate(found.cells):
        if cell.text:
            at = data.draw(st.integers(0, len(cell.text) - 1))
            start = found.offset(index, at)
            width = next(n for n in (1, 2, 6, 12) if _says(found.raw[start : start + n], cell.text[at]))
            assert width <= 12


def _says(written: str, character: str) -> bool:
    try:
        return json.loads(f'"{written}"') == character
    except ValueError:
        return False


@settings(RELAXED, max_examples=300)
@given(notebooks(), st.data())
def test_damaged_notebooks_are_told_or_read(made: tuple[dict[str, Any], bytes], data: st.DataObject) -> None:
    raw = bytearray(made[1])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(raw) - 1))
        raw[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not raw:
            raw = bytearray(b"{")
    error = complaint(bytes(raw))
    if error is not None:
        assert error.line >= 1
        assert error.column >= 1
        assert "\n" not in error.message


def complaint(data: bytes) -> NotANotebook | None:
    try:
        read_notebook(data)
    except NotANotebook as error:
        return error
    return None


def test_untouched_characters_keep_their_escapes() -> None:
    raw = b'{"cells": [{"cell_type": "code", "source": ["a = \\"\\u00e9\\"\\n",   "b = 1\\n", "c"]}], "nbformat": 4}'
    document = open_document("n.ipynb", raw)
    start = document.text.index("b")
    after = document.with_changes([Change(start, start, "x = 'ü'\n")])
    assert after == raw.replace(b'"b = 1', b'"x = \'\\u00fc\'\\n",   "b = 1')


def test_text_that_is_no_ascii_stays_so() -> None:
    document = open_document("n.ipynb", of_code("a = 'é'\nb"))
    start = document.text.index("b")
    after = document.with_changes([Change(start, start + 1, "'ü'")])
    assert after is not None
    assert "\"'ü'\"" in after.decode()


@pytest.mark.parametrize("indent", [None, 0, 1, 4])
def test_what_is_written_is_valid(indent: int | None) -> None:
    data = of_code("import jax\nx = 1", "y = 2\n", indent=indent)
    document = open_document("n.ipynb", data)
    start = document.text.index("y")
    after = document.with_changes([Change(start, start, "# a comment\n"), Change(start + 4, start + 5, "3")])
    assert after is not None
    read = nbformat.reads(after.decode(), as_version=4)
    nbformat.validate(read)
    assert read.cells[1].source == "# a comment\ny = 3\n"
    lines = set(data.splitlines())
    assert sum(line not in lines for line in after.splitlines()) == (1 if indent is None else 2)


def test_the_separator_of_lines_is_the_files_own() -> None:
    document = open_document("n.ipynb", of_code("x = 1\ny = 2", indent=4))
    after = document.with_changes([Change(0, 0, "a\nb\n")])
    assert after == of_code("a\nb\nx = 1\ny = 2", indent=4)


def test_deleted_lines_take_their_element_along() -> None:
    document = open_document("n.ipynb", of_code("x = 1\ny = 2\nz = 3"))
    assert document.with_changes([Change(6, 12, "")]) == of_code("x = 1\nz = 3")
    assert document.with_changes([Change(5, 17, "")]) == of_code("x = 1")
    everything = document.with_changes([Change(0, 17, "")])
    assert everything is not None
    assert json.loads(everything)["cells"][0]["source"] == []


@pytest.mark.parametrize(
    ("data", "message", "place"),
    [
        (b"", "the notebook is empty", (1, 1)),
        (b"[]", "the file is not a notebook", (1, 1)),
        (b'{"cells": 3}', "the file is not a notebook: its cells are no list", (1, 11)),
        (b"{}", "the file is not a notebook: it has no cells", (1, 1)),
        (b'{"cells": [}', "the notebook is not valid JSON", (1, 12)),
        (b'{"cells": []', "the notebook is not valid JSON: it ends too early", (1, 13)),
        (b'{"cells": []} x', "the notebook is not valid JSON: it goes on behind its end", (1, 15)),
        (b'{"cells": [],\n "a": [1, 2, nix]}', "the notebook is not valid JSON", (2, 14)),
        (b'{"cells": [{"cell_type": "code"}]}', "the file is not a notebook: cell 1 has no source", (1, 12)),
        (b'{"a": "\xff"}', "the notebook is not valid utf-8", (1, 1)),
        (b'{"cells": [{"source": "a\nb"}]}', "the notebook is not valid JSON: a string is expected", (1, 23)),
        (b'{"cells": [\n<<<<<<< HEAD\n]}', "the notebook is not valid JSON", (2, 1)),
    ],
)
def test_what_is_no_notebook(data: bytes, message: str, place: tuple[int, int]) -> None:
    with pytest.raises(NotANotebook) as caught:
        read_notebook(data)
    assert caught.value.message == message
    assert (caught.value.line, caught.value.column) == place


def test_notebooks_of_format_3_are_told() -> None:
    old = {"metadata": {}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [], "metadata": {}}]}
    with pytest.raises(NotANotebook, match="format 3, which is not read: `jupyter nbconvert"):
        read_notebook(json.dumps(old).encode())


def test_deep_outputs_are_passed_over() -> None:
    deep = b'{"cells": [], "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert read_notebook(deep).cells == ()
    deep_metadata = b'{"cells": [], "metadata": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    with pytest.raises(NotANotebook, match="nested too deeply"):
        read_notebook(deep_metadata)


def test_large_outputs_cost_little() -> None:
    """A picture is one match of an expression: nothing of it is copied or decoded."""
    cell = code_cell("x = 1")
    cell["outputs"] = [{"data": {"image/png": "A" * 5_000_000}}]
    data = json.dumps(notebook([cell])).encode()
    assert [cell.text for cell in read_notebook(data).cells] == ["x = 1"]


@pytest.mark.parametrize(
    "metadata",
    [
        {"kernelspec": {"language": "julia", "name": "julia-1.9", "display_name": "Julia"}},
        {"language_info": {"name": "Julia"}, "kernelspec": {"language": "python"}},
    ],
)
def test_other_languages(metadata: dict[str, Any]) -> None:
    with pytest.raises(OtherLanguage, match="julia"):
        open_document("n.ipynb", of_code("x", metadata=metadata))


@pytest.mark.parametrize("metadata", [{}, None, {"kernelspec": None}, {"language_info": {"name": ""}}])
def test_a_notebook_that_tells_no_language_is_python(metadata: Any) -> None:
    assert open_document("n.ipynb", of_code("x", metadata=metadata)).text == "x\n"


def test_cells_and_their_lines() -> None:
    document = open_document("n.ipynb", of_code("a\nb\n", "", "c\r\nd"))
    assert document.layout is not None
    assert [(cell.number, cell.line) for cell in document.layout.cells] == [(1, 1), (2, 4), (3, 5)]
    assert [document.text[cell.start : cell.end] for cell in document.layout.cells] == ["a\nb\n", "", "c\r\nd"]


def test_half_a_pair_of_surrogates_is_no_python() -> None:
    raw = b'{"cells": [{"cell_type": "code", "source": "x = \'\\ud800\'"}], "nbformat": 4}'
    document = open_document("n.ipynb", raw)
    assert document.text == "x = '\ufffd'\n"
    assert document.with_changes([]) == raw
    assert document.with_changes([Change(0, 1, "y")]) == raw.replace(b'"x', b'"y')
