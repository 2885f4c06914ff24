"""The `azure` format: one logging command for each diagnostic, which Azure Pipelines lists beside the build.

The grammar is that of https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from jaxlint.diagnostics import Severity
from jaxlint.engine.result import Result
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape

#: `%AZP25` is how a percent sign itself is written.
_MESSAGE: Final = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A"})
_PROPERTY: Final = str.maketrans({"%": "%AZP25", "\r": "%0D", "\n": "%0A", ";": "%3B", "]": "%5D"})


def azure_lines(result: Result, paths: PathPrinter) -> Iterator[str]:
    """One command for each diagnostic, in order; there are errors and warnings only."""
    for diagnostic in result.diagnostics:
        properties = {
            "type": "error" if diagnostic.severity is Severity.ERROR else "warning",
            "sourcepath": paths(diagnostic.path).translate(_PROPERTY),
            "linenumber": diagnostic.span.line,
            "columnnumber": diagnostic.span.column,
            "code": f"{diagnostic.code} {diagnostic.rule}".translate(_PROPERTY),
        }
        shown = "".join(f"{name}={value};" for name, value in properties.items())
        yield f"##vso[task.logissue {shown}]{escape(diagnostic.message).translate(_MESSAGE)}"
