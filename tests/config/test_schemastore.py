"""What SchemaStore would be given: up to date, and right about the settings that the documentation shows."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from jaxlint.config import ConfigError
from jaxlint.config.layers import Layer, checked

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "packaging" / "schemastore"
SCHEMA: dict[str, Any] = json.loads((FOLDER / "schemas" / "json" / "jaxlint.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)
FENCE = re.compile(r"^( *)```toml\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "rules").rglob("*.md"),
]


def shown_settings() -> list[Any]:
    """The settings in each TOML example of the documentation that has any."""
    found = []
    for path in sorted(DOCUMENTS):
        for _, code in FENCE.findall(path.read_text(encoding="utf-8")):
            values = tomllib.loads(code)
            tool = values.get("tool", {})
            if "jaxlint" in tool:
                found.append(pytest.param(tool["jaxlint"], id=f"{path.stem}-{len(found)}"))
    return found


def toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def test_the_files_are_those_that_are_made() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_schemastore.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "http://json-schema.org/draft-07/schema#"
    entry = json.loads((FOLDER / "catalog-entry.json").read_text(encoding="utf-8"))
    reference = json.loads((FOLDER / "pyproject-tool-entry.json").read_text(encoding="utf-8"))
    assert SCHEMA["$id"] == entry["url"] == reference["jaxlint"]["$ref"]


@pytest.mark.parametrize("settings", shown_settings())
def test_settings_that_the_documentation_shows_are_valid(settings: dict[str, Any]) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(settings)] == []


@pytest.mark.parametrize("path", sorted((FOLDER / "test").rglob("*.toml")), ids=lambda path: path.stem)
def test_samples_are_valid(path: Path) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(toml(path))] == []


@pytest.mark.parametrize("path", sorted((FOLDER / "negative_test").rglob("*.toml")), ids=lambda path: path.stem)
def test_mistakes_are_refused_as_the_program_refuses_them(path: Path) -> None:
    assert not VALIDATOR.is_valid(toml(path))
    with pytest.raises(ConfigError):
        checked(Layer(toml(path), "/", "test"))


def test_a_tool_that_is_not_ours_agrees(tmp_path: Path) -> None:
    samples, wrong = (sorted((FOLDER / name).rglob("*.toml")) for name in ("test", "negative_test"))
    schema = FOLDER / "schemas" / "json" / "jaxlint.json"
    command = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema)]
    done = subprocess.run([*command, *map(str, samples)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    for path in wrong:
        refused = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert refused.returncode == 1, path
