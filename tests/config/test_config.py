"""Settings: places of mistakes, layers, and what may stand where."""

# ruff: noqa: E501 - a message is read whole
from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.config import ConfigError, load_configuration
from jaxlint.config.toml_document import TomlDocument, _tomllib, read_document


def configuration(folder: Path, **options):
    given = {"command_line": {}, "environment": {}, "isolated": False, "working_directory": str(folder), **options}
    return load_configuration(**given)


def error_of(folder: Path, text: str, name: str = "jaxlint.toml") -> str:
    (folder / name).write_text(text)
    (folder / ".git").mkdir(exist_ok=True)
    with pytest.raises(ConfigError) as caught:
        configuration(folder).shown(str(folder), str(folder))
    return str(caught.value).replace(str(folder), "DIR")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("jobs = 2\nslect = []\n", "DIR/jaxlint.toml:2:1: slect: unknown setting; did you mean `select`?"),
        ("min_confidence = 'x'\n", "DIR/jaxlint.toml:1:1: min_confidence: unknown setting; did you mean `min-confidence`?"),
        ("select = [\n  'a',\n  3,\n]\n", "DIR/jaxlint.toml:3:3: select: expected a string, got an integer"),
        ("ignore = ['JL001']\n", "DIR/jaxlint.toml:1:11: ignore: `JL001` is a rule of another tool that is also named jaxlint; codes of this one start with JX"),
        ("x64 = 'yes'", "DIR/jaxlint.toml:1:1: x64: expected one of `true`, `false`, `auto`, got `yes`"),
        ("x64 = 1", "DIR/jaxlint.toml:1:1: x64: expected one of `true`, `false`, `auto`, got an integer"),
        ("min-confidence = 'likly'", "DIR/jaxlint.toml:1:1: min-confidence: expected one of `certain`, `likely`, `possible`, got `likly`; did you mean `likely`?"),
        ("target-jax = 'new'", "DIR/jaxlint.toml:1:1: target-jax: `new` is not a version such as `0.4.30`"),
        ("jobs = -1", "DIR/jaxlint.toml:1:1: jobs: expected 0 (one per processor) or more"),
        ("jobs = true", "DIR/jaxlint.toml:1:1: jobs: expected an integer, got a boolean"),
        ("[[like]]\nlike = 'jax.jit'\n", "DIR/jaxlint.toml:1:3: like: needs a `name`: the function that this row describes"),
        ("[[like]]\nname = 'a.b'\nlike = 'j'\n[[like]]\nname = 'c'\nstatics = ['n']\n", "DIR/jaxlint.toml:4:3: like: needs one of `like`, `consumes-key` or `returns`"),
        ("[[like]]\nname = 'a.b'\nreturns = 'aray'\n", "DIR/jaxlint.toml:3:1: like: expected one of `array`, `host-array`, `key`, `keys`, `static`, `function`, got `aray`; did you mean `array`?"),
        ("[per-file-ignores]\n'a/*' = ['x']\n'b' = 'x'\n", "DIR/jaxlint.toml:3:1: per-file-ignores: expected an array of strings, got a string"),
        ("[verify.specs]\n'a.b' = 3\n", "DIR/jaxlint.toml:2:1: verify: expected a string such as \"x=f32[n,4]\""),
        ("select = ['a'\n", "DIR/jaxlint.toml:2: not valid TOML: Unclosed array"),
        ("a = 1\nb = = 2\n", "DIR/jaxlint.toml:2:5: not valid TOML: Invalid value"),
        ("extend = 'nowhere.toml'", "DIR/jaxlint.toml:1:1: extend: `nowhere.toml` does not exist"),
        ("extend = 'jaxlint.toml'", "DIR/jaxlint.toml:1:1: extend: the files extend each other in a circle"),
    ],
)  # fmt: skip
def test_mistakes_have_places_and_suggestions(tmp_path: Path, text: str, error: str) -> None:
    assert error_of(tmp_path, text) == error


def test_places_in_pyproject(tmp_path: Path) -> None:
    text = '[project]\nname = "x"\n\n[tool.jaxlint]\n# note\njobs = "many"\n'
    assert (
        error_of(tmp_path, text, "pyproject.toml") == "DIR/pyproject.toml:6:1: jobs: expected an integer, got a string"
    )


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_bytes(b"jobs = 1\n# \xff\n")
    with pytest.raises(ConfigError, match=r"jaxlint.toml:2:3: is not UTF-8"):
        configuration(tmp_path).shown(str(tmp_path), str(tmp_path))


def test_own_file_beats_pyproject_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.jaxlint]\njobs = 1\n")
    (tmp_path / "jaxlint.toml").write_text("jobs = 2\n")
    loaded = configuration(tmp_path)
    assert loaded.run(str(tmp_path)).jobs == 2
    assert len(loaded.warnings) == 1


def test_extend_is_weaker_and_relative_to_its_own_folder(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "shared.toml").write_text("jobs = 1\ncache-dir = 'c'\nextend-exclude = ['x']\n")
    (tmp_path / "jaxlint.toml").write_text("extend = 'base/shared.toml'\njobs = 2\nextend-exclude = ['y']\n")
    run = configuration(tmp_path).run(str(tmp_path))
    assert run.jobs == 2
    assert run.cache_dir == str(tmp_path / "base" / "c")
    assert [(p.base, p.patterns) for p in run.extend_exclude] == [
        (str(tmp_path), ("y",)), (str(tmp_path / "base"), ("x",)),
    ]  # fmt: skip


def test_analysis_settings_outside_the_root_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "jaxlint.toml").write_text("ignore = []\nx64 = true\n")
    with pytest.raises(
        ConfigError, match=rf"inner/jaxlint.toml:2:1: x64: may only be set at the root of the project, {tmp_path}"
    ):
        configuration(tmp_path).shown(str(inner), str(tmp_path))


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_text("this is no TOML")
    loaded = configuration(tmp_path, isolated=True, environment={"JAXLINT_JOBS": "nonsense"})
    assert loaded.run(str(tmp_path)).jobs == 0


def test_variables_that_name_no_setting_are_left_alone(tmp_path: Path) -> None:
    assert (
        configuration(tmp_path, environment={"JAXLINT_TRACEBACK": "1", "JAXLINT_JOBS": "4"}).run(str(tmp_path)).jobs
        == 4
    )


tomllib = _tomllib()

TOML = """
# comment [not.a.table]
title = "a # b \\" ] ="
multi = \"\"\"
key = 1
[x]
\"\"\"
'quoted key' = 1
a.b . "c" = [1, [2, 3], {x = 1, 'y' = [4]}, # ]
  "s",
]
[t]
k = '''
z = 1'''
[[arr]]
n = 1
[[arr]]
n = 2
[arr.sub]
m = 3
"""


def test_places_of_keys_and_elements() -> None:
    document = TomlDocument("x", TOML, tomllib.loads(TOML))
    assert document.place(("title",)) == (3, 1)
    assert document.place(("quoted key",)) == (8, 1)
    assert document.place(("a", "b", "c")) == (9, 1)
    assert document.place(("a", "b", "c", 1, 1)) == (9, 21)
    assert document.place(("a", "b", "c", 2, "y", 0)) == (9, 40)
    assert document.place(("a", "b", "c", 3)) == (10, 3)
    assert document.place(("t", "k")) == (13, 1)
    assert document.place(("arr", 1, "n")) == (18, 1)
    assert document.place(("arr", 1, "sub", "m")) == (20, 1)
    assert document.place(("t", "missing")) == (12, 2)


@given(st.text(alphabet="ab=[]{}\"'.,#\n 1-", max_size=60))
def test_the_scanner_ends_on_every_document(text: str) -> None:
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    document = TomlDocument("x", text, values)
    for key in values:
        line, column = document.place((key,))
        assert 1 <= line <= text.count("\n") + 1
        assert column >= 1


def test_larger_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "jaxlint.toml").write_bytes(b"#" * (4 * 1024 * 1024 + 1))
    with pytest.raises(ConfigError, match="is larger than"):
        read_document(str(tmp_path / "jaxlint.toml"))
