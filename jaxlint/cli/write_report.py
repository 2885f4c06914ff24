"""The report of `jaxlint check`, written where its options say."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import TextIO

from jaxlint.cli.check_options import CheckOptions, Mode
from jaxlint.config.roots import repository_root
from jaxlint.engine.command_line import Inputs
from jaxlint.engine.result import Result
from jaxlint.files.console import warn, write_file, write_stderr, write_stdout
from jaxlint.files.read import read_document, read_text
from jaxlint.report.paint import Paint, is_terminal, wants_color
from jaxlint.report.paths import PathPrinter


def write_report(inputs: Inputs, result: Result, options: CheckOptions) -> None:
    """Write what was found, in the format that was chosen, and in those that are written as well."""
    destination = options.output_file
    is_taken = inputs.stdin is not None and options.mode in (Mode.FIX, Mode.ADD_IGNORE)  # the new text goes to stdout
    stream = None if destination else sys.stderr if is_taken else sys.stdout
    chosen = inputs.configuration.run(inputs.anchor).output_format or ("full" if is_terminal(stream) else "concise")
    lines = _lines(inputs, result, options, chosen, stream)
    for also, file in options.also_write:
        write_file(os.path.join(inputs.working_directory, file), _lines(inputs, result, options, also, None))
    if destination:
        write_file(os.path.join(inputs.working_directory, destination), lines)
    elif is_taken:
        for line in lines:
            write_stderr(line)
    else:
        write_stdout(lines)


def _lines(
    inputs: Inputs, result: Result, options: CheckOptions, output_format: str, stream: TextIO | None
) -> Iterator[str]:
    from jaxlint.report import report_lines

    directory = inputs.working_directory
    return report_lines(
        result,
        output_format,
        paths=PathPrinter(directory),
        repository=PathPrinter(repository_root(directory) or directory),
        warn=lambda warning: warn([warning]),
        paint=Paint(wants_color(options.color, stream, os.environ), has_links=is_terminal(stream)),
        read_text=lambda path: read_text(path, inputs.contents.get(path)),
        read_document=lambda path: read_document(path, inputs.contents.get(path)),
        statistics=options.statistics,
        summary=not options.quiet,
        is_undeclared=_is_undeclared(inputs),
    )


def _is_undeclared(inputs: Inputs) -> Callable[[str], bool]:
    """Whether neither a setting nor the dependencies of a file's project say which JAX it is for."""

    @cache
    def ask(root: str) -> bool:
        return inputs.configuration.analysis(root).target_jax is None

    roots = {file.path: file.root for file in inputs.discovery.files}
    return lambda path: path in roots and ask(roots[path])
