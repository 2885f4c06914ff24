"""What a command line says of a check: its settings, and the files that it names."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.config import ConfigError, Configuration, load_configuration
from jaxlint.files.discovery import STDIN, Discovery, discover, stdin_file

#: Options that are settings of the same name.
_SETTINGS: Final = (
    "select", "ignore", "extend_select", "fixable", "unfixable", "extend_safe_fixes", "exclude", "extend_exclude",
    "preview", "min_confidence", "target_jax", "respect_gitignore", "force_exclude", "jobs", "cache_dir",
    "output_format", "baseline", "fail_level",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsOptions:
    """The options that every command with a check shares, as given; None stands for what was not.

    `per_file_ignores` are PATTERN:RULES, `config` files or assignments; `allow_plugins` are distributions, `executor`
    is the address of a cluster.
    """

    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] | None = None
    fixable: tuple[str, ...] | None = None
    unfixable: tuple[str, ...] | None = None
    extend_safe_fixes: tuple[str, ...] | None = None
    per_file_ignores: tuple[str, ...] = ()
    preview: bool | None = None
    min_confidence: str | None = None
    target_jax: str | None = None
    include_markdown: bool = False
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] | None = None
    respect_gitignore: bool | None = None
    force_exclude: bool | None = None
    config: tuple[str, ...] = ()
    isolated: bool = False
    jobs: int | None = None
    cache_dir: str | None = None
    no_cache: bool = False
    executor: str | None = None
    stdin_filename: str | None = None
    output_format: str | None = None
    baseline: str | None = None
    fail_level: str | None = None
    allow_plugins: tuple[str, ...] = ()

    def settings(self) -> dict[str, Any]:
        """The settings among them, spelled as in a settings file. Raises ConfigError."""
        given = {name: getattr(self, name) for name in _SETTINGS}
        values = {
            name.replace("_", "-"): list(value) if isinstance(value, tuple) else value
            for name, value in given.items()
            if value is not None
        }
        if self.per_file_ignores:
            values["per-file-ignores"] = dict(_path_ignores(self.per_file_ignores))
        return values

    def configuration(self, directory: str) -> Configuration:
        """The settings of a run in `directory`: these above those of the environment and of files."""
        return load_configuration(
            command_line=self.settings(),
            config=self.config,
            environment=os.environ,
            isolated=self.isolated,
            working_directory=directory,
        )


def _path_ignores(entries: Iterable[str]) -> Iterable[tuple[str, list[str]]]:
    for entry in entries:
        pattern, separator, selectors = entry.rpartition(":")
        if not separator or not pattern:
            raise ConfigError(f"`{entry}` is not of the form PATTERN:RULES", key="--per-file-ignores")
        yield pattern, [selector.strip() for selector in selectors.split(",") if selector.strip()]


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


def find_inputs(paths: Sequence[str], options: SettingsOptions) -> Inputs:
    """The files that `paths` name, with their settings. Raises ConfigError."""
    directory = working_directory()
    configuration = options.configuration(directory)
    if STDIN in paths:
        if len(paths) > 1:
            raise ConfigError("`-` reads standard input and cannot be mixed with other paths")
        file = stdin_file(options.stdin_filename, directory)
        data = b"" if sys.stdin is None else sys.stdin.buffer.read()
        return Inputs(directory, configuration, Discovery([file]), data, os.path.dirname(file.path))
    discovery = discover(paths, configuration, directory, markdown=options.include_markdown)
    return Inputs(directory, configuration, discovery, None, anchor_of(paths, directory))


def anchor_of(paths: Sequence[str], directory: str) -> str:
    """The folder whose settings say how the run is done: that of the first path."""
    first = os.path.normpath(os.path.join(directory, paths[0]))
    return first if os.path.isdir(first) else os.path.dirname(first)


def working_directory() -> str:
    """The current folder. Raises ConfigError where it is gone."""
    try:
        return os.getcwd()
    except OSError:
        raise ConfigError("the working directory no longer exists") from None
