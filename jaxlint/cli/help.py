"""How the command line explains itself: whole summaries, options in groups, and hints at the command that is meant."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from typing import Final

import click

#: The options of commands that check, by what they are for; those named nowhere come last.
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Rules": (
        "version", "select", "ignore", "extend_select", "per_file_ignores", "preview", "min_confidence", "target_jax",
        "allow_plugins",
    ),
    "Files": (
        "include_markdown", "exclude", "extend_exclude", "respect_gitignore", "force_exclude", "stdin_filename",
        "diff_base", "show_files",
    ),
    "Fixes": (
        "fix", "unsafe_fixes", "fix_only", "diff", "show_fixes", "exit_non_zero_on_fix", "fixable", "unfixable",
        "extend_safe_fixes",
    ),
    "Known findings": (
        "add_ignore", "baseline", "write_baseline", "prune_baseline", "verdicts", "hide_refuted",
    ),
    "Observation and proof": (
        "count_calls", "timeout", "max_recompiles", "fail_on", "probe", "arg", "recorded", "execute", "python",
        "platform", "lower_for",
    ),
    "Report and exit code": (
        "output_format", "report_format", "output_file", "also_write", "html", "quiet", "statistics", "color",
        "exit_zero", "fail_level",
    ),
    "Settings and speed": (
        "config", "isolated", "show_settings", "jobs", "executor", "shard", "cache_dir", "no_cache", "watch",
    ),
}  # fmt: skip


class GroupedCommand(click.Command):
    """A command whose options are listed by what they are for."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups that have options, each under its title."""
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        left = {p.name or "": record for p in options if (record := p.get_help_record(ctx)) is not None}
        for title, names in _GROUPS.items():
            _write(formatter, title, [left.pop(name) for name in names if name in left])
        _write(formatter, "Other options", left.values())


def _write(formatter: click.HelpFormatter, title: str, rows: Iterable[tuple[str, str]]) -> None:
    shown = list(rows)
    if shown:
        with formatter.section(title):
            formatter.write_dl(shown)


class CommandGroup(click.Group):
    """The commands, each with the whole first sentence about it; without one, the help."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Print the help where nothing is asked for: that is no success."""
        if not args and not ctx.resilient_parsing:
            click.echo(ctx.get_help(), color=ctx.color)
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the names and first sentences of all commands."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        _write(formatter, "Commands", [(name, _sentence(c)) for name, c in commands.items() if c and not c.hidden])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first; for what is none, the one that was meant."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-") and not ctx.resilient_parsing:
            raise click.UsageError(self._hint(ctx, name))
        return super().resolve_command(ctx, args)

    def _hint(self, ctx: click.Context, name: str) -> str:
        from jaxlint.config.errors import suggestion

        if os.path.exists(name) or name.endswith((".py", ".ipynb", os.sep)):
            return f"`{name}` is not a command; to check it: jaxlint check {name}"
        near = suggestion(name, self.list_commands(ctx)) or "; `jaxlint --help` lists them"
        return f"`{name}` is not a command{near}"


def _sentence(command: click.Command) -> str:
    text = " ".join((command.help or "").partition("\n\n")[0].split())
    return text.partition(". ")[0].removesuffix(".")


def refuse_command_as_path(paths: tuple[str, ...]) -> None:
    """Tell who writes `jaxlint verify python train.py` that a command stands behind `--`."""
    if paths and not os.path.exists(paths[0]) and shutil.which(paths[0]):
        meant = " ".join(paths)
        raise click.UsageError(f"`{paths[0]}` is no file; to observe a command: jaxlint verify -- {meant}")
