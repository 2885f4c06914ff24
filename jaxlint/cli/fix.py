"""`jaxlint check` where it changes files, or shows how: fixes, suppressions, and the difference they make."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import diff_bytes, unified_diff
from functools import partial
from typing import TYPE_CHECKING

from jaxlint.cli.check_options import CheckOptions, Mode
from jaxlint.cli.write_report import write_report
from jaxlint.edit.apply_fixes import Changes, Problem, Rewritten, fix_in_rounds, is_applied, write_all
from jaxlint.engine.check_paths import entry_of, permitted_plugins, request_of
from jaxlint.engine.command_line import Inputs
from jaxlint.engine.exit_codes import CLEAN, FOUND, WRONG, exit_code
from jaxlint.engine.result import Result
from jaxlint.files.console import warn, write_stderr, write_stdout, write_stdout_bytes
from jaxlint.report.paint import is_terminal
from jaxlint.report.paths import PathPrinter
from jaxlint.report.totals import fixes_lines
from jaxlint.text import escape, plural

if TYPE_CHECKING:
    from jaxlint.engine.baseline import Baseline
    from jaxlint.engine.session import Request, Session

Keep = Callable[[Result], Result]


def run_changes(inputs: Inputs, options: CheckOptions, known: Baseline | None) -> int:
    """`--fix`, `--diff` and `--add-ignore`."""

    def keep(result: Result) -> Result:
        return result if known is None else known.hide(result)

    paths = PathPrinter(inputs.working_directory)
    plugins, refused = permitted_plugins(inputs, options.settings)
    entry = entry_of(inputs, options.settings, plugins)
    request = request_of(inputs, plugins, options.settings.executor)
    changes = plan_changes(request, options, keep, entry.load() if entry else None)
    warn((*inputs.configuration.warnings, *changes.result.warnings, *refused))
    if options.mode is Mode.DIFF:
        tell(changes.problems, paths)
        show_difference(changes, paths)
        return FOUND if changes.files else CLEAN
    result, done, is_incomplete = make_changes(changes, request, options, paths)
    if options.fix_only:
        write_stderr(f"Fixed {plural(result.fixed, 'problem')} in {plural(len(done), 'file')}.")
    else:
        after = {file.path: file.after for file in done}
        write_report(replace(inputs, stdin=after.get(next(iter(inputs.contents), ""), inputs.stdin)), result, options)
    if options.show_fixes:
        for line in fixes_shown(done, paths):
            write_stderr(line)
    if is_incomplete:
        return WRONG
    is_silent = options.fix_only or options.exit_zero
    code = CLEAN if is_silent else exit_code(result, inputs.configuration.run(inputs.anchor).fail_level)
    return FOUND if result.fixed and options.exit_non_zero_on_fix else code


def plan_changes(request: Request, options: CheckOptions, keep: Keep, known: Result | None) -> Changes:
    """What the options ask to be changed. `known` is the result of the first check where a cache has it."""
    from jaxlint.engine.session import run

    contents = request.contents
    work: Callable[[Session], Changes]
    if options.add_ignore is not None:
        from jaxlint.edit.add_ignores import ignore_all

        work = partial(ignore_all, contents=contents, reason=options.add_ignore, keep=keep)
    else:
        unsafe = options.unsafe_fixes
        if known is not None and not any(is_applied(d, unsafe=unsafe) for d in keep(known).diagnostics):
            return Changes(keep(known))
        work = partial(fix_in_rounds, contents=contents, unsafe=unsafe, keep=keep)
    return run(request, work)


def make_changes(
    changes: Changes, request: Request, options: CheckOptions, paths: PathPrinter
) -> tuple[Result, list[Rewritten], bool]:
    """Write the files, or standard input back; what is left to report, what was changed, whether something was not."""
    failed: list[Problem] = []
    if request.contents:
        ((path, before),) = request.contents.items()
        write_stdout_bytes(next((file.after for file in changes.files if file.path == path), before))
        done = list(changes.files)
    else:
        done, failed = write_all(changes.files)
    tell([*changes.problems, *failed], paths)
    result = changes.without({problem.path for problem in failed})
    fixed = sum(sum(file.fixes.values()) for file in done)
    if options.add_ignore is not None:
        write_stderr(f"Added suppressions for {plural(fixed, 'finding')} in {plural(len(done), 'file')}.")
    else:
        result = replace(result, fixed=fixed)
    return result, done, any(problem.is_unwritten for problem in (*changes.problems, *failed))


def tell(problems: Iterable[Problem], paths: PathPrinter) -> None:
    """One line for each file or fix that was left out."""
    for problem in problems:
        kind = "error" if problem.is_unwritten else "warning"
        write_stderr(f"jaxlint: {kind}: {paths(problem.path)}: {escape(problem.message)}")


def show_difference(changes: Changes, paths: PathPrinter) -> None:
    """Print what would change as a unified diff that `patch -p0` takes; escaped where a person reads it."""
    is_shown = is_terminal(sys.stdout)
    for file in changes.files:
        for line in difference(file, paths):
            if is_shown:
                write_stdout([escape(line.decode("utf-8", "backslashreplace").rstrip("\r\n"))])
            else:
                write_stdout_bytes(line)
    count = sum(sum(file.fixes.values()) for file in changes.files)
    if count:
        write_stderr(f"Would fix {plural(count, 'problem')} in {plural(len(changes.files), 'file')}.")


def difference(file: Rewritten, paths: PathPrinter) -> Iterator[bytes]:
    """The lines of a unified diff of the bytes, each with its end."""
    name = paths(file.path).encode("utf-8", "backslashreplace")
    for line in diff_bytes(unified_diff, _lines(file.before), _lines(file.after), name, name):
        yield line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[bytes]:
    """The lines with their ends, as `patch` counts them: only a line feed ends one."""
    *whole, rest = data.split(b"\n")
    return [*(line + b"\n" for line in whole), *([rest] if rest else [])]


def fixes_shown(done: Sequence[Rewritten], paths: PathPrinter) -> list[str]:
    """The lines of `--show-fixes`."""
    return list(fixes_lines((paths(file.path), file.fixes) for file in done))
