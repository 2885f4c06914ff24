"""What each path of the command line imports: start-up time is held by what is not loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import FAKE, ROOT, project, real_jaxlint

HEAVY = ("libcst", "jax", "numpy", "rich", "markdown_it", "pygls")
PARSING = (
    *HEAVY,
    "jaxlint.engine.session",
    "jaxlint.syntax.lower",
    "jaxlint.analysis",
    "jaxlint.jaxapi",
    "jaxlint.rules.rule",
    "multiprocessing",
)

_REPORT = """
import json, sys
sys.path.insert(0, {root!r})
from jaxlint.cli.options import main
code = main({arguments!r})
json.dump([code, sorted(sys.modules)], open({out!r}, "w"))
"""


def modules_after(tmp_path: Path, *arguments: str, cwd: Path | None = None) -> tuple[int, set[str]]:
    out = tmp_path / "modules.json"
    code = _REPORT.format(root=str(ROOT), arguments=list(arguments), out=str(out))
    subprocess.run([sys.executable, "-I", "-c", code], cwd=cwd or tmp_path, capture_output=True, check=True)
    status, modules = json.loads(out.read_text())
    return status, set(modules)


@pytest.mark.parametrize("arguments", [["version"], ["--version"], ["--help"], ["check", "--help"]])
def test_version_and_help_import_click_and_nothing_else(tmp_path: Path, arguments: list[str]) -> None:
    code, modules = modules_after(tmp_path, *arguments)
    assert code == 0
    assert not modules.intersection(PARSING)
    ours = {name for name in modules if name.startswith("jaxlint")}
    command_line = {f"jaxlint.cli.{name}" for name in ("help", "option_groups", "options")}
    assert ours == {"jaxlint", "jaxlint.cli", "jaxlint.version"} | command_line


def test_explain_imports_neither_parser_nor_rules(tmp_path: Path) -> None:
    code, modules = modules_after(tmp_path, "explain", "traced-branch")
    assert code == 0
    assert not modules.intersection(PARSING)


def test_rules_are_listed_without_the_parser(tmp_path: Path) -> None:
    code, modules = modules_after(tmp_path, "rules")
    assert code == 0
    assert not modules.intersection(HEAVY)


def test_an_unchanged_project_is_checked_without_parser_and_analysis(tmp_path: Path) -> None:
    folder = project(tmp_path / "p", {"a.py": "x = 1\n"}) if (tmp_path / "p").mkdir() is None else tmp_path
    first, _ = modules_after(tmp_path, "check", cwd=folder)
    second, modules = modules_after(tmp_path, "check", cwd=folder)
    assert (first, second) == (0, 0)
    assert not modules.intersection(PARSING)


def test_version() -> None:
    assert real_jaxlint("version").out == real_jaxlint("--version").out
    import tomllib

    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert real_jaxlint("version").out == f"jaxlint {stated}\n"


def test_explain_by_slug_and_code_and_what_is_nearest() -> None:
    by_slug, by_code = real_jaxlint("explain", "traced-branch"), real_jaxlint("explain", "jx301")
    assert by_slug.out == by_code.out
    assert by_slug.out.startswith("traced-branch (JX301, tracing)\n\nWhat it does\n")
    assert "# expect" not in by_slug.out
    assert real_jaxlint("explain", "JXE04").out.startswith("analysis-limited (JXE04, engine)\n")
    wrong = real_jaxlint("explain", "traced-brunch")
    assert (wrong.code, wrong.err) == (
        2,
        "jaxlint: error: unknown rule `traced-brunch`; did you mean `traced-branch`?\n",
    )


def test_explain_keeps_code_and_addresses_and_drops_paths_of_pages() -> None:
    shown = real_jaxlint("explain", "traced-container-index").out
    assert "`functions[i](x)`" in shown
    assert "(https://docs.jax.dev" in shown
    assert ".md)" not in shown


def test_rules_as_json() -> None:
    listed = json.loads(real_jaxlint("rules", "--output-format", "json").out)
    assert {"slug", "code", "family", "category", "severity", "default", "yields_to", "summary"} <= listed[0].keys()
    assert [rule["code"] for rule in listed] == sorted(rule["code"] for rule in listed)


def test_plugins_must_be_named_allowed_and_outside_the_project(tmp_path: Path) -> None:
    site = tmp_path / "site"
    project_folder = tmp_path / "project"
    project_folder.mkdir()
    project(project_folder, {"a.py": "import jax\n", "pyproject.toml": '[tool.jaxlint]\nplugins = ["my-rules"]\n'})
    plugin = (
        "from jaxlint.rules.rule import Rule\nfrom jaxlint.diagnostics import Category\n"
        "print('LOADED')\n"
        "MINE = Rule('my-rule', 'MY001', 'mine', Category.SUSPICIOUS, (), lambda e: iter(()), True, (), 'Mine.')\n"
    )
    for place in (site, project_folder):
        metadata = place / "my_rules-1.0.dist-info"
        metadata.mkdir(parents=True)
        (place / "my_rules.py").write_text(plugin)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-rules\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("[jaxlint.rules]\nmine = my_rules:MINE\n")

    def run(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(FAKE), "check", "a.py", "--no-cache", *arguments]
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(path), "HOME": str(tmp_path)}
        return subprocess.run(command, cwd=project_folder, env=env, capture_output=True, text=True, check=False)

    refused = run(site)
    assert refused.returncode == 0
    assert "my-rules is named by the project but not allowed" in refused.stderr
    assert "LOADED" not in refused.stdout
    allowed = run(site, "--allow-plugins", "my-rules", "--select", "my-rule")
    assert (allowed.returncode, allowed.stderr) == (0, "")
    assert "LOADED" in allowed.stdout
    inside = run(project_folder, "--allow-plugins", "my_rules")
    assert inside.returncode == 2
    assert "lies inside the checked project" in inside.stderr
    assert "LOADED" not in inside.stdout
    absent = run(tmp_path, "--allow-plugins", "my-rules")
    assert absent.stderr == "jaxlint: error: plugins: the plug-in my-rules is not installed beside jaxlint\n"
