"""A document checked again and again, in a project of several modules, holds what `check` finds in its file."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from jaxlint.diagnostics import Diagnostic
from jaxlint.engine.session import Request, open_session
from jaxlint.files.discovery import FoundFile
from jaxlint.lsp.checks import Check
from jaxlint.lsp.loaded_files import LoadedFiles
from jaxlint.lsp.projects import Projects, ServerOptions
from jaxlint.syntax.deep_stack import run_deep
from tests.lsp.test_checks import PIECES, go_on, told, update, versions
from tests.rulebook_blocks import without_marks

#: Which modules each of them imports; in every other project the last one imports the open document, too.
IMPORTS = {"a": "bcd", "b": "cd", "c": "d", "d": ""}


class OpenProject:
    """Modules in a folder, of which `a` is open; all rules are on."""

    def __init__(self, folder: Path, texts: dict[str, str]) -> None:
        self.folder, self.texts = folder, dict(texts)
        (folder / "jaxlint.toml").write_text('select = ["ALL"]\nmin-confidence = "possible"\n', encoding="utf-8")
        for name, text in texts.items():
            self._write(name, text)
        self.projects = Projects(ServerOptions(), folders=[str(folder)])
        check = self.projects.check(self._path("a"))
        assert check is not None
        self.check: Check = check

    def edit(self, name: str, text: str) -> None:
        """Change the document, or a file that it may import."""
        self.texts[name] = text
        if name != "a":
            self._write(name, text)
            self.projects.others_changed(self._path(name))

    def quick(self) -> list[Diagnostic]:
        """The first answer to an edit."""
        return update(self.check, self.texts["a"])

    def whole(self) -> list[Diagnostic]:
        """The second answer, of the whole file."""
        return run_deep(lambda: self.check.complete(go_on))

    def fresh(self) -> list[Diagnostic]:
        """What `jaxlint check` finds in the file."""
        path = self._path("a")
        request = Request(
            [FoundFile(path, str(self.folder), None)],
            self.projects.configuration(str(self.folder)),
            contents={path: self.texts["a"].encode()},
        )
        return list(open_session(request, LoadedFiles()).check().diagnostics)

    def _path(self, name: str) -> str:
        return str(self.folder / f"{name}.py")

    def _write(self, name: str, text: str) -> None:
        (self.folder / f"{name}.py").write_text(text, encoding="utf-8")


def functions_of(text: str) -> list[str]:
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def linked(choose: random.Random, *, circular: bool = False) -> dict[str, str]:
    """Modules of examples, whose functions are called across the modules with arrays and with keys."""
    texts: dict[str, str] = {}
    for name, imported in reversed(IMPORTS.items()):
        body = [without_marks(piece) for piece in choose.sample(PIECES, 2)]
        calls = [f"{other}.{each}" for other in imported for each in functions_of(texts[other])]
        for number, callee in enumerate(choose.sample(calls, min(len(calls), 4))):
            body.append(f"def linked_{name}_{number}(x, key):\n    y = {callee}(x)\n    return {callee}(key), y\n")
        body += [f"{callee}(jax.random.key(0))\n" for callee in calls[:1]]
        texts[name] = "".join(f"import {each}\n" for each in imported) + "import jax\n" + "\n\n".join(body)
    if circular:
        texts["d"] += f"\n\nimport a\n\n\ndef back(x):\n    return a.{functions_of(texts['a'])[0]}(x)\n"
    return texts


@pytest.mark.parametrize("number", range(6))
def test_every_answer_is_that_of_a_fresh_check(tmp_path: Path, number: int) -> None:
    choose = random.Random(number)
    project = OpenProject(tmp_path, linked(choose, circular=number % 2 == 1))
    assert told(project.quick()) == told(project.fresh())
    for step in range(6):
        name = choose.choice("aaabcd")
        [text] = versions(project.texts[name], 1, seed=100 * number + step)
        project.edit(name, text)
        quick, whole = project.quick(), project.whole()
        if name == "a":  # a change of another file is answered in full alone
            assert [each[:2] for each in told(quick)] == [each[:2] for each in told(whole)]
        if not project.check.file.mistakes:
            assert told(whole) == told(project.fresh())


REUSE = "import jax\n\n\ndef draw(key):\n    x = jax.random.normal(key)\n    return x + jax.random.normal(key)\n"


def test_a_reuse_in_an_imported_module_hides_none_in_the_document(tmp_path: Path) -> None:
    project = OpenProject(tmp_path, {"a": f"import b\n{REUSE}\n\nb.draw(jax.random.key(0))\n", "b": REUSE, "c": ""})
    for count in range(3):
        assert [found.rule for found in project.quick()] == ["key-reuse"]
        assert told(project.whole()) == told(project.fresh())
        project.edit("b" if count else "a", project.texts["b" if count else "a"] + "# more\n")
        assert told(project.whole()) == told(project.fresh())
        assert [found.rule for found in project.whole()] == ["key-reuse"]
