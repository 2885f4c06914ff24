"""The projects that open documents belong to: their settings, and one warm check for each document."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from jaxlint.config import Configuration, load_configuration
from jaxlint.config.roots import forget_roots, project_root
from jaxlint.files.discovery import FoundFile, is_left_out
from jaxlint.files.read import read_text
from jaxlint.lsp.loaded_files import LoadedFiles, state_of
from jaxlint.lsp.texts import Text

if TYPE_CHECKING:
    from jaxlint.engine.baseline import Baseline
    from jaxlint.lsp.checks import Check


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What the command line of the server says of settings, and which plug-ins it allows."""

    config: tuple[str, ...] = ()
    isolated: bool = False
    plugins: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Projects:
    """The warm state of the server; used by the worker alone.

    `folders` are the workspace folders of the client, `settings` what it says should hold, as on a command line.
    `warnings` are for the person, until somebody tells them.
    """

    options: ServerOptions
    encoding: str = "utf-16"
    folders: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: LoadedFiles = field(default_factory=LoadedFiles)
    warnings: list[str] = field(default_factory=list)
    _configurations: dict[str, Configuration] = field(default_factory=dict)
    _checks: dict[str, Check] = field(default_factory=dict)  # by path
    _baseline_states: dict[str, object] = field(default_factory=dict)  # by path, as of when it was last asked for
    _baselines: dict[str, tuple[object, Baseline]] = field(default_factory=dict)  # by path, with what tells its state

    def check(self, path: str) -> Check | None:
        """The check of a document; None for one that the settings leave out. Raises ConfigError."""
        from jaxlint.engine.session import Request
        from jaxlint.lsp.checks import Check

        if path not in self._checks:
            root = self.root(path)
            configuration = self.configuration(root)
            if is_left_out(path, configuration):
                return None
            plugins = self._plugins(configuration, root)
            request = Request([FoundFile(path, root, None)], configuration, plugins=plugins)
            self._checks[path] = Check(request, self.files, partial(self.baseline, root))
        return self._checks[path]

    def _plugins(self, configuration: Configuration, root: str) -> tuple[str, ...]:
        """The plug-ins that the project names and the user allows."""
        named = configuration.analysis(root).plugins
        if not named:
            return ()
        from jaxlint.engine.plugins import allowed_by_user, permitted

        plugins, refused = permitted(named, [*self.options.plugins, *allowed_by_user(os.environ)])
        self.warnings += refused
        return tuple(plugins)

    def baseline(self, root: str) -> Baseline | None:
        """What the project at a root knows already; read again when it has changed. Raises ConfigError."""
        path = self.configuration(root).run(root).baseline
        if path is None:
            return None
        from jaxlint.engine.baseline import read_baseline

        state = self._baseline_states[path] = state_of(path)
        known = self._baselines.get(path)
        if known is None or state is None or known[0] != state:
            known = self._baselines[path] = (state, read_baseline(path))
        return known[1]

    def forget_changed_baselines(self) -> bool:
        """Whether a baseline that was asked for is no longer what it was then; each change is told once."""
        changed = {path for path, state in self._baseline_states.items() if state_of(path) != state}
        for path in changed:
            del self._baseline_states[path]
        return bool(changed)

    def close(self, path: str) -> None:
        """A document is no longer open: its file is what stands on disk."""
        self._checks.pop(path, None)
        self.files.open.pop(path, None)
        self.others_changed(path)

    def others_changed(self, path: str) -> None:
        """A file has changed that other documents may import."""
        for other, check in self._checks.items():
            if other != path:
                check.others_changed()

    def root(self, path: str) -> str:
        """The root of the project of a file."""
        holding = [folder for folder in self.folders if path.startswith(os.path.join(folder, ""))]
        return project_root(os.path.dirname(path), max(holding, key=len, default=None))

    def configuration(self, root: str) -> Configuration:
        """The settings of the project at a root. Raises ConfigError."""
        if root not in self._configurations:
            self._configurations[root] = load_configuration(
                command_line=self.settings,
                config=self.options.config,
                environment=os.environ,
                isolated=self.options.isolated,
                working_directory=root,
            )
        return self._configurations[root]

    def text(self, path: str) -> Text | None:
        """The text of a file on disk."""
        whole = read_text(path, None)
        return None if whole is None else Text(whole, self.encoding)

    def forget(self) -> None:
        """Read settings, and look for roots, again when they are next asked for."""
        self._configurations.clear()
        self._checks.clear()
        forget_roots()
