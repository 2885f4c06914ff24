"""What each command does, from parsed options to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from jaxlint.config import ConfigError, Configuration, load_configuration
from jaxlint.discovery import STDIN, Discovery, FoundFile, discover, stdin_file
from jaxlint.output import write_file, write_stderr, write_stdout
from jaxlint.report.paint import Paint, is_terminal, wants_color
from jaxlint.report.paths import PathPrinter
from jaxlint.result import Result
from jaxlint.text import escape

CLEAN: Final = 0
FOUND: Final = 1

#: Options of the command line that are settings of the same name, given once or several times.
_LIST_SETTINGS: Final = ("select", "ignore", "extend_select")
_PATTERN_SETTINGS: Final = ("exclude", "extend_exclude")
_PLAIN_SETTINGS: Final = (
    "min_confidence", "target_jax", "respect_gitignore", "force_exclude", "jobs", "cache_dir", "output_format",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a command works on: the settings, the files, and the content of standard input where it is one of them."""

    working_directory: str
    configuration: Configuration
    discovery: Discovery
    stdin: bytes | None
    anchor: str


def run_check(paths: Sequence[str], options: Mapping[str, Any]) -> int:
    """`jaxlint check`: 0 when nothing is found, 1 when something is."""
    inputs = _inputs(paths or (".",), options)
    if options["show_files"]:
        return _show_files(inputs)
    if options["show_settings"]:
        return _show_settings(inputs)
    _warn(inputs.discovery.warnings)
    result = _with_verdicts(_checked(inputs, options), inputs, options)
    _warn((*inputs.configuration.warnings, *result.warnings))
    _report(inputs, result, options)
    return CLEAN if options["exit_zero"] or not result.diagnostics else FOUND


def run_explain(rule: str, color: str) -> int:
    """`jaxlint explain`: the page of one rule."""
    from jaxlint.report.page import engine_rule_lines, find_engine_rule, page_lines
    from jaxlint.rulebook import find_page

    paint = Paint(wants_color(color, sys.stdout, os.environ))
    own = find_engine_rule(rule)
    write_stdout(engine_rule_lines(own, paint) if own else page_lines(find_page(rule), paint))
    return CLEAN


def run_rules(output_format: str, color: str) -> int:
    """`jaxlint rules`: all rules as a table or as JSON."""
    from jaxlint.report.rules import rules_json, rules_table
    from jaxlint.rules.rule import registry

    rules = list(registry().values())
    paint = Paint(wants_color(color, sys.stdout, os.environ))
    write_stdout(rules_json(rules) if output_format == "json" else rules_table(rules, paint))
    return CLEAN


def run_why(place: str, options: Mapping[str, Any]) -> int:
    """`jaxlint why`: what the analysis knows about one place."""
    from jaxlint.why import parse_place, why_lines

    path, line, column = parse_place(place)
    inputs = _inputs((path,), options)
    paths = PathPrinter(inputs.working_directory)
    write_stdout(why_lines(inputs.discovery.files, inputs.configuration, line, column, paths))
    return CLEAN


def _inputs(paths: Sequence[str], options: Mapping[str, Any]) -> Inputs:
    directory = _working_directory()
    configuration = load_configuration(
        command_line=_command_line(options),
        config=options["config"],
        environment=os.environ,
        isolated=options["isolated"],
        working_directory=directory,
    )
    if STDIN in paths:
        if len(paths) > 1:
            raise ConfigError("`-` reads standard input and cannot be mixed with other paths")
        file = stdin_file(options["stdin_filename"], directory)
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()
        return Inputs(directory, configuration, Discovery([file]), data, os.path.dirname(file.path))
    first = os.path.normpath(os.path.join(directory, paths[0]))
    anchor = first if os.path.isdir(first) else os.path.dirname(first)
    return Inputs(directory, configuration, discover(paths, configuration, directory), None, anchor)


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        raise ConfigError("the working directory no longer exists") from None


def _command_line(options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that the command line gives, spelled as in a settings file."""
    values: dict[str, Any] = {}
    for name in _LIST_SETTINGS:
        if options.get(name):
            values[name] = [selector for part in options[name] for selector in part]
    for name in _PATTERN_SETTINGS:
        if options.get(name):
            values[name] = list(options[name])
    values.update({name: options[name] for name in _PLAIN_SETTINGS if options.get(name) is not None})
    if options.get("per_file_ignores"):
        values["per-file-ignores"] = dict(_path_ignores(options["per_file_ignores"]))
    return {name.replace("_", "-"): value for name, value in values.items()}


def _path_ignores(entries: Iterable[str]) -> Iterable[tuple[str, list[str]]]:
    for entry in entries:
        pattern, separator, selectors = entry.rpartition(":")
        if not separator or not pattern:
            raise ConfigError(f"`{entry}` is not of the form PATTERN:RULES", key="--per-file-ignores")
        yield pattern, [selector.strip() for selector in selectors.split(",") if selector.strip()]


def _checked(inputs: Inputs, options: Mapping[str, Any]) -> Result:
    """The result of the run, from the cache where it still holds: then neither parser nor analysis is imported."""
    from jaxlint.cache import FOLDER, cache_entry

    settings = inputs.configuration.run(inputs.anchor)
    files = inputs.discovery.files
    plugins, refused = _plugins(inputs, options["allow_plugins"])
    entry = None
    if not options["no_cache"] and files and inputs.stdin is None:
        folder = settings.cache_dir or os.path.join(files[0].root, FOLDER)
        entry = cache_entry(files, inputs.configuration, folder, _versions(plugins))
        kept = entry.load()
        if kept is not None:
            return replace(kept, warnings=(*kept.warnings, *refused))
    from jaxlint.engine import Request, check

    request = Request(files, inputs.configuration, inputs.stdin, settings.jobs, plugins=tuple(plugins))
    result, evidence = check(request)
    problem = entry.store(result, evidence) if entry else None
    return replace(result, warnings=(*result.warnings, *refused, *filter(None, [problem])))


def check_paths(paths: Sequence[str], options: Mapping[str, Any]) -> tuple[Inputs, Result]:
    """What `check` finds in the paths, for commands that go on with it."""
    inputs = _inputs(paths, options)
    _warn((*inputs.discovery.warnings, *inputs.configuration.warnings))
    return inputs, _checked(inputs, options)


def _with_verdicts(result: Result, inputs: Inputs, options: Mapping[str, Any]) -> Result:
    """The result with the verdicts of a file, and less the refuted ones where that was asked for."""
    if not options["verdicts"]:
        if options["hide_refuted"]:
            raise ConfigError("needs a file of verdicts: --verdicts FILE", key="--hide-refuted")
        return result
    from jaxlint.verify.store import apply_store, read_store

    path = os.path.join(inputs.working_directory, options["verdicts"])
    hide = options["hide_refuted"]
    shown, hidden = apply_store(result.diagnostics, read_store(path), os.path.dirname(path), hide_refuted=hide)
    return replace(result, diagnostics=tuple(shown), refuted=hidden)


def _plugins(inputs: Inputs, allowed: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """The plug-ins to load and a warning for each that may not be; nothing is looked for when no project names one."""
    roots = {file.root for file in inputs.discovery.files}
    named = {name for root in roots for name in inputs.configuration.analysis(root).plugins}
    if not named:
        return [], []
    from jaxlint.plugins import allowed_by_user, permitted

    by_option = [name for names in allowed for name in names]
    return permitted(named, [*by_option, *allowed_by_user(os.environ)])


def _versions(plugins: Sequence[str]) -> list[str]:
    if not plugins:
        return []
    from jaxlint.plugins import versions

    return versions(plugins)


def _report(inputs: Inputs, result: Result, options: Mapping[str, Any]) -> None:
    from jaxlint.report import report_lines

    destination = options["output_file"]
    stream = None if destination else sys.stdout
    chosen = inputs.configuration.run(inputs.anchor).output_format
    lines = report_lines(
        result,
        chosen or ("full" if is_terminal(stream) else "concise"),
        paths=PathPrinter(inputs.working_directory),
        paint=Paint(wants_color(options["color"], stream, os.environ)),
        read_text=lambda path: _text(path, inputs),
        statistics=options["statistics"],
    )
    if destination:
        write_file(os.path.join(inputs.working_directory, destination), lines)
    else:
        write_stdout(lines)


def _text(path: str, inputs: Inputs) -> str | None:
    """The text of a file as the front end decodes it; None where it can no longer be read."""
    from jaxlint.source_text import read_text

    is_stdin = inputs.stdin is not None and path == inputs.discovery.files[0].path
    return read_text(path, inputs.stdin if is_stdin else None)


def _show_files(inputs: Inputs) -> int:
    paths = PathPrinter(inputs.working_directory)
    _warn(inputs.discovery.warnings)
    write_stdout(paths(file.path) for file in inputs.discovery.files)
    return CLEAN


def _show_settings(inputs: Inputs) -> int:
    from jaxlint.report.settings import settings_lines

    files = inputs.discovery.files
    file = files[0] if files else FoundFile(inputs.anchor, inputs.anchor, None)
    write_stdout(settings_lines(file, inputs.configuration))
    return CLEAN


def _warn(warnings: Iterable[str]) -> None:
    for warning in dict.fromkeys(warnings):
        write_stderr(f"jaxlint: warning: {escape(warning)}")
