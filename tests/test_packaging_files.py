"""What packaging says is what pyproject.toml says: the name of the distribution, the version, Python, dependencies."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from jaxlint.version import VERSION

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONDA = (ROOT / "packaging" / "conda" / "meta.yaml").read_text(encoding="utf-8")
DOCKER = (ROOT / "packaging" / "docker" / "Dockerfile").read_text(encoding="utf-8")
TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def recipe() -> dict:
    """The recipe with its variables put in."""
    values = dict(re.findall(r'{% set (\w+) = "([^"]*)" %}', CONDA))
    text = re.sub(r"{%.*%}\n", "", CONDA)
    return yaml.safe_load(re.sub(r"{{ (\w+) }}", lambda found: values.get(found[1], found[1]), text))


def test_the_name_is_the_one_in_pyproject_everywhere() -> None:
    name = PROJECT["name"]
    assert recipe()["package"]["name"] == name
    assert f"/wheels {name} " in DOCKER
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    installed = re.compile(r'pip install "([\w-]+)(?:\[[\w,]+\])? @ ')
    shown = {found for path in documents for found in installed.findall(path.read_text(encoding="utf-8"))}
    assert shown == {name}
    own = [each for extra in PROJECT["optional-dependencies"].values() for each in extra if each.startswith("jaxlint")]
    assert [each.split("[")[0] for each in own] == [name]


def test_the_version_is_one_and_in_the_changelog() -> None:
    assert PROJECT["version"] == recipe()["package"]["version"] == VERSION
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(VERSION)} ", changelog, re.MULTILINE)


def test_the_recipe_needs_what_the_project_needs() -> None:
    needs = recipe()["requirements"]["run"]
    wanted = [re.sub(r"([<>=])", r" \1", each.split(";")[0].strip(), count=1) for each in PROJECT["dependencies"]]
    assert sorted(needs) == sorted([f"python {PROJECT['requires-python']}", *wanted])
    assert recipe()["build"]["entry_points"] == [f"{name} = {to}" for name, to in PROJECT["scripts"].items()]


def test_the_metadata_is_complete() -> None:
    for key in ("description", "readme", "requires-python", "license", "license-files", "authors", "keywords"):
        assert PROJECT[key], key
    told = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each}
    assert told == {"3.10", "3.11", "3.12", "3.13"}


@pytest.mark.slow
def test_the_steps_of_the_image_work_on_the_files_that_it_copies(tmp_path: Path) -> None:
    source, wheels, target = tmp_path / "source", tmp_path / "wheels", tmp_path / "installed"
    source.mkdir()
    for line in re.findall(r"^COPY (.+) \S+$", DOCKER, re.MULTILINE):
        for name in line.split():
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip"]
    subprocess.run([*pip, "wheel", "--quiet", "--wheel-dir", wheels, "."], cwd=source, check=True)
    install = [*pip, "install", "--quiet", "--no-index", "--find-links", wheels, "--target", target, PROJECT["name"]]
    subprocess.run(install, check=True)
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(target)!r}); "
               "sys.argv = ['jaxlint', 'version']; from jaxlint.__main__ import run; sys.exit(run())"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert VERSION in done.stdout


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_issue_templates_are_forms(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem == "config":
        assert form == {"blank_issues_enabled": True}
        return
    assert {"name", "description", "body"} <= form.keys()
    identities = [part["id"] for part in form["body"]]
    assert len(identities) == len(set(identities))
    assert all({"type", "id", "attributes"} <= part.keys() and part["attributes"]["label"] for part in form["body"])
