"""The full format, drawn by hand here and compared whole."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import jsonschema
import pytest

from jaxlint.diagnostics import (
    Applicability,
    Category,
    Confidence,
    Diagnostic,
    Edit,
    Fix,
    Note,
    Severity,
    Span,
    fingerprint,
)  # fmt: skip
from jaxlint.engine.result import Result
from jaxlint.report import report_lines
from jaxlint.report.paint import Paint
from jaxlint.report.paths import PathPrinter

SOURCE = dedent(
    """\
    import jax
    import jax.numpy as jnp


    @jax.jit
    def step(params, x):
        y = jnp.sum(x * params["w"])

        # scale
        if y > 0:
    \t\ty = helper("日本", y, key)
        return (y +
                z
                )
    """
)
FILES = {"/p/train.py": SOURCE, "/p/lib/other.py": "def helper(a, b, c):\n    pass\n", "/p/wide.py": "x = 1; " * 60}


def diagnostic(span: tuple[int, int, int, int], message: str, *notes: Note, path: str = "/p/train.py", **fields):
    known = {
        "rule": "traced-branch", "code": "JX301", "family": "tracing", "category": Category.CORRECTNESS,
        "severity": Severity.ERROR, "confidence": Confidence.CERTAIN, "fingerprint": fingerprint("a", "b", "c", "d", 0),
    }  # fmt: skip
    return Diagnostic(path=path, span=Span(*span), message=message, notes=notes, **{**known, **fields})


def note(message: str, *span: int, path: str = "/p/train.py") -> Note:
    return Note(message, path, Span(*span)) if span else Note(message)


def drawn(*diagnostics: Diagnostic, columns: str = "80", color: bool = False) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", columns)
        paths = PathPrinter("/p")
        result = Result(diagnostics, 1)
        lines = list(report_lines(result, "full", paths=paths, paint=Paint(color), read_text=FILES.get))
    return "\n".join(lines[:-3]) + "\n"


def test_evidence_in_one_file() -> None:
    found = diagnostic(
        (10, 8, 10, 13), "`if` needs the value of `y > 0`, which is traced",
        note("`y` is traced: result of `jnp.sum`", 7, 9, 7, 33), note("`step` is traced by `jax.jit`", 5, 1, 5, 9),
        note("use `jnp.where` or `jax.lax.cond`"),
    )  # fmt: skip
    assert drawn(found) == dedent(
        """\
        error[JX301 traced-branch]: `if` needs the value of `y > 0`, which is traced
          --> train.py:10:8
           |
         5 | @jax.jit
           | -------- `step` is traced by `jax.jit`
         6 | def step(params, x):
         7 |     y = jnp.sum(x * params["w"])
           |         ------------------------ `y` is traced: result of `jnp.sum`
        ...
        10 |     if y > 0:
           |        ^^^^^
           |
           = note: use `jnp.where` or `jax.lax.cond`
        """
    )


def test_several_labels_on_a_line_with_tabs_and_wide_characters() -> None:
    found = diagnostic(
        (11, 23, 11, 26), "`key` is used again",
        note("first used here", 11, 14, 11, 18), note("made here", 11, 7, 11, 13),
        severity=Severity.WARNING, confidence=Confidence.LIKELY, fix=Fix("Split the key", Applicability.UNSAFE, ()),
    )  # fmt: skip
    assert drawn(found) == dedent(
        """\
        warning[JX301 traced-branch]: `key` is used again
          --> train.py:11:23
           |
        11 |         y = helper("日本", y, key)
           |             ------ ------     ^^^
           |             |      first used here
           |             made here
           |
           = help: Split the key (unsafe fix)
           = confidence: likely: it rests on one assumption
        """
    )


def test_evidence_in_another_file_and_in_one_that_is_gone() -> None:
    found = diagnostic(
        (11, 7, 11, 13), "called", note("defined here", 1, 5, 1, 11, path="/p/lib/other.py"),
        note("was here", 3, 1, 3, 2, path="/elsewhere/gone.py"),
    )  # fmt: skip
    assert drawn(found) == dedent(
        """\
        error[JX301 traced-branch]: called
          --> train.py:11:7
           |
        11 |         y = helper("日本", y, key)
           |             ^^^^^^
           |
          ::: lib/other.py:1:5
           |
         1 | def helper(a, b, c):
           |     ------ defined here
           |
           = note: was here (/elsewhere/gone.py:3:1)
        """
    )


def test_a_span_of_several_lines() -> None:
    assert drawn(diagnostic((12, 12, 14, 10), "several", note("all of it", 12, 12, 14, 10))) == dedent(
        """\
        error[JX301 traced-branch]: several
          --> train.py:12:12
           |
        12 |     return (y +
           |            ^^^^
        13 |             z
           |             ^
        14 |             )
           |             ^ all of it
        """
    )


def test_a_label_that_starts_where_another_does_hangs_below() -> None:
    found = diagnostic((10, 8, 10, 13), "overlap", note("the whole", 10, 5, 10, 14), note("start", 10, 8, 10, 9))
    assert drawn(found) == dedent(
        """\
        error[JX301 traced-branch]: overlap
          --> train.py:10:8
           |
        10 |     if y > 0:
           |     ---^^^^^-
           |     |  start
           |     the whole
        """
    )


def test_a_wide_line_is_cut_around_the_mark() -> None:
    lines = drawn(diagnostic((1, 200, 1, 201), "far", path="/p/wide.py"), columns="60").splitlines()
    assert lines[3].startswith("1 | …")
    assert lines[3].endswith("…")
    assert len(lines[3]) <= 70
    assert lines[3][lines[4].index("^")] == FILES["/p/wide.py"][199]


def test_long_labels_wrap() -> None:
    lines = drawn(diagnostic((10, 8, 10, 13), "m", note("word " * 40, 7, 9, 7, 33)), columns="60").splitlines()
    assert max(map(len, lines)) <= 60


def test_control_characters_of_messages_and_source_are_escaped() -> None:
    FILES["/p/esc.py"] = "x = '\x1b[2J\u202e'\n"
    text = drawn(diagnostic((1, 1, 1, 2), "a\nb\x1b", note("\u202e", 1, 5, 1, 6, path="/p/esc.py"), path="/p/esc.py"))
    assert "a\\nb\\x1b" in text
    assert "1 | x = '\\x1b[2J\\u202e'" in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_a_place_past_the_end_of_the_file() -> None:
    assert "99" in drawn(diagnostic((99, 5, 99, 9), "beyond"))


def test_colours_wrap_the_same_text() -> None:
    import re

    found = diagnostic((10, 8, 10, 13), "m", note("n", 7, 9, 7, 33), note("o", 10, 5, 10, 7))
    assert re.sub("\x1b\\[[0-9;]*m", "", drawn(found, color=True)) == drawn(found)


def test_json_follows_its_published_schema() -> None:
    schema = json.loads((Path(report_lines.__code__.co_filename).parent / "schema_v1.json").read_text())
    edits = (Edit("/p/train.py", Span(10, 8, 10, 13), "z"), Edit("/p/train.py", Span(7, 1, 7, 2), ""))
    fix = Fix("Do it", Applicability.SAFE, edits)
    found = diagnostic((10, 8, 10, 13), "m", note("n", 1, 1, 1, 2, path="/q/o.py"), note("p"), fix=fix)
    result = Result((found,), 3, suppressed=1)
    text = "\n".join(report_lines(result, "json", paths=PathPrinter("/p"), paint=Paint(False), read_text=FILES.get))
    document = json.loads(text)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    shown = document["diagnostics"][0]
    assert shown["path"] == "train.py"
    assert shown["notes"][0]["path"] == "/q/o.py"
    assert shown["notes"][1]["line"] is None
    assert [edit["line"] for edit in shown["fix"]["edits"]] == [7, 10]
    assert document["summary"]["fixable"] == 1
