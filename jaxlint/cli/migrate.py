"""`jaxlint migrate`: write code for another release of JAX as far as fixes go, and say what is left for a person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from jaxlint.cli.check_options import CheckOptions
from jaxlint.cli.fix import make_changes, plan_changes, show_difference, tell
from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.check_paths import entry_of, request_of
from jaxlint.engine.command_line import SettingsOptions, find_inputs
from jaxlint.engine.exit_codes import CLEAN, FOUND, WRONG
from jaxlint.files.console import warn, write_stderr, write_stdout
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural

#: What the command looks for, whatever the project's settings select.
_FAMILY: Final = "migration"
#: Places that are listed for one message.
_MOST: Final = 20


def run_migrate(
    paths: Sequence[str], version: str, settings: SettingsOptions, *, unsafe_fixes: bool, diff: bool
) -> int:
    """Make the family's fixes for a release; 0 where nothing is left, 1 where something is, or would change."""
    _refuse_unless_version(version)
    settings = replace(settings, select=(_FAMILY,), preview=True, target_jax=version)
    options = CheckOptions(settings=settings, fix=True, unsafe_fixes=unsafe_fixes, diff=diff)
    inputs = find_inputs(paths or (".",), settings)
    warn((*inputs.discovery.warnings, *_beyond_tables(version)))
    printed = PathPrinter(inputs.working_directory)
    entry = entry_of(inputs, settings, [])
    request = request_of(inputs, [], settings.executor)
    changes = plan_changes(request, options, lambda result: result, entry.load() if entry else None)
    warn((*inputs.configuration.warnings, *changes.result.warnings))
    before = changes.before or changes.result.diagnostics
    if diff:
        tell(changes.problems, printed)
        show_difference(changes, printed)
        left = _where_they_are(changes.result.diagnostics, before)
        summary = _summary(version, before, left, printed, unsafe=unsafe_fixes, verb="would change")
        _print(write_stderr, summary)
        return FOUND if changes.files or changes.result.diagnostics else CLEAN
    result, _, is_incomplete = make_changes(changes, request, options, printed)
    say = write_stderr if request.contents else _line_to_stdout
    _print(say, _summary(version, before, result.diagnostics, printed, unsafe=unsafe_fixes))
    if is_incomplete:
        return WRONG
    return FOUND if result.diagnostics else CLEAN


def _refuse_unless_version(version: str) -> None:
    from jaxlint.jaxapi.versions import parse_version

    try:
        parse_version(version)
    except ValueError:
        raise ConfigError(f"`{version}` is not a version such as `0.10.2`", key="--to") from None


def _line_to_stdout(line: str) -> None:
    write_stdout([line])


def _print(say: Callable[[str], None], lines: Iterable[str]) -> None:
    for line in lines:
        say(line)


def _beyond_tables(version: str) -> Iterator[str]:
    from jaxlint.jaxapi.versions import NEWEST_KNOWN, parse_version

    if parse_version(version) > NEWEST_KNOWN:
        known = ".".join(map(str, NEWEST_KNOWN))
        yield f"JAX {version} is newer than jaxlint's tables, which cover releases up to {known}"


def _where_they_are(left: Sequence[Diagnostic], before: Sequence[Diagnostic]) -> list[Diagnostic]:
    """What is left of a file that nothing changed, at its places there and not in the text that fixes would make."""
    unchanged = {diagnostic.fingerprint: diagnostic for diagnostic in before}
    return [unchanged.get(diagnostic.fingerprint, diagnostic) for diagnostic in left]


def _summary(
    version: str,
    before: Sequence[Diagnostic],
    left: Sequence[Diagnostic],
    paths: PathPrinter,
    *,
    unsafe: bool,
    verb: str = "changed",
) -> Iterator[str]:
    """What was changed, what a fix would change that somebody has to read, and what has no fix; with the places."""
    remaining = _by_message(left)
    fixable = {message: [d for d in found if d.fix is not None] for message, found in remaining.items()}
    changed = {
        message: found[: len(found) - len(remaining.get(message, ()))]
        for message, found in _by_message(before).items()
        if len(found) > len(remaining.get(message, ()))
    }
    yield from _section(verb.capitalize(), changed)
    offered = {message: found for message, found in fixable.items() if found}
    yield from _section("Fixable with --unsafe-fixes" if not unsafe else "Not fixed", offered, paths)
    for_person = {message: [d for d in found if d.fix is None] for message, found in remaining.items()}
    yield from _section("To change by hand", {message: found for message, found in for_person.items() if found}, paths)
    count = sum(map(len, changed.values()))
    yield f"JAX {version}: {verb} {plural(count, 'use')}, {len(left)} left."


def _by_message(diagnostics: Iterable[Diagnostic]) -> dict[str, list[Diagnostic]]:
    found: defaultdict[str, list[Diagnostic]] = defaultdict(list)
    for diagnostic in diagnostics:
        found[diagnostic.message].append(diagnostic)
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


def _section(title: str, found: dict[str, list[Diagnostic]], paths: PathPrinter | None = None) -> Iterator[str]:
    """A heading, and a line for each message; with `paths`, its places below it."""
    if not found:
        return
    yield f"{title}:"
    for message, diagnostics in found.items():
        files = {diagnostic.path for diagnostic in diagnostics}
        yield f"  {len(diagnostics)} in {plural(len(files), 'file')}: {escape(message)}"
        if paths is not None:
            for each in diagnostics[:_MOST]:
                yield f"    {paths(each.path)}:{each.span.line}:{each.span.column}"
            if len(diagnostics) > _MOST:
                yield f"    and {len(diagnostics) - _MOST} more"
    yield ""
