"""The attributes that base classes and decorators give to objects are those of the installed libraries."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from .test_against_jax import API, INSTALLED, MEASURED_ON, lines

pytestmark = [pytest.mark.jax, pytest.mark.filterwarnings("ignore")]

GENERATOR = Path(__file__).resolve().parents[2] / "scripts" / "generate_tables" / "class_members_table.py"
TABLE = {line["name"]: frozenset(filter(None, line["members"].split(","))) for line in lines("class_members")}


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(GENERATOR.stem, GENERATOR)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # where dataclasses look names up
    spec.loader.exec_module(module)
    return module


generator = _generator()


def test_the_generator_makes_each_row() -> None:
    assert set(generator.MAKERS) == set(TABLE)


@pytest.mark.parametrize("name", sorted(TABLE))
def test_objects_have_the_attributes_of_the_table(name: str) -> None:
    """A name that the table lacks would be taken for one that no object has."""
    measured = generator.members(name)
    if measured is None:
        pytest.skip(f"{name} is not installed")
    assert measured <= TABLE[name]
    assert API.class_members(name) == TABLE[name]
    if INSTALLED == MEASURED_ON:
        assert TABLE[name] - measured == generator.EARLIER.get(name, frozenset())
