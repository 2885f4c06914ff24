"""Settings as they were given: one checked layer per file, command line, or environment, each value with its place."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jaxlint.config.errors import ConfigError, refuse
from jaxlint.config.roots import OWN_FILE, PYPROJECT
from jaxlint.config.schema import KEYS, SELECTOR_KEYS, Group, find_mistakes, parse_text
from jaxlint.config.toml_document import KeyPath, TomlDocument, parse_assignment, read_document

COMMAND_LINE: Final = "command line"
ENVIRONMENT: Final = "environment"
_MAX_EXTENDS: Final = 16


@dataclass(frozen=True, slots=True)
class Layer:
    """Checked settings from one source. Relative paths and patterns in `values` are relative to `base`."""

    values: Mapping[str, Any]
    base: str
    source: str
    document: TomlDocument | None = None
    prefix: KeyPath = ()

    def error(self, key: str, message: str, inside: KeyPath = ()) -> ConfigError:
        """The error for a mistake in this layer's `key`, at its place where the source is a file."""
        if self.source == COMMAND_LINE:
            return ConfigError(message, key=f"--{key}")
        if self.source == ENVIRONMENT:
            return ConfigError(message, key=f"JAXLINT_{key.upper().replace('-', '_')}")
        if self.document is None or self.document.path == "--config":
            return ConfigError(message, self.source, key=key)
        line, column = self.document.place((*self.prefix, key, *inside))
        return ConfigError(message, self.source, line, column, key)

    @property
    def analysis_keys(self) -> list[str]:
        """The keys of this layer that only a project's root may set."""
        return [key for key in self.values if KEYS[key].group is Group.ANALYSIS]


def checked(layer: Layer) -> Layer:
    """The layer itself, or ConfigError for all its mistakes."""
    mistakes = [mistake for key, value in layer.values.items() for mistake in _mistakes(layer, key, value)]
    if mistakes:
        mistakes[0].selectors = tuple(_selectors(layer))
    refuse(mistakes)
    return layer


def _selectors(layer: Layer) -> Iterator[tuple[str, ConfigError]]:
    for key, value in layer.values.items():
        if key in SELECTOR_KEYS and not any(find_mistakes(key, value)) and not any(_foreign_rules(layer, key, value)):
            yield from ((selector, layer.error(key, "", inside)) for inside, selector in selectors_in(key, value))


def _mistakes(layer: Layer, key: str, value: Any) -> Iterator[ConfigError]:  # noqa: ANN401 - not checked yet
    found = [layer.error(key, message, inside) for inside, message in find_mistakes(key, value)]
    yield from found
    if not found and key in SELECTOR_KEYS:
        yield from _foreign_rules(layer, key, value)


def _foreign_rules(layer: Layer, key: str, value: dict[str, Any] | list[str]) -> Iterator[ConfigError]:
    for inside, selector in selectors_in(key, value):
        if selector[:2].upper() in ("JL", "JD", "JM") and selector[2:].isdigit():
            what = f"`{selector}` is a rule of another tool that is also named jaxlint; codes of this one start with JX"
            yield layer.error(key, what, inside)


def selectors_in(key: str, value: dict[str, Any] | list[str]) -> list[tuple[KeyPath, str]]:
    """The selectors of rules in the value of one of SELECTOR_KEYS, and where in it each of them stands."""
    if key == "severity":
        return [((selector,), selector) for selector in value]
    if isinstance(value, dict):
        return [((pattern, i), s) for pattern, selectors in value.items() for i, s in enumerate(selectors)]
    return [((i,), s) for i, s in enumerate(value)]


def file_layers(path: str) -> list[Layer] | None:
    """The layers of a settings file and all it extends, strongest first; None where it holds no settings of ours."""
    layers: list[Layer] = []
    seen: set[str] = set()
    wanted: str | None = path
    while wanted is not None:
        layer = _file_layer(wanted)
        if layer is None:
            if layers:
                raise layers[-1].error("extend", f"{wanted} has no [tool.jaxlint] table")
            return None
        seen.add(os.path.realpath(wanted))
        layers.append(layer)
        wanted = _extended(layer)
        if wanted is not None and (os.path.realpath(wanted) in seen or len(layers) >= _MAX_EXTENDS):
            raise layer.error("extend", "the files extend each other in a circle")
    return layers


def _extended(layer: Layer) -> str | None:
    target = layer.values.get("extend")
    if target is None:
        return None
    path = os.path.normpath(os.path.join(layer.base, os.path.expanduser(target)))
    if not os.path.exists(path):
        raise layer.error("extend", f"`{target}` does not exist")
    return path


def _file_layer(path: str) -> Layer | None:
    document = read_document(path)
    values: Any = document.values
    prefix: KeyPath = ()
    if os.path.basename(path) == PYPROJECT or ("tool" in values and os.path.basename(path) != OWN_FILE):
        prefix = ("tool", "jaxlint")
        tool = values.get("tool", {})
        values = tool.get("jaxlint") if isinstance(tool, dict) else None
        if values is None:
            return None
        if not isinstance(values, dict):
            raise ConfigError("expected a table", path, *document.place(prefix), key="tool.jaxlint")
    return checked(Layer(values, os.path.dirname(path), path, document, prefix))


def override_layer(text: str, working_directory: str) -> list[Layer]:
    """The layers of one `--config` argument: a file, or one `key = value`."""
    path = os.path.join(working_directory, os.path.expanduser(text))
    if "=" not in text or os.path.isfile(path):
        if not os.path.exists(path):
            raise ConfigError(f"`{text}` does not exist", "--config")
        layers = file_layers(path)
        if layers is None:
            raise ConfigError("has no [tool.jaxlint] table", text)
        return layers
    document = parse_assignment(text)
    return [checked(Layer(document.values, working_directory, "--config", document))]


def environment_layer(environment: Mapping[str, str], working_directory: str) -> Layer | None:
    """The layer of the JAXLINT_* variables that name a setting; others are not ours to judge."""
    layers = []
    for variable in sorted(environment):
        name = variable.removeprefix("JAXLINT_").lower().replace("_", "-")
        if variable.startswith("JAXLINT_") and name in KEYS:
            value = parse_text(name, environment[variable])
            layers.append(checked(Layer({name: value}, working_directory, ENVIRONMENT)))
    if not layers:
        return None
    return Layer({k: v for layer in layers for k, v in layer.values.items()}, working_directory, ENVIRONMENT)
