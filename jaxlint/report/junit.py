"""The `junit` format: a test suite for each file, a failed test for each diagnostic, as test servers show them.

The elements and attributes are those that the strictest readers know (the schema `junit-10` of Jenkins' xUnit plug-in).
Without times and host names, so that equal results are equal bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape as escape_markup

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.result import Result
from jaxlint.report.paths import PathPrinter
from jaxlint.report.prose import detail_lines
from jaxlint.text import escape

#: What XML 1.0 cannot hold even as a reference, beyond what `escape` has already made visible.
_NOT_XML: Final = re.compile("[\ufffe\uffff]")


def junit_lines(result: Result, paths: PathPrinter) -> Iterator[str]:
    """One XML document in ASCII. A clean run is a suite with one test that passes: servers take none for a mistake."""
    found = result.diagnostics
    failures, errors = _counts(found)
    shown: Counter[str] = Counter()
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<testsuites name="jaxlint" tests="{len(found) or 1}" failures="{failures}" errors="{errors}">'
    for path, group in groupby(found, key=lambda diagnostic: diagnostic.path):
        yield from _suite(paths(path), list(group), paths, shown)
    if not found:
        yield '  <testsuite name="jaxlint" tests="1" failures="0" errors="0">'
        yield f'    <testcase name="{result.files_checked} files" classname="jaxlint"/>'
        yield "  </testsuite>"
    yield "</testsuites>"


def _suite(path: str, diagnostics: Sequence[Diagnostic], paths: PathPrinter, shown: Counter[str]) -> Iterator[str]:
    failures, errors = _counts(diagnostics)
    name = _attribute(path)
    counts = f'tests="{len(diagnostics)}" failures="{failures}" errors="{errors}"'
    yield f'  <testsuite name="{name}" {counts} file="{name}">'
    for diagnostic in diagnostics:
        yield from _case(path, diagnostic, paths, shown)
    yield "  </testsuite>"


def _case(path: str, diagnostic: Diagnostic, paths: PathPrinter, shown: Counter[str]) -> Iterator[str]:
    """Servers know a test by its class and its name: the second of the same name (`shown`) is numbered."""
    element = "error" if _is_error(diagnostic) else "failure"
    cell = "" if diagnostic.cell is None else f"cell {diagnostic.cell}:"
    place = f"{cell}{diagnostic.span.line}:{diagnostic.span.column}"
    title = f"{diagnostic.code} {diagnostic.rule} at {place}"
    identity = f"{_attribute(path)} {title}"
    shown[identity] += 1
    name = _attribute(title if shown[identity] == 1 else f"{title} ({shown[identity]})")
    text = "\n".join((f"{path}:{place}: {escape(diagnostic.message)}", *detail_lines(diagnostic, paths)))
    yield f'    <testcase name="{name}" classname="{_attribute(path)}">'
    message = _attribute(escape(diagnostic.message))
    yield f'      <{element} type="{_attribute(diagnostic.rule)}" message="{message}">{_text(text)}</{element}>'
    yield "    </testcase>"


def _counts(diagnostics: Sequence[Diagnostic]) -> tuple[int, int]:
    errors = sum(map(_is_error, diagnostics))
    return len(diagnostics) - errors, errors


def _is_error(diagnostic: Diagnostic) -> bool:
    """Whether the file could not be checked, which is an error of the test and not its failure."""
    return diagnostic.code in ("JXE01", "JXE02", "JXE03", "JXE04")


def _text(text: str) -> str:
    """Text between tags: `>` is escaped too, or `]]>` in it would be no XML."""
    marked = escape_markup(_NOT_XML.sub(lambda match: f"\\u{ord(match[0]):04x}", text))
    return marked.encode("ascii", "xmlcharrefreplace").decode("ascii")


def _attribute(text: str) -> str:
    return _text(text).replace('"', "&quot;")
