"""Every block of the rulebook and every fixture does on the installed JAX what it claims."""

from __future__ import annotations

import importlib.util
import multiprocessing
import os
import re
from collections import Counter
from collections.abc import Iterable
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.rulebook_blocks import Block, fixture_files, fixture_requires, rulebook_blocks, run_block, run_fixture

pytestmark = pytest.mark.jax

SECONDS = 120  # for one block
LINES = 30  # a block is an example, not a program


def _indexed() -> list[tuple[Block, int]]:
    """Each block with its place among the blocks of its page."""
    seen: Counter[Path] = Counter()
    pairs = []
    for block in rulebook_blocks():
        pairs.append((block, seen[block.page]))
        seen[block.page] += 1
    return pairs


def _send(connection: Connection, kind: str, path: str, index: int) -> None:
    """Body of the forked child: the verdict goes back as text, and the child leaves."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    if Path(path).parent.name in ("sharding", "transforms"):
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
    connection.send(run_fixture(path) if kind == "fixture" else run_block(path, index))


def _in_fork(kind: str, path: Path, index: int = 0) -> str:
    """Run in a child forked from a server that has imported JAX and started no backend."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["jax", "jax.numpy", "tests.rulebook_blocks"])
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(sender, kind, str(path), index))
    child.start()
    sender.close()
    try:
        return str(receiver.recv()) if receiver.poll(SECONDS) else f"still running after {SECONDS} s"
    except EOFError:
        return f"the child ended with status {child.exitcode}"
    finally:
        child.kill()
        child.join()


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
    assert _in_fork("block", block.page, index) == ""


@pytest.mark.parametrize("path", fixture_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_jax_agrees_with_the_fixture(path: Path) -> None:
    """`prove()` shows each error and symptom, and that the clean functions run."""
    _skip_unless_installed(fixture_requires(path))
    assert _in_fork("fixture", path) == ""


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
