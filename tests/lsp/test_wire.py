"""The server and a client that knows nothing but JSON: what is on the wire is what the protocol says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.lsp_client import Client, insertion
from tests.lsp.conftest import PUSH

CODE = """\
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    y = jnp.sin(x)
    if y > 0:
        return y
    return -y


def g(x):
    x[0] = 1.0
    return x


values = jnp.ones(3)
values[0] = 2.0
"""
PULL = {
    "textDocument": {"diagnostic": {"relatedInformation": True}, "publishDiagnostics": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


def codes(diagnostics) -> list[tuple[str, int]]:
    return [(found["code"], found["range"]["start"]["line"]) for found in diagnostics]


def position(text: str, what: str) -> dict[str, int]:
    before = text[: text.index(what)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def applied(text: str, edits) -> str:
    """The text with edits whose columns are code points."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]))[::-1]:
        a, b = edit["range"]["start"], edit["range"]["end"]
        text = text[: starts[a["line"]] + a["character"]] + edit["newText"] + text[starts[b["line"]] + b["character"] :]
    return text


def test_what_is_opened_is_diagnosed_and_the_end_is_clean(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    found = client.published(uri, 1)
    assert [line for _, line in codes(found)] == [7, 18]
    branch = found[0]
    assert branch["range"] == {"start": {"line": 7, "character": 7}, "end": {"line": 7, "character": 12}}
    assert branch["source"] == "jaxlint"
    assert branch["severity"] == 1
    assert branch["codeDescription"]["href"].endswith("traced-branch.md")
    places = [note["location"]["range"]["start"]["line"] for note in branch["relatedInformation"]]
    assert places == [5, 4]
    assert client.stop() == 0


def test_an_edit_is_diagnosed_at_its_version(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    before = client.published(uri, 1)
    client.change(uri, 2, insertion(0, 0, "\n\n"))
    moved = client.published(uri, 2)
    assert codes(moved) == [(code, line + 2) for code, line in codes(before)]
    whole = {"text": CODE.replace("y > 0", "x.ndim > 0")}
    client.change(uri, 3, whole)
    assert "JX301" not in dict(codes(client.published(uri, 3)))


def test_half_typed_code_keeps_what_was_found_elsewhere(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    before = codes(client.published(uri, 1))
    client.change(uri, 2, insertion(13, 4, "y = foo("))
    found = codes(client.published(uri, 2))
    assert ("JXE01", 13) in found or any(code == "JXE01" for code, _ in found)
    assert [each for each in found if each[0] != "JXE01"] == before


def test_closing_withdraws(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    client.published(uri, 1)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.published(uri) == []


def test_a_client_that_pulls_is_never_pushed_to(client: Client, project: Path) -> None:
    capabilities = client.initialize(PULL)
    assert capabilities["diagnosticProvider"]["identifier"] == "jaxlint"
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert report["kind"] == "full"
    assert codes(report["items"])[0] == ("JX301", 7)
    client.change(uri, 2, insertion(0, 0, "\n"))
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert codes(report["items"])[0] == ("JX301", 8)
    client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}})
    assert [m for m in client.seen if m.get("method") == "textDocument/publishDiagnostics"] == []


def test_a_client_that_does_not_pull_is_not_offered_it(client: Client) -> None:
    assert "diagnosticProvider" not in client.initialize(PUSH)


WIDE = 'import jax\n\n\n@jax.jit\ndef f(x):\n    s = "\U0001f600ä"; b = 1 if x.sum() > 0 else 2\n    return b\n'


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 27), ("utf-16", 24), ("utf-32", 23)])
def test_columns_count_in_the_units_that_were_agreed_on(
    client: Client, project: Path, encoding: str, column: int
) -> None:
    capabilities = client.initialize({**PUSH, "general": {"positionEncodings": [encoding]}})
    assert capabilities["positionEncoding"] == encoding
    uri = (project / "a.py").as_uri()
    client.open(uri, WIDE)
    found = client.published(uri, 1)
    assert found[0]["range"]["start"] == {"line": 5, "character": column}
    client.change(uri, 2, insertion(5, column, "0 + "))
    assert client.published(uri, 2)[0]["range"]["start"] == {"line": 5, "character": column}
    hover = {"textDocument": {"uri": uri}, "position": {"line": 5, "character": column + 1}}
    assert "traced-branch" in client.request("textDocument/hover", hover)["contents"]["value"]


def actions(client: Client, uri: str, text: str, what: str, only: list[str] | None = None):
    place = position(text, what)
    context = {"diagnostics": [], **({"only": only} if only else {})}
    parameters = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": context}
    return client.request("textDocument/codeAction", parameters)


def test_a_quick_fix_is_preferred_and_names_the_version(client: Client, project: Path) -> None:
    client.initialize({**PUSH, "workspace": {"workspaceEdit": {"documentChanges": True}}})
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    client.published(uri, 1)
    fix = actions(client, uri, CODE, "values[0] = 2.0")[0]
    assert fix["kind"] == "quickfix"
    assert fix["isPreferred"]
    [change] = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": 1}
    assert applied(CODE, change["edits"]).endswith("values = values.at[0].set(2.0)\n")


def test_suppressions_silence(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    client.published(uri, 1)
    offered = {action["title"]: action for action in actions(client, uri, CODE, "y > 0")}
    version = 1
    for scope in ("line", "file"):
        edit = offered[f"Disable traced-branch for this {scope}"]["edit"]
        text = applied(CODE, edit["changes"][uri])
        assert "traced-branch]" in text
        version += 1
        client.change(uri, version, {"text": text})
        assert "JX301" not in dict(codes(client.published(uri, version)))


def test_all_safe_fixes_at_once(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    text = CODE + "values[1] = 3.0\nvalues[2] += 1.0\n"
    client.open(uri, text)
    client.published(uri, 1)
    assert actions(client, uri, text, "import jax\n") == []
    [every] = actions(client, uri, text, "import jax\n", only=["source.fixAll"])
    assert every["kind"] == "source.fixAll.jaxlint"
    fixed = applied(text, every["edit"]["changes"][uri])
    assert fixed.count("values = values.at[") == 3
    client.change(uri, 2, {"text": fixed})
    client.published(uri, 2)
    assert actions(client, uri, fixed, "import jax\n", only=["source.fixAll.jaxlint"]) == []


def hover(client: Client, uri: str, text: str, what: str) -> str:
    parameters = {"textDocument": {"uri": uri}, "position": position(text, what)}
    answer = client.request("textDocument/hover", parameters)
    return answer["contents"]["value"] if answer else ""


def test_hovers(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    text = CODE + "values[1] = 1.0  # jaxlint: ignore[in-place-item-assignment]\n"
    client.open(uri, text)
    client.published(uri, 1)
    assert "traced by `jax.jit`" in hover(client, uri, text, "y > 0")
    assert "[traced-branch: why, and what to write instead](file:" in hover(client, uri, text, "y > 0")
    assert "in-place-item-assignment (JX" in hover(client, uri, text, "in-place-item")
    assert "traced" in hover(client, uri, text, "x)\n    if y")
    assert hover(client, uri, text, "\n\n\n@jax") == ""


def test_hints_and_lenses_are_off_until_they_are_asked_for(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    text = CODE.replace("@jax.jit\ndef f(x):", "@partial(jax.jit, static_argnames='n')\ndef f(x, n):")
    text = f"from functools import partial\n{text}"
    client.open(uri, text)
    client.published(uri, 1)
    end = {"line": 99, "character": 0}
    everywhere = {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}}
    assert client.request("textDocument/inlayHint", everywhere) is None
    assert client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}) is None
    client.notify("workspace/didChangeConfiguration", {"settings": {"jaxlint": {"inlayHints": True, "codeLens": True}}})
    hints = client.request("textDocument/inlayHint", everywhere)
    assert [(hint["label"], hint["position"]["character"]) for hint in hints] == [(" traced", 7), (" static", 10)]
    [lens] = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert lens["command"]["command"] == "jaxlint.verify"
    assert lens["command"]["arguments"] == [uri, "f"]


def test_settings_of_the_project_and_of_the_client(client: Client, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nignore = ["JX301"]\n', encoding="utf-8")
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    assert "JX301" not in dict(codes(client.published(uri, 1)))
    (project / "pyproject.toml").write_text("[tool.jaxlint]\n", encoding="utf-8")
    changed = {"uri": (project / "pyproject.toml").as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [changed]})
    assert "JX301" in dict(codes(client.published(uri, 1)))
    client.notify(
        "workspace/didChangeConfiguration",
        {"settings": {"jaxlint": {"settings": {"select": ["in-place-item-assignment"]}}}},
    )
    assert "JX301" not in dict(codes(client.published(uri, 1)))


def test_settings_that_cannot_be_followed_are_told_and_the_server_goes_on(client: Client, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nselect = ["JX999"]\n', encoding="utf-8")
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    shown = client.until(lambda message: message.get("method") == "window/showMessage")
    assert "pyproject.toml" in shown["params"]["message"]
    assert "JX999" in shown["params"]["message"]
    (project / "pyproject.toml").write_text("[tool.jaxlint]\n", encoding="utf-8")
    changed = {"uri": (project / "pyproject.toml").as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [changed]})
    assert "JX301" in dict(codes(client.published(uri, 1)))


def test_another_file_changes_what_is_found(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    first, second = (project / "steps.py").as_uri(), (project / "main.py").as_uri()
    helper = "def positive(x):\n    return x.shape[0] > 0\n"
    main = (
        "import jax\nfrom steps import positive\n\n\n@jax.jit\ndef f(x):\n"
        "    if positive(x):\n        return x\n    return -x\n"
    )
    (project / "steps.py").write_text(helper, encoding="utf-8")
    client.open(first, helper)
    client.open(second, main)
    assert codes(client.published(second, 1)) == []
    client.change(first, 2, {"text": helper.replace("x.shape[0]", "x")})
    assert codes(client.published(second, 1)) == [("JX301", 6)]


def test_a_left_out_file_has_no_diagnostics(client: Client, project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.jaxlint]\nexclude = ["a.py"]\n', encoding="utf-8")
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    assert client.published(uri, 1) == []


NOTEBOOK = ["import jax\n%matplotlib inline", "@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x"]


def open_notebook(client: Client, uri: str, sources: list[str]) -> list[str]:
    names = [f"{uri}#cell{number}" for number in range(len(sources))]
    cells = [{"kind": 2, "document": name} for name in names]
    notebook = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1, "cells": cells}
    texts = [
        {"uri": name, "languageId": "python", "version": 1, "text": source}
        for name, source in zip(names, sources, strict=True)
    ]
    client.notify("notebookDocument/didOpen", {"notebookDocument": notebook, "cellTextDocuments": texts})
    return names


def test_a_notebook_is_one_module_with_findings_in_its_cells(client: Client, project: Path) -> None:
    notebooks = {"notebookDocument": {"synchronization": {"dynamicRegistration": False}}}
    capabilities = client.initialize({**PUSH, **notebooks})
    [selector, _] = capabilities["notebookDocumentSync"]["notebookSelector"]
    assert selector["notebook"] == {"notebookType": "jupyter-notebook"}
    assert selector["cells"] == [{"language": "python"}]
    uri = (project / "n.ipynb").as_uri()
    names = open_notebook(client, uri, NOTEBOOK)
    assert client.published(names[0]) == []
    assert codes(client.published(names[1])) == [("JX301", 2)]
    change = {
        "notebookDocument": {"uri": uri, "version": 2},
        "change": {
            "cells": {
                "textContent": [
                    {
                        "document": {"uri": names[1], "version": 2},
                        "changes": [insertion(0, 0, "\n")],
                    }
                ]
            }
        },
    }
    client.notify("notebookDocument/didChange", change)
    assert codes(client.published(names[1], 2)) == [("JX301", 3)]
    offered = actions(client, names[1], "\n" + NOTEBOOK[1], "x > 0")
    silence = next(action for action in offered if action["title"].endswith("this line"))
    assert list(silence["edit"]["changes"]) == [names[1]]
    assert "ignore[traced-branch]" in applied("\n" + NOTEBOOK[1], silence["edit"]["changes"][names[1]])


@pytest.mark.jax
def test_a_function_is_verified_when_the_person_agrees(client: Client, project: Path) -> None:
    text = CODE.replace("def f(x):", "def f(x: jax.Array):")
    (project / "a.py").write_text(text, encoding="utf-8")
    window = {"window": {"workDoneProgress": True, "showMessage": {}}}
    client.initialize({**PUSH, **window}, {"codeLens": True})
    uri = (project / "a.py").as_uri()
    client.open(uri, text)
    client.published(uri, 1)
    [offer] = [action for action in actions(client, uri, text, "y > 0") if action["title"].startswith("Verify")]
    command = {"command": offer["command"]["command"], "arguments": offer["command"]["arguments"]}
    client.answers["window/showMessageRequest"] = lambda asked: asked["actions"][1]
    client.request("workspace/executeCommand", command)
    client.until(lambda message: message.get("method") == "window/showMessageRequest")
    [lens] = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert lens["command"]["title"] == "jaxlint: verify"
    client.answers["window/showMessageRequest"] = lambda asked: asked["actions"][0]
    client.request("workspace/executeCommand", command)
    told = client.until(lambda message: message.get("method") == "window/showMessage")
    assert "confirmed" in told["params"]["message"]
    assert [m["params"]["value"]["kind"] for m in client.seen if m.get("method") == "$/progress"] == ["begin", "end"]
    [lens] = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert "confirmed" in lens["command"]["title"]


def test_every_message_is_one_of_the_protocol(client: Client, project: Path) -> None:
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, CODE)
    client.published(uri, 1)
    answer = client.ask("jaxlint/unknown", {})
    assert answer["error"]["code"] == -32601
    client.change((project / "never opened.py").as_uri(), 2, {"text": "x"})
    assert codes(client.request("textDocument/codeAction", {
        "textDocument": {"uri": "untitled:Untitled-1"},
        "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
        "context": {"diagnostics": []},
    })) == []  # fmt: skip
    assert all(message["jsonrpc"] == "2.0" for message in client.seen)
    assert json.dumps(client.seen)
