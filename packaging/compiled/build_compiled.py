#!/usr/bin/env python3
"""Compile the modules that carry the time of a check (`modules.txt`) with mypyc, to stand beside their source.

The source in the repository stays what it is. mypyc gets a copy, in which three things are rewritten that it does not
compile: annotations of fields, which it would evaluate though their names may be those of type checkers alone; the
slots of dataclasses, which compiled classes have anyway; and classes that others derive from, which it must be told.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: Classes from which modules that are not compiled derive others.
OPEN = {"Interpreter", "Table"}
#: Optimisation by the C compiler; the figures of docs/speed.md are of this level.
LEVEL = os.environ.get("JAXLINT_COMPILE_LEVEL", "1")
_SLOTS = re.compile(r"\bslots=True(, )?|, slots=True")
_OPEN_CLASS = re.compile(rf"^(?=class (?:{'|'.join(sorted(OPEN))}):)", re.MULTILINE)
_OPENED = """if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
@mypyc_attr(allow_interpreted_subclasses=True)
"""

Edit = tuple[ast.expr, Callable[[str], str]]


def modules() -> list[str]:
    """The modules to compile, as paths from the folder with the package."""
    return (HERE / "modules.txt").read_text(encoding="utf-8").split()


def rewritten(text: str) -> str:
    """A module as mypyc compiles it; below an open class, lines are three further down."""
    lines = text.splitlines(keepends=True)
    for node, change in sorted(_edits(ast.parse(text)), key=lambda e: (e[0].lineno, e[0].col_offset), reverse=True):
        line = lines[node.lineno - 1].encode()
        start, end = node.col_offset, node.end_col_offset
        if node.end_lineno != node.lineno:
            sys.exit(f"compile: what must be rewritten is on several lines: {ast.unparse(node)}")
        lines[node.lineno - 1] = (line[:start] + change(line[start:end].decode()).encode() + line[end:]).decode()
    return _OPEN_CLASS.sub(_OPENED, "".join(lines))


def _edits(tree: ast.Module) -> Iterator[Edit]:
    unknown = _known_to_type_checkers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            fields = [each.annotation for each in node.body if isinstance(each, ast.AnnAssign)]
            if "NamedTuple" in map(_name, node.bases):
                yield from ((each, repr) for each in fields)
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _name(decorator) == "dataclass":
                    yield decorator, _without_slots
                    yield from ((each, _doubled) for each in fields if _name(each).partition(".")[0] in unknown)


def _known_to_type_checkers(tree: ast.Module) -> set[str]:
    """Names that are imported for type checkers alone."""
    blocks = (node.body for node in tree.body if isinstance(node, ast.If) and _name(node.test) == "TYPE_CHECKING")
    imports = (each for block in blocks for each in block if isinstance(each, ast.Import | ast.ImportFrom))
    return {(alias.asname or alias.name).partition(".")[0] for each in imports for alias in each.names}


def _name(node: ast.expr) -> str:
    """The name of a class, a type or a decorator, whatever it is given."""
    return ast.unparse(node).partition("(")[0].partition("[")[0]


def _doubled(annotation: str) -> str:
    """The same type, which mypyc does not evaluate: of a union it makes no class."""
    return f"{annotation} | {annotation}"


def _without_slots(decorator: str) -> str:
    return _SLOTS.sub("", decorator)


def compile_package(source: Path, target: Path) -> list[Path]:
    """Compile the package in `source`; gives the extension modules, in `target` at the paths that they import as."""
    with tempfile.TemporaryDirectory(prefix="jaxlint-compiled-") as scratch:
        work = Path(scratch)
        shutil.copytree(source / "jaxlint", work / "jaxlint", ignore=shutil.ignore_patterns("__pycache__"))
        names = modules()
        for name in names:
            path = work / name
            path.write_text(rewritten(path.read_text(encoding="utf-8")), encoding="utf-8")
        subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), "--build", str(target), *names], cwd=work, check=True
        )
    return sorted(path for path in target.rglob("*") if path.suffix in {".so", ".pyd"})


def _build(target: str, names: list[str]) -> None:
    """Build extension modules of the package in the working directory; ends the process where that fails."""
    from mypyc.build import mypycify
    from setuptools import setup
    from setuptools.command.build_ext import build_ext

    class Parallel(build_ext):
        """Runs one C compiler for each core."""

        def build_extensions(self) -> None:
            one_by_one = self.compiler.compile

            def compile(sources: list[str], *args: object, **options: object) -> list[str]:  # noqa: A001 - its name
                def one(source: str) -> list[str]:
                    return one_by_one([source], *args, **options)

                with ThreadPoolExecutor(os.cpu_count()) as pool:
                    return [made for each in pool.map(one, sources) for made in each]

            self.compiler.compile = compile
            super().build_extensions()

    extensions = mypycify(
        ["--strict", *names],
        opt_level=LEVEL, debug_level="0", multi_file=True, target_dir="generated", group_name="jaxlint",
    )  # fmt: skip
    setup(
        name="jaxlint",
        packages=[],
        ext_modules=extensions,
        cmdclass={"build_ext": Parallel},
        script_args=["--quiet", "build_ext", "--build-lib", target, "--build-temp", "objects"],
    )


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--build", target, *names]:
            _build(target, names)
        case [target]:
            compile_package(HERE.parent.parent, Path(target).resolve())
        case _:
            sys.exit(f"usage: {sys.argv[0]} FOLDER")
