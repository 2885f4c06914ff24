"""The options that commands share, in groups that are put on a command as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    _Selectors = click.ParamType[list[str]]
else:
    _Selectors = click.ParamType  # of releases before 8.2 it takes no type

_Command = TypeVar("_Command", bound=Callable[..., Any])

_FORMATS: Final = (
    "concise", "full", "grouped", "json", "json-lines",
    "github", "gitlab", "azure", "sarif", "junit", "rdjson", "pylint",
)  # fmt: skip
_CONFIDENCES: Final = ("certain", "likely", "possible")


def _slugs() -> list[str]:
    from jaxlint.engine.rulebook import pages

    return list(pages())


def complete_slugs(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    """The slugs that begin so."""
    return [slug for slug in _slugs() if slug.startswith(incomplete)]


class Rules(_Selectors):
    """Selectors between commas."""

    name = "RULES"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:  # noqa: ARG002
        """The selectors of one value."""
        return [part.strip() for part in value.split(",") if part.strip()]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002
        """The slugs that begin so; after a comma, the next of a list."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{slug}") for slug in _slugs() if slug.startswith(last)]


def joined(_context: click.Context, _parameter: click.Parameter, values: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """All selectors of an option that may be given several times."""
    return tuple(selector for several in values for selector in several)


def _given(context: click.Context, parameter: click.Parameter, values: Sequence[Any]) -> tuple[str, ...] | None:
    """As `joined`; None where the option is not given, which says something else than an empty value."""
    return joined(context, parameter, values) if values else None


def _rules_option(name: str, *, help: str) -> Callable[[_Command], _Command]:  # noqa: A002 - click's own name
    """An option that is a setting of the same name; given and empty is not the same as not given."""
    return click.option(name, type=Rules(), multiple=True, callback=_given, help=help)


def _patterns_option(name: str, *, help: str) -> Callable[[_Command], _Command]:  # noqa: A002 - click's own name
    return click.option(name, metavar="PATTERN", multiple=True, callback=lambda *given: given[-1] or None, help=help)


plugins_option = click.option(
    "--allow-plugins", metavar="NAMES", type=Rules(), multiple=True, callback=joined,
    help="Plug-in distributions that may be loaded, if the project's `plugins` setting names them.",
)  # fmt: skip


def _formats_with_files(values: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The formats and files of `--also-write`."""
    pairs = [value.partition("=") for value in values]
    for value, (chosen, _, file) in zip(values, pairs, strict=True):
        if chosen not in _FORMATS or not file:
            raise click.BadParameter(f"`{value}` is not of the form FORMAT=FILE, with one of {', '.join(_FORMATS)}")
    return tuple((chosen, file) for chosen, _, file in pairs)


def settings_options(command: _Command) -> _Command:
    """The options that choose settings, shared by the commands that check."""
    for option in reversed((*_RULES_OPTIONS, *_RUN_OPTIONS)):
        command = option(command)
    return command


def run_options(command: _Command) -> _Command:
    """Those of them that choose no rules."""
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


_RULES_OPTIONS: Final = (
    _rules_option("--select", help="Run only these rules: slugs, codes, prefixes, families, ALL."),
    _rules_option("--ignore", help="Do not run these rules."),
    _rules_option("--extend-select", help="Run these rules too."),
    click.option("--per-file-ignores", metavar="PATTERN:RULES", multiple=True, help="Skip rules in matching files."),
    click.option("--preview/--no-preview", default=None, help="Run preview rules too."),
    click.option("--min-confidence", type=click.Choice(_CONFIDENCES), help="Minimum confidence. [default: likely]"),
    click.option("--target-jax", metavar="VERSION", help="JAX version that the code runs on."),
)  # fmt: skip

_RUN_OPTIONS: Final = (
    click.option("--include-markdown", is_flag=True, help="Check Python code blocks in Markdown files too."),
    _patterns_option("--exclude", help="Skip these paths, instead of the default ones."),
    _patterns_option("--extend-exclude", help="Skip these paths too."),
    click.option("--respect-gitignore/--no-respect-gitignore", default=None, help="Skip files ignored by .gitignore."),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Skip excluded files even if named."),
    click.option("--config", metavar="FILE|'KEY = VALUE'", multiple=True, help="A settings file, or one setting."),
    click.option("--isolated", is_flag=True, help="Ignore settings files and JAXLINT_* variables."),
    click.option("-j", "--jobs", type=click.IntRange(min=0), help="Number of processes; 0 uses every CPU."),
    click.option("--executor", metavar="dask://HOST:PORT", help="Read and analyse files on a Dask cluster."),
    click.option("--cache-dir", metavar="DIR", help="Cache directory. [default: .jaxlint_cache]"),
    click.option("--no-cache", is_flag=True, help="Do not read or write the cache."),
    click.option("--stdin-filename", metavar="PATH", help="File name of the code read from `-` (standard input)."),
)  # fmt: skip


def change_options(command: _Command) -> _Command:
    """The options that change files, and what is left out of reports."""
    for option in reversed(_CHANGE_OPTIONS):
        command = option(command)
    return command


_CHANGE_OPTIONS: Final = (
    click.option("--fix", is_flag=True, help="Apply safe fixes, and report what remains."),
    click.option("--unsafe-fixes", is_flag=True, help="Also apply fixes that may change what the program does."),
    click.option("--fix-only", is_flag=True, help="Apply fixes, and report nothing."),
    click.option("--diff", is_flag=True, help="Show what --fix would change; exit with 1 if anything."),
    click.option("--show-fixes", is_flag=True, help="List the fixes applied, by file and rule."),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit with 1 if anything was fixed."),
    _rules_option("--fixable", help="Apply only the fixes of these rules. [default: ALL]"),
    _rules_option("--unfixable", help="Never apply the fixes of these rules."),
    _rules_option("--extend-safe-fixes", help="Treat the unsafe fixes of these rules as safe."),
    click.option("--add-ignore", metavar="=REASON", help="Suppress each finding with a comment; REASON is optional."),
    click.option("--baseline", metavar="FILE", help="Do not report findings listed in this file."),
    click.option("--write-baseline", metavar="=FILE", help="Write all findings to a baseline; FILE is optional."),
    click.option("--prune-baseline", is_flag=True, help="Remove baseline entries that no longer match."),
)


def report_options(command: _Command) -> _Command:
    """The options that say what is reported, how, and with which exit code."""
    for option in reversed(_REPORT_OPTIONS):
        command = option(command)
    return command


_REPORT_OPTIONS: Final = (
    click.option(
        "--output-format",
        type=click.Choice(_FORMATS),
        metavar="FORMAT",  # the list of all is wider than a terminal
        help=f"One of {', '.join(_FORMATS)}. [default: full on a terminal, else concise]",
    ),
    click.option("-o", "--output-file", metavar="FILE", help="Write the report to this file."),
    click.option(
        "--also-write",
        metavar="FORMAT=FILE",
        multiple=True,
        callback=lambda *given: _formats_with_files(given[-1]),
        help="Also write the report to a file, in another format. Repeatable.",
    ),
    click.option("-q", "--quiet", is_flag=True, help="Print only findings and errors."),
    click.option("--statistics", is_flag=True, help="Count findings by rule, and values that are unknown."),
    click.option("--diff-base", metavar="REF", help="Report only findings on lines changed since branching off REF."),
    click.option(
        "--fail-level",
        type=click.Choice(("error", "warning", "info")),
        help="Exit with 1 only for findings of this severity or above. [default: info]",
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even if there are findings."),
    click.option(
        "--verdicts",
        metavar="FILE",
        multiple=True,
        help="Show the verdicts that `jaxlint verify --verdicts FILE` stored. Repeatable; the strongest verdict wins.",
    ),
    click.option("--hide-refuted", is_flag=True, help="Do not report unchanged findings that `verify` refuted."),
    click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True),
)
