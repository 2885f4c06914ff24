"""Files that are not open: what is found in them, and what callers elsewhere do to a file, whoever has it open."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.lsp_client import Client, insertion
from tests.lsp.conftest import PUSH, environment
from tests.lsp.test_wire import PULL, codes

LIBRARY = "def clipped(x, most):\n    if x > most:\n        return most\n    return x\n"
CALLER = "import jax\n\nfrom library import clipped\n\n\n@jax.jit\ndef step(x):\n    return clipped(x, 1.0)\n"
QUIET_CALLER = CALLER.replace("@jax.jit\n", "")


@pytest.fixture
def files(project: Path) -> dict[str, Path]:
    """A library, whose mistake is its caller's doing."""
    found = {"library": project / "library.py", "caller": project / "caller.py"}
    write(found["library"], LIBRARY)
    write(found["caller"], CALLER)
    return found


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def changed(client: Client, path: Path) -> None:
    event = {"uri": path.as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [event]})


def pull(client: Client, known: dict[str, str] | None = None) -> dict[str, Any]:
    previous = [{"uri": uri, "value": value} for uri, value in (known or {}).items()]
    report = client.request("workspace/diagnostic", {"identifier": "jaxlint", "previousResultIds": previous})
    return {item["uri"]: item for item in report["items"]}


def ids(items: dict[str, Any]) -> dict[str, str]:
    return {uri: item["resultId"] for uri, item in items.items()}


def test_a_closed_file_shows_what_its_callers_do_to_it(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PUSH)
    uri = files["library"].as_uri()
    [found] = client.published(uri)
    assert codes([found]) == [("JX301", 1)]
    assert found["relatedInformation"][-1]["location"]["uri"] == files["caller"].as_uri()
    write(files["caller"], QUIET_CALLER)
    changed(client, files["caller"])
    assert client.published(uri) == []


def test_an_open_file_shows_it_too_while_it_is_what_was_checked(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PUSH)
    uri = files["library"].as_uri()
    client.open(uri, LIBRARY)
    while not (found := client.published(uri, 1)):
        pass  # the document alone comes first
    assert codes(found) == [("JX301", 1)]
    hover = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 8}}
    assert "caller.py" in client.request("textDocument/hover", hover)["contents"]["value"]
    client.change(uri, 2, insertion(0, 0, "\n"))
    assert client.published(uri, 2) == []
    write(files["library"], f"\n{LIBRARY}")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert codes(client.published(uri, 2)) == [("JX301", 2)]
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.published(uri) == []  # the document's own
    assert codes(client.published(uri)) == [("JX301", 2)]


def test_a_client_that_pulls_is_answered_when_there_is_something_new(client: Client, files: dict[str, Path]) -> None:
    capabilities = client.initialize(PULL)
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"]
    uri = files["library"].as_uri()
    first = pull(client)
    assert codes(first[uri]["items"]) == [("JX301", 1)]
    write(files["caller"], QUIET_CALLER)
    changed(client, files["caller"])
    assert pull(client, ids(first))[uri]["items"] == []
    assert published(client) == []


def published(client: Client) -> list[str]:
    """Files that the client was left with diagnostics of."""
    told = [m["params"] for m in client.seen if m.get("method") == "textDocument/publishDiagnostics"]
    return [uri for uri, found in {each["uri"]: each["diagnostics"] for each in told}.items() if found]


def is_refresh(message: dict[str, Any]) -> bool:
    return message.get("method") == "workspace/diagnostic/refresh"


def test_a_document_that_is_pulled_holds_it_too(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PULL)
    uri = files["library"].as_uri()
    client.open(uri, LIBRARY)
    assert uri not in pull(client)  # open: the document's own report tells it
    if not any(map(is_refresh, client.seen)):
        client.until(is_refresh)
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert codes(report["items"]) == [("JX301", 1)]


def test_a_client_that_pulls_documents_alone_is_published_closed_files(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PULL)
    uri = files["library"].as_uri()
    assert codes(client.published(uri)) == [("JX301", 1)]
    client.open(uri, LIBRARY)
    assert client.published(uri) == []
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert codes(report["items"]) == [("JX301", 1)]


def test_an_answer_waits_while_there_is_nothing_new(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PULL)
    known = ids(pull(client))
    number = client.send_request(
        "workspace/diagnostic", {"previousResultIds": [{"uri": uri, "value": value} for uri, value in known.items()]}
    )
    hover = {"textDocument": {"uri": files["library"].as_uri()}, "position": {"line": 0, "character": 0}}
    assert client.request("textDocument/hover", hover) is None  # others are answered meanwhile
    client.notify("$/cancelRequest", {"id": number})
    answer = client.until(lambda message: message.get("id") == number)
    assert answer["error"]["code"] == -32800
    assert client.stop() == 0


def test_it_can_be_turned_off(client: Client, files: dict[str, Path]) -> None:
    client.initialize(PULL, {"workspaceDiagnostics": False})
    assert pull(client) == {}
    client.notify("workspace/didChangeConfiguration", {"settings": {"jaxlint": {}}})
    assert list(pull(client)) == [files["library"].as_uri()]


def test_settings_of_the_client_hold_for_closed_files(client: Client, files: dict[str, Path]) -> None:
    settings = {"per-file-ignores": {"library.py": ["JX301"]}, "min-confidence": "likely", "preview": False}
    client.initialize(PULL, {"settings": settings})
    assert pull(client) == {}


def test_a_baseline_that_changes_is_followed(client: Client, files: dict[str, Path], project: Path) -> None:
    with (project / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write('[tool.jaxlint]\nbaseline = "known.json"\n')
    write(project / "known.json", '{"jaxlint_baseline": 2, "findings": []}\n')
    client.initialize(PUSH)
    uri, caller = files["library"].as_uri(), files["caller"].as_uri()
    assert codes(client.published(uri)) == [("JX301", 1)]
    text = CALLER.replace("    return clipped", "    if x > 0:\n        return x\n    return clipped")
    write(files["caller"], text)
    client.open(caller, text)
    assert codes(client.published(caller, 1)) == [("JX301", 7)]
    command = [sys.executable, "-m", "jaxlint", "check", "--write-baseline", "."]
    subprocess.run(command, cwd=project, env=environment(), check=False, capture_output=True)
    assert client.published(caller, 1) == []
    assert client.published(uri) == []
