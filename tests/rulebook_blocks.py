"""The code blocks of the rule pages and the fixture files, and how one of them is run on JAX."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "rules"
FIXTURES = ROOT / "tests" / "fixtures"
KINDS = ("bad", "proof", "fixed", "good", "silent")

_FENCE = re.compile(r"^```python[ ]+(?P<info>[^\n`]+)\n(?P<code>.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r'(?P<name>[a-z]+)(?:=|(?P<since>>=))(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+))')
_MARK = re.compile(r"[ \t]*# expect: (?P<slugs>[a-z0-9-]+(?:, [a-z0-9-]+)*)[ \t]*$", re.MULTILINE)
_REQUIRES = re.compile(r"^# requires: (?P<modules>.+)$", re.MULTILINE)


def marks(source: str) -> frozenset[tuple[int, str]]:
    """The (line, slug) pairs that `# expect: a, b` comments announce."""
    lines = enumerate(source.splitlines(), start=1)
    found = ((number, mark) for number, line in lines if (mark := _MARK.search(line)))
    return frozenset((number, slug) for number, mark in found for slug in mark["slugs"].split(", "))


def without_marks(source: str) -> str:
    """The source as a user would write it: the same lines, no `# expect` comments."""
    return _MARK.sub("", source)


@dataclass(frozen=True, slots=True)
class Block:
    """One python fence of a rule page. `line` is the fence's own, so code line n stands at `line + n`."""

    page: Path
    line: int
    kind: str
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    proof: Block | None = None

    def __str__(self) -> str:
        return f"{self.page.relative_to(PAGES).with_suffix('')}:{self.line}:{self.kind}"

    @property
    def slug(self) -> str:
        """The rule that the page is about."""
        return self.page.stem

    @property
    def code(self) -> str:
        """What the linter and JAX get."""
        return without_marks(self.source)

    @property
    def expected(self) -> frozenset[tuple[int, str]]:
        """The (line, slug) pairs that all rules together must find."""
        return marks(self.source)

    @property
    def requires(self) -> tuple[str, ...]:
        """Distributions besides JAX that the block imports."""
        return tuple(filter(None, self.options.get("requires", "").split(",")))


def blocks_of(page: Path) -> Iterator[Block]:
    """The blocks of one page in order; a proof hangs on the bad block above it and comes alone no more."""
    pending: Block | None = None
    for block in _fences(page):
        if block.kind == "proof":
            if pending is None or pending.kind != "bad":
                raise ValueError(f"{page}:{block.line}: a proof block must follow a bad block")
            yield Block(pending.page, pending.line, pending.kind, pending.source, pending.options, block)
            pending = None
            continue
        if pending is not None:
            yield pending
        pending = block
    if pending is not None:
        yield pending


def _fences(page: Path) -> Iterator[Block]:
    text = page.read_text(encoding="utf-8")
    for fence in _FENCE.finditer(text):
        kind, _, rest = fence["info"].strip().partition(" ")
        line = text.count("\n", 0, fence.start()) + 1
        if kind not in KINDS:
            raise ValueError(f"{page}:{line}: unknown kind of block {kind!r}")
        options = {o["name"]: o["quoted"] or o["plain"] for o in _OPTION.finditer(rest)}
        yield Block(page, line, kind, fence["code"], options)


def rulebook_blocks() -> list[Block]:
    """All blocks of all pages, by page and line."""
    return [block for page in sorted(PAGES.glob("*/*.md")) for block in blocks_of(page)]


def fixture_files() -> list[Path]:
    """All fixture files, sorted."""
    return sorted(FIXTURES.glob("*/*.py"))


def fixture_requires(path: Path) -> tuple[str, ...]:
    """Modules besides JAX that a fixture imports, from its line `# requires: a, b`."""
    found = _REQUIRES.search(path.read_text(encoding="utf-8"))
    return tuple(found["modules"].split(", ")) if found else ()


def run_block(page: str, index: int) -> str:
    """Run one block of a page in this process; return what disagrees with the page, "" if nothing does."""
    block = list(blocks_of(Path(page)))[index]
    module = _module("rulebook_block", page)
    with _quiet():
        failure = _execute(block.code, block.line, module)
        if "raises" in block.options:
            return _judge_raise(block, failure)
        if failure is None and block.proof is not None:
            failure = _execute(block.proof.code, block.proof.line, module)
    return "" if failure is None else "".join(traceback.format_exception(failure))


def run_fixture(path: str) -> str:
    """Import a fixture file and call its `prove()`; return the traceback, "" if it passes."""
    module = _module("rulebook_fixture", path)
    with _quiet():
        failure = _execute(Path(path).read_text(encoding="utf-8"), 0, module)
        if failure is None:
            failure = _execute(f"import {module.__name__}; {module.__name__}.prove()", 0, _module("proof", "<proof>"))
    return "" if failure is None else "".join(traceback.format_exception(failure))


def _module(name: str, path: str) -> types.ModuleType:
    """A module that classes and dataclasses of the block can find in `sys.modules`."""
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = path
    return module


def _execute(code: str, line: int, module: types.ModuleType) -> Exception | None:
    try:
        exec(compile("\n" * line + code, str(module.__file__), "exec", dont_inherit=True), module.__dict__)
    except Exception as error:
        return error
    return None


def _judge_raise(block: Block, error: Exception | None) -> str:
    """A bad block must raise the class its page names, and from a marked line."""
    wanted = _resolve(block.options["raises"])
    if error is None:
        return f"nothing was raised, expected {block.options['raises']}"
    if not isinstance(error, wanted):
        return "".join(traceback.format_exception(error))
    frames = traceback.extract_tb(error.__traceback__)
    passed = {frame.lineno or 0 for frame in frames if frame.filename == str(block.page)}
    marked = {block.line + line for line, _ in block.expected}
    return "" if passed & marked else f"raised through lines {sorted(passed)}, marked are {sorted(marked)}"


def _resolve(qualname: str) -> type[BaseException]:
    """The exception class of a dotted name; a bare name is a builtin."""
    module, _, name = qualname.rpartition(".")
    found: object = getattr(importlib.import_module(module or "builtins"), name)
    if not (isinstance(found, type) and issubclass(found, BaseException)):
        raise TypeError(f"{qualname} is no exception class")
    return found


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Warnings and prints belong to the block; files it writes go to a folder of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        os.chdir(folder)  # the way back is the caller's
        yield
