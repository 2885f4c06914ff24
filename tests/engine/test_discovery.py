"""Which files are found, where they belong and what they are called."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from jaxlint.config import ConfigError, load_configuration
from jaxlint.config.roots import project_root
from jaxlint.files.discovery import discover
from jaxlint.files.gitignore import Matcher
from jaxlint.files.module_index import ModuleIndex, import_roots, module_index, module_name
from tests.cli.command_line import project


def names(folder: Path, *paths: str, **settings) -> list[str]:
    configuration = load_configuration(
        command_line=settings.pop("settings", {}), environment={}, isolated=False, working_directory=str(folder)
    )
    files = discover(paths or (".",), configuration, str(folder)).files
    return [str(Path(f.path).relative_to(folder)) for f in files]


def test_ignore_files_nest_and_negate(tmp_path: Path) -> None:
    files = ("a.py", "gen/b.py", "gen/keep.py", "sub/c.py", "sub/d.py", "sub/deep/d.py", "logs/e.py")
    project(tmp_path, dict.fromkeys(files, ""))
    project(tmp_path, {".gitignore": "/logs/\ngen/*\n!gen/keep.py\nd.py\n", "sub/.gitignore": "c.py\n!/d.py\n"})
    assert names(tmp_path) == ["a.py", "gen/keep.py", "sub/d.py"]
    everything = names(tmp_path, settings={"respect-gitignore": False})
    assert len(everything) == 7


def test_an_ignored_folder_that_is_named_is_walked(tmp_path: Path) -> None:
    project(tmp_path, {".gitignore": "corpus/\n", "corpus/x/a.py": "", "b.py": ""})
    assert names(tmp_path) == ["b.py"]
    assert names(tmp_path, "corpus") == ["corpus/x/a.py"]
    assert names(tmp_path, "corpus", settings={"force-exclude": True}) == []


def test_exclusion(tmp_path: Path) -> None:
    project(tmp_path, dict.fromkeys(("a.py", "build/b.py", "x/c.py", "x/y/d.py", ".venv/lib/e.py"), ""))
    assert names(tmp_path) == ["a.py", "x/c.py", "x/y/d.py"]
    assert names(tmp_path, settings={"extend-exclude": ["x/y"]}) == ["a.py", "x/c.py"]
    assert names(tmp_path, settings={"exclude": ["x"]}) == [".venv/lib/e.py", "a.py", "build/b.py"]
    assert names(tmp_path, "build/b.py") == ["build/b.py"]
    assert names(tmp_path, "build/b.py", "a.py", settings={"force-exclude": True}) == ["a.py"]


def test_included_names(tmp_path: Path) -> None:
    project(tmp_path, dict.fromkeys(("a.py", "b.pyx", "script"), ""))
    assert names(tmp_path) == ["a.py"]
    assert names(tmp_path, settings={"include": ["*.pyx"]}) == ["b.pyx"]
    assert names(tmp_path, "script", "a.py", "a.py", ".") == ["a.py", "script"]


def test_missing_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere: no such file or folder"):
        names(tmp_path, "nowhere")


_USUAL = """\
b.py
b*
*.py
a/b.py
/a/
a/
a
**/b.py
a/**
a/**/b.py
**/c
**
b.[po]y
b.[!o]y
b.[^p]y
b.[z-a]y
b.[z-ap]y
?.py
*/b.py
/a/b.py
a/c
a/c/
*c/
a//b.py
foo\\
[b
[]b].py
[[:alpha:]].py
[[:nonsense:]].py
[\\]b].py
\\b.py
\\#x
\\!x
*[*]*
a[/]b.py
***.txt
*.py\n!b.py
*\n!*/\n!b.py
!x\n[z-a]
/*\n!/a\n/a/c
"""
PATTERNS = (*_USUAL.splitlines(), "b.py   ", "sp\\ ")
TREE = ("b.py", "a/b.py", "c/b.py", "a/c/d.txt", "a.txt", "sp ", "#x", "!x", "]", "a/x/y/b.py", "st*r", "éa/b.py")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_mean_what_they_mean_to_git(pattern: str, tmp_path: Path) -> None:
    lines = pattern.split("\\n")
    subprocess.run(("git", "init", "-q", tmp_path), check=True)
    (tmp_path / ".gitignore").write_text("\n".join(lines) + "\n")
    for path in TREE:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    asked = ("git", "-c", "core.quotePath=false", "-C", tmp_path, "ls-files", "--others", "--exclude-standard", "-z")
    kept = subprocess.run(asked, capture_output=True, check=True, text=True).stdout.split("\0")
    ignored = [path for path in TREE if Matcher(str(tmp_path), lines).match_with_parents(str(tmp_path / path))]
    assert ignored == [path for path in TREE if path not in kept]


def test_no_pattern_takes_for_ever() -> None:
    for pattern in ("*a" * 40 + "b", "**/a/" * 40 + "b", "[a-z]*" * 40 + "9"):
        assert not Matcher("/r", ["!x", pattern]).match("/r/" + "a/" * 40 + "a" * 200, is_folder=False)


def test_patterns_that_mean_nothing_are_told(tmp_path: Path) -> None:
    project(tmp_path, {"a.py": "", ".gitignore": "[z-a]\n!keep\nfoo\\\n"})
    configuration = load_configuration(command_line={}, environment={}, isolated=True, working_directory=str(tmp_path))
    found = discover((".",), configuration, str(tmp_path))
    assert len(found.files) == 1
    assert found.warnings == [f"{tmp_path}/.gitignore: the pattern `foo\\` is not complete, and matches nothing"]


def test_project_roots_stop_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    repository = tmp_path / "repository"
    project(repository, {"p/setup.cfg": "", "p/q/a.py": "", "r/b.py": ""}) if repository.mkdir() is None else None
    assert project_root(str(repository / "p" / "q")) == str(repository / "p")
    assert project_root(str(repository / "r"), str(repository)) == str(repository)
    assert project_root(str(repository / "r")) == str(repository / "r")


def test_module_names(tmp_path: Path) -> None:
    project(tmp_path, dict.fromkeys(("pyproject.toml", "src/pkg/__init__.py", "src/pkg/m.py", "tools/t.py"), ""))
    roots = import_roots(str(tmp_path))
    assert roots == (str(tmp_path / "src"), str(tmp_path))
    assert module_name(str(tmp_path / "src/pkg/m.py"), roots) == ("pkg.m", False)
    assert module_name(str(tmp_path / "src/pkg/__init__.py"), roots) == ("pkg", True)
    assert module_name(str(tmp_path / "tools/t.py"), roots) == ("tools.t", False)


def test_a_package_of_the_name_src_is_imported_from_above_it(tmp_path: Path) -> None:
    project(
        tmp_path,
        dict.fromkeys(("pyproject.toml", "src/__init__.py", "src/a/__init__.py", "src/a/m.py", "src/b.py"), ""),
    )
    index = module_index(str(tmp_path), None, [])
    assert module_name(str(tmp_path / "src/a/m.py"), index.roots) == ("src.a.m", False)
    assert index.find("src.b") == index.find("b") == str(tmp_path / "src/b.py")


def test_a_root_inside_a_package_is_imported_from_outside_it(tmp_path: Path) -> None:
    project(
        tmp_path, dict.fromkeys(("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/m.py", "other/__init__.py"), "")
    )
    root = str(tmp_path / "pkg" / "sub")
    index = module_index(root, None, [f"{root}/m.py"])
    assert module_name(f"{root}/m.py", index.roots) == ("pkg.sub.m", False)
    assert index.find("pkg.sub.m") == f"{root}/m.py"
    assert index.find("other") is None


def test_a_top_folder_with_a_stray_initializer_sees_its_neighbours(tmp_path: Path) -> None:
    top = ("__init__.py", "README.md", "main.py", "parts/__init__.py", "parts/m.py")
    project(tmp_path, dict.fromkeys((*(f"tree/{name}" for name in top), "parts/m.py", "other.py"), ""))
    root = str(tmp_path / "tree")
    index = module_index(root, None, [f"{root}/main.py"])
    assert index.find("parts.m") == f"{root}/parts/m.py"
    assert index.find("tree.parts.m") == f"{root}/parts/m.py"
    assert index.find("other") is None
    assert module_name(f"{root}/parts/m.py", index.roots) == ("tree.parts.m", False)


def test_a_namespace_package_does_not_replace_the_standard_library(tmp_path: Path) -> None:
    project(tmp_path, dict.fromkeys(("pkg/__init__.py", "pkg/common/typing.py", "pkg/common/mine.py", "code.py"), ""))
    index = module_index(str(tmp_path), None, [f"{tmp_path}/pkg/common/typing.py"])
    assert index.find("typing") is None
    assert index.find("pkg.common.typing") == f"{tmp_path}/pkg/common/typing.py"
    assert index.find("mine") == f"{tmp_path}/pkg/common/mine.py"
    assert index.find("code") == f"{tmp_path}/code.py"


def test_modules_are_found_by_probing(tmp_path: Path) -> None:
    project(
        tmp_path,
        dict.fromkeys(("pkg/__init__.py", "pkg/m.py", "ns/x.py", "one/util.py", "two/util.py", "one/only.py"), ""),
    )
    folders = (str(tmp_path / "one"), str(tmp_path / "two"))
    index = ModuleIndex((str(tmp_path),), folders)
    assert index.find("pkg") == str(tmp_path / "pkg/__init__.py")
    assert index.find("pkg.m") == str(tmp_path / "pkg/m.py")
    assert index.find("ns.x") == str(tmp_path / "ns/x.py")
    assert index.find("only") == str(tmp_path / "one/only.py")
    assert index.find("util") is None
    assert index.find("pkg.none") is None
    assert index.find("../pkg") is None
    assert index.find("") is None
