"""Every block of the rulebook and every fixture does on the installed JAX what it claims."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

from tests.jax_children import Program, end_children, verdict
from tests.rulebook_blocks import Block, fixture_files, fixture_requires, rulebook_blocks

pytestmark = pytest.mark.jax

LINES = 30  # a block is an example, not a program


@pytest.fixture(autouse=True, scope="module")
def _children() -> Iterator[None]:
    yield
    end_children()


def _indexed() -> list[tuple[Block, int]]:
    """Each block with its place among the blocks of its page."""
    seen: Counter[Path] = Counter()
    pairs = []
    for block in rulebook_blocks():
        pairs.append((block, seen[block.page]))
        seen[block.page] += 1
    return pairs


def _verdict(path: Path, place: int | None, source: str) -> str:
    """Meshes need more than one device."""
    return verdict(Program(str(path), place, source), 8 if path.parent.name in ("sharding", "transforms") else 1)


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _skip_before(version: str) -> None:
    if _version(metadata.version("jax")) < _version(version):
        pytest.skip(f"needs jax {version}")


def _skip_unless_runnable(block: Block) -> None:
    if block.options.get("run") == "no":
        pytest.skip(block.options["reason"])
    _skip_before(block.options.get("jax", "0"))
    _skip_unless_installed(block.requires)


def _skip_unless_installed(modules: Iterable[str]) -> None:
    for module in modules:
        if module.startswith("jax>="):
            _skip_before(module.removeprefix("jax>="))
        elif importlib.util.find_spec(module) is None:
            pytest.skip(f"needs {module}")


@pytest.mark.parametrize(("block", "index"), _indexed(), ids=[str(block) for block, _ in _indexed()])
def test_jax_agrees_with_the_page(block: Block, index: int) -> None:
    """A bad block raises what its page names at a marked line, or its proof holds; the others run."""
    _skip_unless_runnable(block)
    source = block.code + (block.proof.code if block.proof else "")
    assert _verdict(block.page, index, source) == ""


@pytest.mark.parametrize("path", fixture_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_jax_agrees_with_the_fixture(path: Path) -> None:
    """`prove()` shows each error and symptom, and that the clean functions run."""
    _skip_unless_installed(fixture_requires(path))
    assert _verdict(path, None, path.read_text(encoding="utf-8")) == ""


@pytest.mark.parametrize("block", rulebook_blocks(), ids=str)
def test_the_block_is_well_formed(block: Block) -> None:
    """Bad blocks are marked and proved, good and silent ones bear no mark; and each is short."""
    assert len(block.source.splitlines()) <= LINES
    if block.kind == "bad":
        assert block.slug in {slug for _, slug in block.expected}
        assert "raises" in block.options or block.proof or block.options.get("run") == "no"
        return
    assert "raises" not in block.options
    assert block.kind == "fixed" or not block.expected
