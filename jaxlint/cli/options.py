"""The command line: options and their help; what they do stands in the other modules, imported only when needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from jaxlint.cli.help import CommandGroup, GroupedCommand, refuse_command_as_path
from jaxlint.cli.option_groups import (
    Rules,
    change_options,
    complete_slugs,
    joined,
    plugins_option,
    report_options,
    run_options,
    settings_options,
)
from jaxlint.version import VERSION

if TYPE_CHECKING:
    from jaxlint.config.errors import ConfigError
    from jaxlint.engine.command_line import SettingsOptions

_WRONG_USE: Final = 2
_INTERRUPTED: Final = 130
_Command = TypeVar("_Command", bound=Callable[..., Any])

#: The variable by which a shell asks for completions; click's own name for it.
_COMPLETE: Final = "_JAXLINT_COMPLETE"


def _complete_keys(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[str]:
    from jaxlint.config.schema import KEYS

    return [key for key in KEYS if key.startswith(incomplete)]


class _OptionalValues(GroupedCommand):
    """A command some of whose options take a value only behind `=`: what follows them may be a path to check."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give these options an empty value where they stand alone."""
        end = args.index("--") if "--" in args else len(args)
        alone = [f"{argument}=" if argument in _OPTIONAL_VALUES else argument for argument in args[:end]]
        return super().parse_args(ctx, [*alone, *args[end:]])


_OPTIONAL_VALUES: Final = ("--add-ignore", "--write-baseline")


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message="jaxlint %(version)s")
def cli() -> None:
    """Find bugs and slow spots in JAX code without running it."""


def _settings(options: dict[str, Any]) -> SettingsOptions:
    """Those of a command's options that choose settings, taken out of them."""
    from dataclasses import fields

    from jaxlint.engine.command_line import SettingsOptions

    names = [field.name for field in fields(SettingsOptions) if field.name in options]
    return SettingsOptions(**{name: options.pop(name) for name in names})


@cli.command(cls=_OptionalValues)
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@settings_options
@change_options
@report_options
@click.option("--shard", metavar="N/COUNT", help="Check one share of the files, for `jaxlint merge`.")
@click.option("-w", "--watch", is_flag=True, help="Check again after every change, until Ctrl-C.")
@click.option("--show-files", is_flag=True, help="List the files to check, and exit.")
@click.option("--show-settings", is_flag=True, help="Print the settings of the first file, and exit.")
@plugins_option
@click.pass_context
def check(context: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Check files and folders (default: the current folder).

    Exits with 0 if there are no findings, 1 if there are, 2 on an error.
    """
    from jaxlint.cli.check_options import CheckOptions

    watch = options.pop("watch")
    given = CheckOptions(settings=_settings(options), **options)
    if watch:
        from jaxlint.cli.watch_files import run_watch

        context.exit(run_watch(paths, given))
    from jaxlint.cli.check import run_check

    context.exit(run_check(paths, given))


@cli.command(cls=GroupedCommand)
@click.argument("reports", nargs=-1, required=True, metavar="REPORTS...")
@report_options
@click.option("--baseline", metavar="FILE", help="Do not report findings listed in this file.")
@click.option("--config", metavar="FILE|'KEY = VALUE'", multiple=True, help="A settings file, or one setting.")
@click.option("--isolated", is_flag=True, help="Ignore settings files and JAXLINT_* variables.")
@click.pass_context
def merge(context: click.Context, /, reports: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Combine the reports that `jaxlint check --shard` wrote.

    Exits with 0 if there are no findings, 1 if there are, 2 on an error.
    """
    from jaxlint.cli.check_options import CheckOptions
    from jaxlint.cli.shards import run_merge

    context.exit(run_merge(reports, CheckOptions(settings=_settings(options), **options)))


@cli.command(cls=GroupedCommand)
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--to", "version", metavar="VERSION", required=True, help="JAX release to migrate to.")
@run_options
@click.option("--unsafe-fixes", is_flag=True, help="Also make changes that need review.")
@click.option("--diff", is_flag=True, help="Show the changes without making them.")
@click.pass_context
def migrate(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    version: str,
    unsafe_fixes: bool,
    diff: bool,
    **options: Any,  # noqa: ANN401 - click hands over what the decorators declare
) -> None:
    """Migrate code to another JAX release, and list what to change by hand.

    Exits with 0 if nothing remains to be changed, 1 if something does, 2 on an
    error.
    """
    from jaxlint.cli.migrate import run_migrate

    context.exit(run_migrate(paths, version, _settings(options), unsafe_fixes=unsafe_fixes, diff=diff))


@cli.command()
@click.argument("rule", shell_complete=complete_slugs)
@plugins_option
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True)
@click.pass_context
def explain(context: click.Context, rule: str, allow_plugins: tuple[str, ...], color: str) -> None:
    """Explain a rule (by slug or code), or list the rules of a family."""
    from jaxlint.cli.explain import run_explain

    context.exit(run_explain(rule, allow_plugins, color))


@cli.command()
@click.argument("selectors", nargs=-1, metavar="[RULES]...", shell_complete=complete_slugs)
@plugins_option
@click.option("--output-format", type=click.Choice(("table", "json")), default="table", show_default=True)
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True)
@click.pass_context
def rules(
    context: click.Context, selectors: tuple[str, ...], allow_plugins: tuple[str, ...], output_format: str, color: str
) -> None:
    """List all rules, or those selected by slug, code, code prefix or family."""
    from jaxlint.cli.explain import run_rules

    context.exit(run_rules(selectors, allow_plugins, output_format, color))


@cli.command(cls=GroupedCommand)
@click.argument("place", metavar="PATH:[cell N:]LINE[:COLUMN]")
@settings_options
@click.pass_context
def why(context: click.Context, /, place: str, **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Show what jaxlint knows about a line of code, and how it knows."""
    from jaxlint.cli.why import run_why

    context.exit(run_why(place, _settings(options)))


class _Observing(GroupedCommand):
    """A command whose arguments after `--` are another program's, untouched."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            split = args.index("--")
            ctx.meta[_COMMAND] = tuple(args[split + 1 :])
            args = args[:split]
        return super().parse_args(ctx, args)


_COMMAND: Final = "jaxlint.verify.command"


@cli.command(cls=_Observing, options_metavar="[OPTIONS]", epilog="If the program fails, jaxlint returns its exit code.")
@click.argument("paths", nargs=-1, metavar="[PATHS] [-- COMMAND...]")
@settings_options
@click.option(
    "--output-format", "report_format", type=click.Choice(("text", "json")), default="text", show_default=True
)
@click.option("-o", "--output-file", metavar="FILE", help="Write the report to this file.")
@click.option("--html", metavar="FILE", help="Also write the report as an HTML page.")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True)
@click.option("--count-calls", is_flag=True, help="Count calls of compiled functions too; slows the program down.")
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Stop after this many seconds."
)
@click.option("--max-recompiles", type=click.IntRange(min=0), metavar="N", help="Fail on more than N recompilations.")
@click.option(
    "--fail-on",
    type=click.Choice(("confirmed", "observed")),
    help="Fail if a finding is confirmed, or if the run shows a mistake that check did not report.",
)
@click.option("--verdicts", metavar="FILE", help="Store the verdicts, for `jaxlint check --verdicts FILE`.")
@click.option("--probe", metavar="PATH[::NAME]", multiple=True, help="Trace these functions with abstract inputs.")
@click.option("--arg", metavar="NAME=VALUE", multiple=True, help="An argument of the function, such as x=f32[3,4].")
@click.option("--recorded", metavar="FILE", help="Take arguments from the JSON report of an observed run.")
@click.option("--execute", is_flag=True, help="Run the traced functions too.")
@click.option("--python", metavar="PYTHON", help="Python interpreter of the project. [default: this one]")
@click.option("--platform", type=click.Choice(("cpu", "cuda", "rocm", "tpu")), help="Verify on this platform only.")
@click.option(
    "--lower-for",
    metavar="PLATFORMS",
    type=Rules(),
    multiple=True,
    callback=joined,
    help="Also lower for these platforms; no device is needed.",
)
@click.pass_context
def verify(context: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Confirm or refute findings by running code, and explain recompilations.

    `jaxlint verify -- python train.py` runs the command unchanged and observes it.
    `jaxlint verify src/` traces the functions that have findings. Both use the project's own JAX.
    """
    from jaxlint.verify.command import run_verify
    from jaxlint.verify.verify_options import VerifyOptions

    refuse_command_as_path(paths)
    given = VerifyOptions(paths=paths, settings=_settings(options), **options)
    context.exit(run_verify(context.meta.get(_COMMAND), given))


@cli.command()
@click.option("--config", metavar="FILE|'KEY = VALUE'", multiple=True, help="A settings file, or one setting.")
@click.option("--isolated", is_flag=True, help="Ignore settings files and JAXLINT_* variables.")
@click.option("--stdio", is_flag=True, help="Use standard input and output (always the case).")
@plugins_option
@click.pass_context
def server(context: click.Context, /, **options: Any) -> None:  # noqa: ANN401 - click hands over what the decorators declare
    """Run the language server for editors."""
    from jaxlint.lsp.serve import run_server

    context.exit(run_server(options["config"], isolated=options["isolated"], plugins=options["allow_plugins"]))


@cli.command()
@click.option("--hook/--no-hook", default=None, help="Also write .pre-commit-config.yaml. [default: ask on a terminal]")
@click.pass_context
def init(context: click.Context, hook: bool | None) -> None:
    """Add settings to the project in the current folder, all commented out."""
    from jaxlint.cli.init import run_init

    context.exit(run_init(hook))


@cli.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print a shell script that completes options and rule names.

    For bash: eval "$(jaxlint completion bash)" in ~/.bashrc.
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is not None:
        click.echo(found(cli, {}, "jaxlint", _COMPLETE).source())


@cli.command()
@click.argument("key", required=False, shell_complete=_complete_keys)
@click.option("--json-schema", is_flag=True, help="Print the JSON Schema of all settings, for editors.")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", show_default=True)
@click.pass_context
def config(context: click.Context, key: str | None, json_schema: bool, color: str) -> None:
    """List all settings, or explain one."""
    from jaxlint.cli.list_settings import run_config

    context.exit(run_config(key, json_schema, color))


@cli.command()
@click.option("--cache-dir", metavar="DIR", help="Cache directory. [default: .jaxlint_cache]")
@click.pass_context
def clean(context: click.Context, cache_dir: str | None) -> None:
    """Delete the cache of the project in the current folder."""
    from jaxlint.cli.clean import run_clean

    context.exit(run_clean(cache_dir))


@cli.command()
def version() -> None:
    """Print the version."""
    click.echo(f"jaxlint {VERSION}")


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a user never sees a traceback."""
    try:
        result = cli.main(_expanded(arguments), prog_name="jaxlint", standalone_mode=False)
    except click.ClickException as error:
        return _explain_failure(error)
    except (KeyboardInterrupt, click.Abort):
        return _INTERRUPTED
    except BrokenPipeError:
        return _quiet_broken_pipe()
    except OSError as error:
        from jaxlint.files.console import stdout_error

        return _explain_failure(stdout_error(error) or error)
    except Exception as error:
        return _explain_failure(error)
    return result if isinstance(result, int) else 0


def _expanded(arguments: list[str] | None) -> list[str]:
    """The arguments with those that stand in files."""
    given = sys.argv[1:] if arguments is None else arguments
    if not any(argument.startswith("@") for argument in given):
        return given
    from jaxlint.cli.argument_files import expanded

    return list(expanded(given))


def _quiet_broken_pipe() -> int:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _mistakes(error: ConfigError) -> Sequence[ConfigError]:
    """All mistakes in settings, and the rules that they name although there are none; plug-ins may have others."""
    if not error.selectors or any("allow-plugins" in word for word in sys.argv):
        return error.all
    from jaxlint.engine.result import ENGINE_RULES
    from jaxlint.engine.selection import with_unknown
    from jaxlint.rules.rule import registry

    return with_unknown(error, [*registry().values(), *ENGINE_RULES.values()])


def _explain_failure(error: Exception) -> int:
    from jaxlint.config.errors import ConfigError
    from jaxlint.files.console import write_stderr
    from jaxlint.text import escape

    if isinstance(error, click.ClickException):
        write_stderr(f"jaxlint: error: {escape(error.format_message())}")
    elif isinstance(error, ConfigError):
        for each in _mistakes(error):
            write_stderr(f"jaxlint: error: {each}")
    elif os.environ.get("JAXLINT_TRACEBACK"):
        raise error
    else:
        what = f"{type(error).__name__}: {escape(str(error))}"
        write_stderr(f"jaxlint: internal error: {what} (JAXLINT_TRACEBACK=1 shows where; please report it)")
    return _WRONG_USE
