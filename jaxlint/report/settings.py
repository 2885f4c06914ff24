"""The settings that hold for one file, as TOML, each with where it comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from jaxlint.config import Configuration, PathIgnores
from jaxlint.config.schema import KEYS
from jaxlint.config.settings import DEFAULT_EXCLUDE, DEFAULT_INCLUDE, DEFAULT_TESTS, IGNORED_IN_TESTS
from jaxlint.discovery import FoundFile
from jaxlint.roots import import_roots
from jaxlint.text import escape

_DEFAULTS: dict[str, object] = {
    "select": [],
    "ignore": [],
    "extend-select": [],
    "fixable": ["ALL"],
    "unfixable": [],
    "min-confidence": "likely",
    "x64": "auto",
    "tests": list(DEFAULT_TESTS),
    "like": [],
    "plugins": [],
    "include": list(DEFAULT_INCLUDE),
    "exclude": list(DEFAULT_EXCLUDE),
    "extend-exclude": [],
    "respect-gitignore": True,
    "force-exclude": False,
    "cache-dir": ".jaxlint_cache",
    "jobs": 0,
}


def settings_lines(file: FoundFile, configuration: Configuration) -> Iterator[str]:
    """`key = value  # source` for every setting of a file, and what follows from them."""
    folder = os.path.dirname(file.path) if os.path.isfile(file.path) else file.root
    analysis = configuration.analysis(file.root)
    shown = configuration.shown(folder, file.root)
    layers = configuration.layers(folder).layers
    yield f"# {escape(file.path)}"
    yield f"# project root: {escape(file.root)}"
    yield f"# import roots: {', '.join(escape(root) for root in import_roots(file.root, analysis.src))}"
    for key in KEYS:
        layer = next((layer for layer in layers if key in layer.values), None)
        if key == "per-file-ignores":
            continue
        if layer is not None:
            yield f"{key} = {_toml(layer.values[key])}  # {escape(layer.source)}"
        elif key in _DEFAULTS:
            yield f"{key} = {_toml(_DEFAULTS[key])}  # default"
    yield "[per-file-ignores]"
    for entry in shown.per_file_ignores:
        yield f"{_ignores(entry)}  # {escape(entry.layer.source if entry.layer else 'default')}"
    for pattern in analysis.tests:
        yield f"{_ignores(PathIgnores(file.root, pattern, IGNORED_IN_TESTS))}  # default: tests"


def _ignores(entry: PathIgnores) -> str:
    return f"{_toml(entry.pattern)} = {_toml(list(entry.selectors))}"


def _toml(value: object) -> str:
    """A value in TOML; JSON's strings, numbers, booleans and arrays are TOML's too."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_toml(str(k))} = {_toml(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=True)
