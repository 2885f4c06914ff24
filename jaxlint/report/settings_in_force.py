"""The settings that hold for one file, as TOML, each with where it comes from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from jaxlint.config import Configuration, PathSelectors
from jaxlint.config.documentation import DOCUMENTATION
from jaxlint.config.schema import KEYS
from jaxlint.config.settings import IGNORED_IN_TESTS
from jaxlint.files.discovery import FoundFile
from jaxlint.files.module_index import import_roots
from jaxlint.text import escape


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
            yield f"{key} = {toml_text(layer.values[key])}  # {escape(layer.source)}"
        elif (default := DOCUMENTATION[key].default) is not None and default != {}:
            yield f"{key} = {toml_text(default)}  # default"
    yield "[per-file-ignores]"
    for entry in shown.per_file_ignores:
        yield f"{_ignores(entry)}  # {escape(entry.layer.source if entry.layer else 'default')}"
    for pattern in analysis.tests:
        yield f"{_ignores(PathSelectors(file.root, pattern, IGNORED_IN_TESTS))}  # default: tests"


def _ignores(entry: PathSelectors) -> str:
    return f"{toml_text(entry.pattern)} = {toml_text(list(entry.selectors))}"


def toml_text(value: object) -> str:
    """A value in TOML; JSON's strings, numbers, booleans and arrays are TOML's too."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{toml_text(str(k))} = {toml_text(v)}' for k, v in value.items())}}}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(toml_text(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=True)
