"""One run's settings: the layers of every folder, found once, with the command line and environment on top."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from jaxlint.config.dependency import Bounds, declared_releases
from jaxlint.config.layers import COMMAND_LINE, Layer, checked, environment_layer, file_layers, override_layer
from jaxlint.config.roots import PROJECT_MARKERS, configuration_file, marked_root, repository_root
from jaxlint.config.settings import AnalysisSettings, Layers, RunSettings, ShownSettings

#: Settings that change how a result is come by and shown, not what it is.
_PRESENTATION: Final = ("output-format", "jobs", "cache-dir", "fail-level", "baseline")


@dataclass(slots=True)
class Configuration:
    """Answers which settings hold where. `isolated` leaves settings files and the environment unread."""

    overrides: tuple[Layer, ...] = ()
    isolated: bool = False
    warnings: list[str] = field(default_factory=list)
    _nearest: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    _own: dict[str, tuple[Layer, ...]] = field(default_factory=dict)
    _declared: dict[str, tuple[Bounds, ...]] = field(default_factory=dict)

    def layers(self, directory: str) -> Layers:
        """The overrides above the layers of the nearest settings file at or above `directory`."""
        return Layers((*self.overrides, *self.nearest(directory)))

    def shown(self, directory: str, root: str) -> ShownSettings:
        """What is shown of the files in `directory`, whose project is at `root`."""
        self._refuse_misplaced(self.nearest(directory), root)
        return self.layers(directory).shown()

    def analysis(self, root: str) -> AnalysisSettings:
        """What the analysis of the project at `root` follows."""
        return Layers((*self.overrides, *self._own_layers(root))).analysis(self._declared_releases(root))

    def run(self, directory: str) -> RunSettings:
        """How the run is done when it starts from `directory`, and which files below it are left out."""
        return self.layers(directory).run(self.settings_folder(directory))

    def settings_folder(self, directory: str) -> str:
        """The folder of the settings that hold in `directory`; where there are none, that where they would stand."""
        nearest = self.nearest(directory)
        return nearest[0].base if nearest else marked_root(directory) or repository_root(directory) or directory

    def signature(self, folders: Sequence[str]) -> str:
        """Text that differs whenever a setting does that holds in one of the folders and decides what is found."""
        holding = [self.nearest(folder) for folder in folders]
        holding += [self._own_layers(folder) for folder in folders]
        overrides = [layer for layer in self.overrides if _deciding(layer.values)]
        distinct = {id(layer): layer for layers in (overrides, *holding) for layer in layers}
        order = {key: index for index, key in enumerate(distinct)}
        contents = [(layer.base, layer.source, _deciding(layer.values)) for layer in distinct.values()]
        declared = [self._declared_releases(folder) for folder in folders]
        return repr((contents, [[order[id(layer)] for layer in layers] for layers in holding], declared))

    def nearest(self, directory: str) -> tuple[Layer, ...]:
        """The layers of the nearest settings file at or above `directory`, never above its repository."""
        if directory not in self._nearest:
            found = self._own_layers(directory)
            parent = os.path.dirname(directory)
            if not found and parent != directory and repository_root(directory) != directory:
                found = self.nearest(parent)
            self._nearest[directory] = found
        return self._nearest[directory]

    def _own_layers(self, directory: str) -> tuple[Layer, ...]:
        if self.isolated:
            return ()
        if directory not in self._own:
            self._own[directory] = self._read(directory)
        return self._own[directory]

    def _declared_releases(self, root: str) -> tuple[Bounds, ...]:
        if root not in self._declared:
            self._declared[root] = declared_releases(root)
        return self._declared[root]

    def _read(self, directory: str) -> tuple[Layer, ...]:
        found = [layers for path in configuration_file(directory) if (layers := file_layers(path))]
        if len(found) == 2:
            self.warnings.append(f"{found[0][0].source} is used; the [tool.jaxlint] of {found[1][0].source} is not")
        return tuple(found[0]) if found else ()

    def _refuse_misplaced(self, nearest: tuple[Layer, ...], root: str) -> None:
        """Settings of the analysis outside a project's root would silently do nothing: an error instead."""
        if not nearest or nearest[0].base == root:
            return
        own = nearest[0]
        is_root = any(os.path.isfile(os.path.join(own.base, marker)) for marker in PROJECT_MARKERS)
        if own.analysis_keys and not is_root:
            raise own.error(own.analysis_keys[0], f"may only be set at the root of the project, {root}")


def _deciding(values: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key not in _PRESENTATION}


def load_configuration(
    *,
    command_line: Mapping[str, Any],
    config: Sequence[str] = (),
    environment: Mapping[str, str],
    isolated: bool,
    working_directory: str,
) -> Configuration:
    """The configuration of a run: command line above `--config` (the last first) above environment above files."""
    overrides = []
    if command_line:
        overrides.append(checked(Layer(command_line, working_directory, COMMAND_LINE)))
    for text in reversed(config):
        overrides.extend(override_layer(text, working_directory))
    from_environment = None if isolated else environment_layer(environment, working_directory)
    if from_environment is not None:
        overrides.append(from_environment)
    return Configuration(tuple(overrides), isolated)
