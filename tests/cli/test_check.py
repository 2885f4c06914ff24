"""`jaxlint check` as a process: what it finds, shows, counts and answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command_line import jaxlint_here as jaxlint
from tests.cli.command_line import project

A = "import jax\nFLAG_BRANCH\nFLAG_REUSE\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path, {"pyproject.toml": "", "a.py": A, "pkg/__init__.py": "", "pkg/b.py": "import jax\n"})


def check(folder: Path, *arguments: str, **options):
    return jaxlint("check", "--output-format", "json", *arguments, cwd=folder, **options)


def test_findings_give_exit_code_one(folder: Path) -> None:
    done = check(folder)
    assert done.code == 1
    assert done.found == [("a.py", 2, "traced-branch"), ("a.py", 3, "key-reuse")]
    assert done.json["summary"] == {
        "files_checked": 3, "diagnostics": 2, "causes": 2, "fixable": 0, "fixed": 0, "suppressed": 0, "baselined": 0,
        "by_rule": {"key-reuse": 1, "traced-branch": 1},
    }  # fmt: skip
    assert done.err == ""


def test_nothing_found_gives_zero(folder: Path) -> None:
    done = jaxlint("check", "pkg", cwd=folder)
    assert (done.code, done.out, done.err) == (0, "No problems found in 2 files.\n", "")


def test_exit_zero(folder: Path) -> None:
    done = check(folder, "--exit-zero")
    assert done.code == 0
    assert len(done.found) == 2


def test_missing_path_is_wrong_use(folder: Path) -> None:
    done = check(folder, "nowhere", "a.py")
    assert (done.code, done.out, done.err) == (2, "", "jaxlint: error: nowhere: no such file or folder\n")


def test_an_empty_path_is_no_current_folder(folder: Path) -> None:
    done = check(folder, "", "--fix")
    assert (done.code, done.out, done.err) == (2, "", "jaxlint: error: a path is empty; `.` is the current folder\n")


@pytest.mark.parametrize(("options", "err"), [
    (["--select", ""], "jaxlint: warning: no rule is on: `select` is empty\n"),
    (["--select", "", "--extend-select", "key-reuse"], ""),
    (["--ignore", "ALL"], ""),
])  # fmt: skip
def test_an_empty_selection_is_told(folder: Path, options: list[str], err: str) -> None:
    assert check(folder, *options).err == err


def test_no_python_files_is_a_warning(tmp_path: Path) -> None:
    done = jaxlint("check", cwd=tmp_path)
    assert done.code == 0
    assert done.err == "jaxlint: warning: no Python files found under .\n"


def test_paths_are_relative_to_the_working_directory_and_absolute_outside(folder: Path) -> None:
    assert check(folder / "pkg", "../a.py").found[0][0] == str(folder / "a.py")
    assert check(folder / "pkg", str(folder / "pkg")).json["diagnostics"] == []


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (["--select", "key-reuse"], {"key-reuse"}),
        (["--select", "JX3"], {"traced-branch"}),
        (["--select", "random,JX301"], {"key-reuse", "traced-branch"}),
        (["--select", "correctness", "--ignore", "JX2"], {"traced-branch"}),
        (["--select", "JX201", "--ignore", "random"], {"key-reuse"}),
        (["--ignore", "ALL"], set()),
        (["--per-file-ignores", "a.py:JX301"], {"key-reuse"}),
        (["--min-confidence", "certain"], {"traced-branch"}),
    ],
)
def test_selection(folder: Path, arguments: list[str], rules: set[str]) -> None:
    assert {rule for _, _, rule in check(folder, *arguments).found} == rules


def test_pedantic_rules_must_be_asked_for(folder: Path) -> None:
    project(folder, {"a.py": "import jax; FLAG_PEDANTIC"})
    assert check(folder).found == []
    assert check(folder, "--extend-select", "JX208").found == [("a.py", 1, "legacy-prng-key")]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], False),
        (["--preview"], True),
        (["--config", "preview = true"], True),
        (["--config", "preview = true", "--no-preview"], False),
        (["--select", "random"], False),
        (["--select", "ALL"], False),
        (["--select", "early"], True),
        (["--extend-select", "JX209"], True),
        (["--select", "random", "--preview"], True),
        (["--preview", "--ignore", "JX2"], False),
        (["--config", 'per-file-select = { "a.py" = ["random"] }'], False),
        (["--config", 'per-file-select = { "a.py" = ["early"] }'], True),
    ],
)
def test_rules_in_preview_must_be_named_or_asked_for(folder: Path, arguments: list[str], found: bool) -> None:
    project(folder, {"a.py": "import jax; FLAG_PREVIEW"})
    assert check(folder, *arguments).found == [("a.py", 1, "early")] * found


def test_precedence_command_line_config_environment_file(folder: Path) -> None:
    project(
        folder, {"pyproject.toml": '[tool.jaxlint]\nmin-confidence = "certain"\n', "a.py": "import jax; FLAG_MAYBE"}
    )
    env = {"JAXLINT_MIN_CONFIDENCE": "possible"}
    config = ["--config", 'min-confidence = "likely"']
    assert check(folder).found == []
    assert len(check(folder, env=env).found) == 1
    assert check(folder, *config, env=env).found == []
    assert len(check(folder, *config, "--min-confidence", "possible", env=env).found) == 1
    assert check(folder, "--isolated", env=env).found == []


def test_a_selection_overrules_weaker_ignores(folder: Path) -> None:
    project(folder, {"pyproject.toml": '[tool.jaxlint]\nignore = ["traced-branch"]\n'})
    assert [rule for _, _, rule in check(folder).found] == ["key-reuse"]
    assert [rule for _, _, rule in check(folder, "--select", "JX301").found] == ["traced-branch"]


def test_random_family_is_ignored_in_tests(folder: Path) -> None:
    project(folder, {"tests/deep/x.py": A, "test_y.py": A})
    found = [f for f in check(folder).found if f[0] != "a.py"]
    assert found == [("test_y.py", 2, "traced-branch"), ("tests/deep/x.py", 2, "traced-branch")]
    assert len(check(folder, "--config", "tests = []").found) == 6


def test_nearest_configuration_decides_what_is_shown(folder: Path) -> None:
    project(folder, {"pkg/jaxlint.toml": 'ignore = ["JX3"]', "pkg/b.py": A})
    assert [f for f in check(folder).found if f[0] == "pkg/b.py"] == [("pkg/b.py", 3, "key-reuse")]


def test_analysis_settings_come_from_the_root(folder: Path) -> None:
    project(folder, {"pyproject.toml": '[tool.jaxlint]\ntarget-jax = "0.4.30"\n'})
    assert check(folder).json["diagnostics"][0]["notes"][1]["message"] == "target 0.4.30"
    assert check(folder, "--target-jax", "0.5.0").json["diagnostics"][0]["notes"][1]["message"] == "target 0.5.0"


def test_one_cause_one_report(folder: Path) -> None:
    project(folder, {"a.py": "import jax\nFLAG_BOTH\n"})
    assert check(folder).found == [("a.py", 2, "traced-branch")]
    assert check(folder, "--select", "JX312").found == [("a.py", 2, "tracer-formatting")]


def test_fingerprints_survive_edits_elsewhere_and_tell_equals_apart(folder: Path) -> None:
    project(folder, {"a.py": "import jax\nFLAG_BRANCH\nFLAG_BRANCH\n"})
    before = [d["fingerprint"] for d in check(folder).json["diagnostics"]]
    project(folder, {"a.py": "import jax\n\nx = 1\nFLAG_BRANCH\ny = 2\nFLAG_BRANCH\n"})
    after = [d["fingerprint"] for d in check(folder).json["diagnostics"]]
    assert before == after
    assert len(set(before)) == 2


def test_same_bytes_for_all_orders_and_jobs(folder: Path) -> None:
    project(folder, {f"m{i}.py": A for i in range(12)})
    names = [f"m{i}.py" for i in range(12)]
    one = check(folder, *names, "-j1", "--no-cache")
    two = check(folder, *reversed(names), "-j3", "--no-cache")
    assert one.out == two.out


def test_a_file_that_the_analysis_fails_on_is_one_diagnostic(folder: Path) -> None:
    project(folder, {"a.py": "import jax\nFLAG_CRASH\n", "c.py": A})
    found = check(folder).found
    assert found == [("a.py", 1, "analysis-failed"), ("c.py", 2, "traced-branch"), ("c.py", 3, "key-reuse")]


def test_syntax_errors_are_reported_whatever_is_selected(folder: Path) -> None:
    project(folder, {"bad.py": "import jax\ndef f(:\n", "worse.py": "x = (\n"})
    done = check(folder, "--select", "JX201")
    assert [(p, r) for p, _, r in done.found] == [
        ("a.py", "key-reuse"), ("bad.py", "syntax-error"), ("worse.py", "syntax-error"),
    ]  # fmt: skip


def test_modules_of_the_project_are_found_for_the_analysis(folder: Path) -> None:
    project(folder, {"a.py": "import jax\nimport pkg.b\nimport pkg.plain\n", "pkg/plain.py": "x = 1\ny = 2\n"})
    done = jaxlint("check", "--statistics", cwd=folder)
    assert "pkg.b has 1 statements" in done.out
    assert "pkg.plain has 2 statements" in done.out


def test_statistics_in_json(folder: Path) -> None:
    done = jaxlint("check", "--statistics", "--output-format", "json", cwd=folder)
    assert json.loads(done.out)["summary"]["statistics"]["decided"] == {"static": 6, "unknown": 2}
    plain = jaxlint("check", "--output-format", "json", cwd=folder)
    assert "statistics" not in json.loads(plain.out)["summary"]


def test_statistics(folder: Path) -> None:
    done = jaxlint("check", "--statistics", cwd=folder)
    assert done.out.splitlines()[2:] == [
        "      1  JX201  key-reuse",
        "      1  JX301  traced-branch",
        "",
        "8 operations decided:",
        "      6   75.0 %  static",
        "      2   25.0 %  unknown",
        "",
        "Files by what read them:",
        "      1  ast",
        "      1  libcst",
        "",
        "Found 2 errors in 3 files.",
    ]


def test_output_file_is_replaced_as_a_whole(folder: Path) -> None:
    (folder / "out.json").write_text("old")
    (folder / "out.json").chmod(0o640)
    done = check(folder, "--output-file", "out.json")
    assert done.out == ""
    assert len(json.loads((folder / "out.json").read_text())["diagnostics"]) == 2
    assert (folder / "out.json").stat().st_mode & 0o777 == 0o640
    assert not list(folder.glob(".jaxlint-*"))


def test_output_file_that_cannot_be_written(folder: Path) -> None:
    done = check(folder, "--output-file", "no/such/folder.json")
    assert done.code == 2
    assert done.err.startswith("jaxlint: error: ")
    assert done.err.count("\n") == 1


def test_show_files(folder: Path) -> None:
    assert jaxlint("check", "--show-files", cwd=folder).out == "a.py\npkg/__init__.py\npkg/b.py\n"


def test_show_settings_prints_shipped_ignores(folder: Path) -> None:
    project(folder, {"pyproject.toml": '[tool.jaxlint]\nselect = ["ALL"]\n'})
    out = jaxlint("check", "--show-settings", cwd=folder, env={"JAXLINT_JOBS": "3"}).out
    assert f'select = ["ALL"]  # {folder}/pyproject.toml' in out
    assert "jobs = 3  # environment" in out
    assert '"**/tests/**" = ["random", "performance"]  # default: tests' in out


def test_standard_input(folder: Path) -> None:
    done = check(folder, "-", "--stdin-filename", "pkg/new.py", stdin=b"import jax\nFLAG_BRANCH")
    assert done.found == [("pkg/new.py", 2, "traced-branch")]
    assert check(folder, "-", stdin=b"import jax; FLAG_BRANCH").found == [("<stdin>", 1, "traced-branch")]
    assert check(folder, "-", "a.py").code == 2


def test_full_format_shows_standard_input(folder: Path) -> None:
    done = jaxlint("check", "-", "--output-format", "full", cwd=folder, stdin=b"import jax\nFLAG_BRANCH\n")
    assert "2 | FLAG_BRANCH\n  | ^^^^^^^^^^^ the evidence\n" in done.out


def test_colour_follows_option_and_environment(folder: Path) -> None:
    assert "\x1b[" not in jaxlint("check", cwd=folder).out
    assert "\x1b[" in jaxlint("check", "--color", "always", cwd=folder, env={"NO_COLOR": "1"}).out
    assert "\x1b[" not in jaxlint("check", cwd=folder, env={"FORCE_COLOR": "1", "NO_COLOR": "1"}).out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--select", "traced-brunch"], "--select: unknown rule `traced-brunch`; did you mean `traced-branch`?"),
        (["--frobnicate"], "No such option"),
        (["--per-file-ignores", "nonsense"], "--per-file-ignores: `nonsense` is not of the form PATTERN:RULES"),
        (["--config", "jobs = 'x'"], "--config: jobs: expected an integer, got a string"),
        (["--config", "jbos = 2"], "--config: jbos: unknown setting; did you mean `jobs`?"),
        (["--config", "nofile.toml"], "--config: `nofile.toml` does not exist"),
        (["--min-confidence", "sure"], "Invalid value for '--min-confidence'"),
    ],
)
def test_wrong_use_is_one_clear_line(folder: Path, arguments: list[str], error: str) -> None:
    done = jaxlint("check", *arguments, cwd=folder)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith(f"jaxlint: error: {error}")
    assert done.err.count("\n") == 1


def test_unknown_environment_value(folder: Path) -> None:
    done = jaxlint("check", cwd=folder, env={"JAXLINT_X64": "perhaps"})
    assert (done.code, done.err) == (
        2, "jaxlint: error: JAXLINT_X64: expected one of `true`, `false`, `auto`, got `perhaps`\n",
    )  # fmt: skip


def test_comments_silence_and_are_judged(folder: Path) -> None:
    text = (
        "import jax\n"
        "FLAG_BRANCH  # jaxlint: ignore[traced-branch] -- on purpose\n"
        "# jaxlint: ignore[key-reuse]\n"
        "FLAG_REUSE\n"
        "FLAG_REUSE  # noqa: JX201\n"
        "x = 1  # jaxlint: ignore[key-reuse]\n"
        "FLAG_BRANCH  # jaxlint: ignore[key-resue]\n"
        "s = '# jaxlint: ignore'; FLAG_BRANCH\n"
        "FLAG_MAYBE  # jaxlint: ignore[key-reuse]\n"
    )
    project(folder, {"a.py": text})
    done = check(folder)
    assert done.found == [
        ("a.py", 6, "unused-suppression"), ("a.py", 7, "traced-branch"), ("a.py", 7, "invalid-suppression"),
        ("a.py", 8, "traced-branch"),
    ]  # fmt: skip
    assert done.json["summary"]["suppressed"] == 3
    shown = [rule for _, _, rule in check(folder, "--select", "JX").found]
    assert shown == ["unused-suppression", "traced-branch", "invalid-suppression", "traced-branch"]
    assert [f[2] for f in check(folder, "--select", "JX301").found] == ["traced-branch", "traced-branch"]
