"""What each command does, from parsed options to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from jaxlint.config import ConfigError, Configuration, load_configuration
from jaxlint.config.roots import repository_root
from jaxlint.engine.result import Result
from jaxlint.files.console import write_file, write_stderr, write_stdout
from jaxlint.files.discovery import STDIN, Discovery, FoundFile, discover, stdin_file
from jaxlint.files.read import read_document, read_text
from jaxlint.report.paint import Paint, is_terminal, wants_color
from jaxlint.report.paths import PathPrinter
from jaxlint.text import escape, plural

if TYPE_CHECKING:
    from jaxlint.engine.baseline import Baseline
    from jaxlint.engine.cache import CacheEntry
    from jaxlint.engine.diff_base import ChangedLines
    from jaxlint.engine.session import Request

CLEAN: Final = 0
FOUND: Final = 1
WRONG: Final = 2

#: Options of the command line that are settings of the same name, given once or several times.
_LIST_SETTINGS: Final = ("select", "ignore", "extend_select", "fixable", "unfixable")
_PATTERN_SETTINGS: Final = ("exclude", "extend_exclude")
_PLAIN_SETTINGS: Final = (
    "min_confidence", "target_jax", "respect_gitignore", "force_exclude", "jobs", "cache_dir", "output_format",
    "baseline",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Inputs:
    """What a command works on: the settings, the files, and the content of standard input where it is one of them."""

    working_directory: str
    configuration: Configuration
    discovery: Discovery
    stdin: bytes | None
    anchor: str

    @property
    def contents(self) -> Mapping[str, bytes]:
        """What is not read from disk: standard input, by the path that stands for it."""
        return {} if self.stdin is None else {self.discovery.files[0].path: self.stdin}


def run_check(paths: Sequence[str], options: Mapping[str, Any]) -> int:
    """`jaxlint check`: 0 when nothing is found, 1 when something is."""
    inputs = _inputs(paths or (".",), options)
    if options["show_files"]:
        return _show_files(inputs)
    if options["show_settings"]:
        return _show_settings(inputs)
    _warn(inputs.discovery.warnings)
    mode = chosen_mode(options)
    changed = _changed_lines(inputs, options["diff_base"], mode)
    known = _known(inputs, mode)
    if mode in ("fix", "diff", "ignore"):
        return _change(inputs, options, mode, known)
    result = _with_verdicts(_checked(inputs, options), inputs, options)
    _warn((*inputs.configuration.warnings, *result.warnings))
    if mode == "write-baseline":
        return _write_baseline(inputs, options, result)
    if known is not None:
        result = _hide_known(inputs, options, known, result)
    if changed is not None:  # after the baseline, which must not take what is left out here for mended
        from jaxlint.report.cell_places import Places

        result = changed.restrict(result, Places(read_document).in_file)
    _report(inputs, result, options)
    return CLEAN if options["exit_zero"] or not result.diagnostics else FOUND


def chosen_mode(options: Mapping[str, Any]) -> str:
    """What the run is for: check, fix, diff, ignore, write-baseline or prune. Raises ConfigError for two at once."""
    asked = {
        "fix": options["fix"] or options["fix_only"],
        "diff": options["diff"],
        "ignore": options["add_ignore"] is not None,
        "write-baseline": options["write_baseline"] is not None,
        "prune": options["prune_baseline"],
    }
    chosen = [mode for mode, is_asked in asked.items() if is_asked]
    if chosen == ["fix", "diff"]:
        return "diff"
    if len(chosen) > 1:
        names = {"ignore": "--add-ignore", "prune": "--prune-baseline"}
        both = " and ".join(names.get(mode, f"--{mode}") for mode in chosen[:2])
        raise ConfigError(f"{both} cannot be used together")
    if "\n" in (options["add_ignore"] or "") or "\r" in (options["add_ignore"] or ""):
        raise ConfigError("the reason must be one line", key="--add-ignore")
    return chosen[0] if chosen else "check"


def _change(inputs: Inputs, options: Mapping[str, Any], mode: str, known: Baseline | None) -> int:
    """`--fix`, `--diff` and `--add-ignore`."""
    from jaxlint.cli import fix

    def keep(result: Result) -> Result:
        return result if known is None else known.hide(result)

    paths = PathPrinter(inputs.working_directory)
    plugins, refused = _plugins(inputs, options["allow_plugins"])
    entry = _entry(inputs, options, plugins)
    request = _request(inputs, plugins)
    changes = fix.plan_changes(request, options, keep, entry.load() if entry else None)
    _warn((*inputs.configuration.warnings, *changes.result.warnings, *refused))
    if mode == "diff":
        fix.tell(changes.problems, paths)
        fix.show_difference(changes, paths)
        return FOUND if changes.files else CLEAN
    result, done, is_incomplete = fix.make_changes(changes, request, options, paths)
    if options["fix_only"]:
        write_stderr(f"Fixed {plural(result.fixed, 'problem')} in {plural(len(done), 'file')}.")
    else:
        after = {file.path: file.after for file in done}
        _report(replace(inputs, stdin=after.get(next(iter(inputs.contents), ""), inputs.stdin)), result, options)
    if options["show_fixes"]:
        for line in fix.fixes_shown(done, paths):
            write_stderr(line)
    if is_incomplete:
        return WRONG
    is_found = bool(result.diagnostics) and not options["exit_zero"] and not options["fix_only"]
    return FOUND if is_found or (result.fixed and options["exit_non_zero_on_fix"]) else CLEAN


def _known(inputs: Inputs, mode: str) -> Baseline | None:
    """The baseline to leave out of the report. Raises ConfigError where it cannot be read."""
    path = inputs.configuration.run(inputs.anchor).baseline
    if mode == "write-baseline":
        return None
    if path is None:
        if mode == "prune":
            raise ConfigError("needs --baseline FILE or the setting `baseline`", key="--prune-baseline")
        return None
    from jaxlint.engine.baseline import read_baseline

    return read_baseline(path)


def _write_baseline(inputs: Inputs, options: Mapping[str, Any], result: Result) -> int:
    from jaxlint.engine.baseline import DEFAULT_NAME, baseline_of

    chosen = options["write_baseline"] or inputs.configuration.run(inputs.anchor).baseline or DEFAULT_NAME
    made = baseline_of(os.path.normpath(os.path.join(inputs.working_directory, chosen)), result.diagnostics)
    made.write()
    where = PathPrinter(inputs.working_directory)(made.path)
    write_stderr(f"Wrote {plural(sum(made.known.values()), 'finding')} to {where}.")
    return CLEAN


def _hide_known(inputs: Inputs, options: Mapping[str, Any], known: Baseline, result: Result) -> Result:
    """The result without what the baseline knows; what it knows and nobody finds any more is told, or pruned."""
    if known.missing(result):
        from jaxlint.engine.session import shown_rules

        plugins, _ = _plugins(inputs, options["allow_plugins"])
        shown = shown_rules(_request(inputs, plugins))
        stale = known.stale(result, lambda path, rule: rule in shown.get(path, ()))
        count = plural(sum(stale.values()), "finding")
        where = PathPrinter(inputs.working_directory)(known.path)
        if stale and options["prune_baseline"]:
            known.without(stale).write()
            write_stderr(f"Removed {count} from {where}.")
        elif stale:
            rules = ", ".join(sorted({entry.rule for entry in stale}))
            _warn([f"{where}: {count} of {rules} no longer found; --prune-baseline removes what is gone"])
    return known.hide(result)


def run_explain(rule: str, color: str) -> int:
    """`jaxlint explain`: the page of one rule."""
    from jaxlint.engine.rulebook import find_page
    from jaxlint.report.rule_page import engine_rule_lines, find_engine_rule, page_lines

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
    from jaxlint.cli.why import parse_place, why_lines

    asked = parse_place(place)
    inputs = _inputs((asked.path,), options)
    write_stdout(why_lines(inputs.discovery.files, inputs.configuration, asked, PathPrinter(inputs.working_directory)))
    return CLEAN


def _inputs(paths: Sequence[str], options: Mapping[str, Any]) -> Inputs:
    directory = working_directory()
    configuration = load_configuration(
        command_line=command_line(options),
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
    return Inputs(
        directory,
        configuration,
        discover(paths, configuration, directory, markdown=options.get("include_markdown", False)),
        None,
        anchor,
    )


def working_directory() -> str:
    """The current folder. Raises ConfigError where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        raise ConfigError("the working directory no longer exists") from None


def command_line(options: Mapping[str, Any]) -> dict[str, Any]:
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
    plugins, refused = _plugins(inputs, options["allow_plugins"])
    entry = _entry(inputs, options, plugins)
    kept = entry.load() if entry else None
    if kept is not None:
        return replace(kept, warnings=(*kept.warnings, *refused))
    from jaxlint.engine.session import check
    from jaxlint.report.progress_bar import shown_on

    with shown_on(sys.stderr, os.environ):
        result, evidence = check(_request(inputs, plugins))
    problem = entry.store(result, evidence) if entry else None
    return replace(result, warnings=(*result.warnings, *refused, *filter(None, [problem])))


def _changed_lines(inputs: Inputs, reference: str | None, mode: str) -> ChangedLines | None:
    """What `--diff-base` keeps; asked before the analysis, so that a mistake in it is told at once."""
    if reference is None:
        return None
    if mode != "check":  # lines move as files are fixed, and a baseline is about all findings
        raise ConfigError("cannot be used with options that change files or the baseline", key="--diff-base")
    if inputs.stdin is not None:
        raise ConfigError("compares files with git; standard input is not one", key="--diff-base")
    from jaxlint.engine.diff_base import changed_since

    return changed_since(reference, inputs.working_directory)


def _entry(inputs: Inputs, options: Mapping[str, Any], plugins: Sequence[str]) -> CacheEntry | None:
    """Where the cache keeps the result of this run; None where there is nothing to keep."""
    from jaxlint.engine.cache import FOLDER, cache_entry

    files = inputs.discovery.files
    if options["no_cache"] or not files or inputs.stdin is not None:
        return None
    folder = inputs.configuration.run(inputs.anchor).cache_dir or os.path.join(files[0].root, FOLDER)
    return cache_entry(files, inputs.configuration, folder, _versions(plugins))


def _request(inputs: Inputs, plugins: Sequence[str]) -> Request:
    from jaxlint.engine.session import Request

    jobs = inputs.configuration.run(inputs.anchor).jobs
    files = inputs.discovery.files
    return Request(files, inputs.configuration, inputs.contents, jobs, plugins=tuple(plugins))


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
    from jaxlint.verify.store import apply_stores, read_store

    paths = [os.path.join(inputs.working_directory, path) for path in options["verdicts"]]
    stores = [(os.path.dirname(path), read_store(path)) for path in paths]
    shown, hidden = apply_stores(result.diagnostics, stores, hide_refuted=options["hide_refuted"])
    return replace(result, diagnostics=tuple(shown), refuted=hidden)


def _plugins(inputs: Inputs, allowed: Sequence[Sequence[str]]) -> tuple[list[str], list[str]]:
    """The plug-ins to load and a warning for each that may not be; nothing is looked for when no project names one."""
    roots = {file.root for file in inputs.discovery.files}
    named = {name for root in roots for name in inputs.configuration.analysis(root).plugins}
    if not named:
        return [], []
    from jaxlint.engine.plugins import allowed_by_user, permitted

    by_option = [name for names in allowed for name in names]
    return permitted(named, [*by_option, *allowed_by_user(os.environ)])


def _versions(plugins: Sequence[str]) -> list[str]:
    if not plugins:
        return []
    from jaxlint.engine.plugins import versions

    return versions(plugins)


def _report(inputs: Inputs, result: Result, options: Mapping[str, Any]) -> None:
    from jaxlint.report import report_lines

    destination = options["output_file"]
    is_taken = inputs.stdin is not None and chosen_mode(options) in ("fix", "ignore")  # the new text goes to stdout
    stream = None if destination else sys.stderr if is_taken else sys.stdout
    chosen = inputs.configuration.run(inputs.anchor).output_format
    directory = inputs.working_directory
    lines = report_lines(
        result,
        chosen or ("full" if is_terminal(stream) else "concise"),
        paths=PathPrinter(directory),
        repository=PathPrinter(repository_root(directory) or directory),
        warn=lambda warning: _warn([warning]),
        paint=Paint(wants_color(options["color"], stream, os.environ)),
        read_text=lambda path: read_text(path, inputs.contents.get(path)),
        read_document=lambda path: read_document(path, inputs.contents.get(path)),
        statistics=options["statistics"],
    )
    if destination:
        write_file(os.path.join(directory, destination), lines)
    elif is_taken:
        for line in lines:
            write_stderr(line)
    else:
        write_stdout(lines)


def _show_files(inputs: Inputs) -> int:
    paths = PathPrinter(inputs.working_directory)
    _warn(inputs.discovery.warnings)
    write_stdout(paths(file.path) for file in inputs.discovery.files)
    return CLEAN


def _show_settings(inputs: Inputs) -> int:
    from jaxlint.report.settings_in_force import settings_lines

    files = inputs.discovery.files
    file = files[0] if files else FoundFile(inputs.anchor, inputs.anchor, None)
    write_stdout(settings_lines(file, inputs.configuration))
    return CLEAN


def _warn(warnings: Iterable[str]) -> None:
    for warning in dict.fromkeys(warnings):
        write_stderr(f"jaxlint: warning: {escape(warning)}")
