"""The server finds and fixes what `jaxlint check` does: in scripts of cells, in notebooks, and by all settings."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from benchmarks.lsp_client import Client, Message, insertion
from tests.lsp.conftest import COMMAND, PUSH, environment
from tests.lsp.test_wire import CODE, actions, applied, codes, hover, open_notebook
from tests.syntax.notebook_files import of_code

IMPORTS = "import time\nimport jax\nimport jax.numpy as jnp\n"
DRAWS = "key = jax.random.key(0)\na = jax.random.normal(key)\n"
STEP = (
    "@jax.jit\ndef step(x):\n    if x > 0:\n        return x\n    return -x\nvalues = jnp.zeros(3)\nvalues[0] = 2.0\n"
)
TIMED = "start = time.perf_counter()\ny = step(1.0)\nprint(time.perf_counter() - start)\n"
SCRIPT = (
    f"# %%\n{IMPORTS}# %%\n{DRAWS}# %% again\nb = jax.random.uniform(key)\n{STEP}# %%\n{TIMED}step(2.0)\n# %%\nx = 1\n"
)
NOTEBOOK = [
    f"%matplotlib inline\n{IMPORTS}",
    f"!ls 'a\n{DRAWS}",
    textwrap.indent(STEP, "    "),
    "%%time\ny = step(values)",
    "%timeit step(values)\nb = jax.random.uniform(key)",
    "%%bash\nls 'x",
    "jax.vmap(step)(values).at[0].set(1)",
]
POSSIBLE = 'min-confidence = "possible"\n'


def command_line(path: Path, *arguments: str) -> list[Message]:
    """What `check` says of a file, as its own JSON."""
    command = [sys.executable, "-m", "jaxlint", "check", str(path), "--no-cache", "--output-format", "json", *arguments]
    done = subprocess.run(
        command, cwd=path.parent, env=environment(), capture_output=True, text=True, timeout=60, check=False
    )
    found: list[Message] = json.loads(done.stdout)["diagnostics"]
    return found


def as_shown(found: list[Message]) -> list[tuple[str, str, int, int]]:
    return sorted(
        (d["code"], d["message"], d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in found
    )


def as_told(found: list[Message], cell: int | None = None) -> list[tuple[str, str, int, int]]:
    return sorted((d["code"], d["message"], d["line"] - 1, d["column"] - 1) for d in found if d["cell"] == cell)


def test_a_script_of_cells(client: Client, project: Path) -> None:
    (project / "a.py").write_text(SCRIPT, encoding="utf-8")
    expected = as_told(command_line(project / "a.py"))
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, SCRIPT)
    assert as_shown(client.published(uri, 1)) == expected
    plain = SCRIPT.replace("# %%", "# ")
    (project / "a.py").write_text(plain, encoding="utf-8")
    without = as_told(command_line(project / "a.py"))
    assert without != expected, "cells make no difference here"
    client.change(uri, 2, {"text": plain})
    assert as_shown(client.published(uri, 2)) == without


def test_a_script_of_cells_with_commands_of_ipython(client: Client, project: Path) -> None:
    script = SCRIPT.replace("# %%\nimport", "# %%\n%matplotlib inline\n!ls 'a\nimport")
    (project / "a.py").write_text(script, encoding="utf-8")
    expected = as_told(command_line(project / "a.py"))
    client.initialize(PUSH)
    client.open((project / "a.py").as_uri(), script)
    assert as_shown(client.published((project / "a.py").as_uri(), 1)) == expected
    assert len(expected) > 1


def published(client: Client, names: list[str], version: int) -> list[list[Message]]:
    return [client.published(name, version) for name in names]


def test_a_notebook(client: Client, project: Path) -> None:
    (project / "jaxlint.toml").write_text(POSSIBLE, encoding="utf-8")
    (project / "n.ipynb").write_bytes(of_code(*NOTEBOOK))
    expected = command_line(project / "n.ipynb")
    client.initialize({**PUSH, "notebookDocument": {"synchronization": {}}})
    names = open_notebook(client, (project / "n.ipynb").as_uri(), NOTEBOOK)
    shown = [as_shown(found) for found in published(client, names, 1)]
    assert shown == [as_told(expected, number) for number in range(1, len(names) + 1)]
    assert {code for found in shown for code, *_ in found} >= {"JX101", "JX301"}


@pytest.fixture
def cells(client: Client, project: Path) -> list[str]:
    """The cells of a notebook that is open, and whose diagnostics were published."""
    client.initialize({**PUSH, "notebookDocument": {"synchronization": {}}})
    names = open_notebook(client, (project / "n.ipynb").as_uri(), NOTEBOOK)
    published(client, names, 1)
    return names


def test_a_quick_fix_lands_in_its_cell(client: Client, cells: list[str]) -> None:
    fix = actions(client, cells[2], NOTEBOOK[2], "values[0] = 2.0")[0]
    assert fix["isPreferred"]
    assert list(fix["edit"]["changes"]) == [cells[2]]
    new = applied(NOTEBOOK[2], fix["edit"]["changes"][cells[2]])
    assert new == NOTEBOOK[2].replace("values[0] = 2.0", "values = values.at[0].set(2.0)")
    change = {"document": {"uri": cells[2], "version": 2}, "changes": [{"text": new}]}
    event = {
        "notebookDocument": {"uri": cells[2].split("#")[0], "version": 2},
        "change": {"cells": {"textContent": [change]}},
    }
    client.notify("notebookDocument/didChange", event)
    assert codes(client.published(cells[2], 2)) == [("JX301", 2)]


def test_a_fix_of_several_lines_keeps_the_margin(client: Client, cells: list[str]) -> None:
    for action in actions(client, cells[2], NOTEBOOK[2], "x > 0"):
        if "edit" not in action:
            continue
        assert list(action["edit"]["changes"]) == [cells[2]]
        new = applied(NOTEBOOK[2], action["edit"]["changes"][cells[2]])
        assert "\f" not in new
        if "for this file" not in action["title"]:  # which begins at the margin of Python, as it may
            compile(textwrap.dedent(new), "cell", "exec")


def test_a_comment_above_a_masked_line_keeps_the_margin(client: Client, project: Path) -> None:
    client.initialize({**PUSH, "notebookDocument": {"synchronization": {}}})
    sources = [
        IMPORTS,
        f"  {DRAWS.splitlines()[0]}\n  a = jax.random.normal(key)\n  %time b = jax.random.normal(key)\n",
    ]
    names = open_notebook(client, (project / "n.ipynb").as_uri(), sources)
    [_, found] = published(client, names, 1)
    assert codes(found) == [("JX201", 2)]
    place = {"line": 2, "character": 30}
    asked = {"textDocument": {"uri": names[1]}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    offered = {action["title"]: action for action in client.request("textDocument/codeAction", asked)}
    edits = offered["Disable key-reuse for this line"]["edit"]["changes"][names[1]]
    assert applied(sources[1], edits).splitlines()[2:] == [
        "  # jaxlint: ignore[key-reuse]",
        "  %time b = jax.random.normal(key)",
    ]


def test_all_safe_fixes_of_a_notebook(client: Client, cells: list[str]) -> None:
    [every] = actions(client, cells[0], NOTEBOOK[0], "import jax", only=["source.fixAll"])
    assert list(every["edit"]["changes"]) == [cells[2]]
    new = applied(NOTEBOOK[2], every["edit"]["changes"][cells[2]])
    assert new == NOTEBOOK[2].replace("values[0] = 2.0", "values = values.at[0].set(2.0)")


def test_a_page_is_shown_in_a_cell(client: Client, cells: list[str]) -> None:
    assert "traced-branch" in hover(client, cells[2], NOTEBOOK[2], "x > 0")


def test_what_a_baseline_knows_is_not_shown(client: Client, project: Path) -> None:
    (project / "a.py").write_text(CODE, encoding="utf-8")
    (project / "jaxlint.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    command = [sys.executable, "-m", "jaxlint", "check", "--write-baseline", "--no-cache"]
    subprocess.run(command, cwd=project, env=environment(), capture_output=True, timeout=60, check=False)
    assert (project / "known.json").is_file()
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    assert client.published(uri, 1) == []
    client.change(uri, 2, insertion(0, 0, "# moved\n"))
    assert client.published(uri, 2) == []
    assert actions(client, uri, "# moved\n" + CODE, "import jax", only=["source.fixAll"]) == []
    new = CODE + "values[1] = 3.0\n"
    client.change(uri, 3, {"text": new})
    assert codes(client.published(uri, 3)) == [("JX101", new.count("\n") - 1)]
    (project / "known.json").write_text('{"jaxlint_baseline": 1, "findings": []}', encoding="utf-8")
    client.change(uri, 4, {"text": CODE})
    assert len(client.published(uri, 4)) == len(command_line(project / "a.py")) > 0


def test_a_baseline_that_is_missing_is_told(client: Client, project: Path) -> None:
    (project / "jaxlint.toml").write_text('baseline = "known.json"\n', encoding="utf-8")
    client.initialize(PUSH)
    client.open((project / "a.py").as_uri(), CODE)
    shown = client.until(lambda message: message.get("method") == "window/showMessage")
    assert "there is no such baseline" in shown["params"]["message"]


@pytest.mark.parametrize("allowed", [False, True])
def test_plug_ins_are_loaded_where_they_are_allowed(tmp_path: Path, project: Path, allowed: bool) -> None:
    site = tmp_path / "site"
    metadata = site / "my_rules-1.0.dist-info"
    metadata.mkdir(parents=True)
    (site / "my_rules.py").write_text(plug_in(), encoding="utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: my-rules\nVersion: 1.0\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[jaxlint.rules]\nmine = my_rules:MINE\n", encoding="utf-8")
    (project / "jaxlint.toml").write_text('plugins = ["my-rules"]\n', encoding="utf-8")
    variables = environment()
    variables["PYTHONPATH"] += f":{site}"
    variables["XDG_CONFIG_HOME"] = str(tmp_path / "none")
    client = Client([*COMMAND, *(["--allow-plugins", "my-rules"] if allowed else [])], project, variables)
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    if not allowed:
        shown = client.until(lambda message: message.get("method") == "window/showMessage")
        assert "not allowed by you" in shown["params"]["message"]
    found = codes(client.published(uri, 1))
    assert ("MY001" in dict(found)) == allowed
    assert "JX301" in dict(found)
    assert client.stop() == 0


def plug_in() -> str:
    """A module with a rule that finds what `traced-branch` does; it prints, which a protocol must survive."""
    return textwrap.dedent(
        """
        from dataclasses import replace
        from jaxlint.rules.rule import registry
        print("stray output")
        MINE = replace(registry()["traced-branch"], slug="my-rule", code="MY001", yields_to=())
        """
    )
