"""How the server begins and ends."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import pytest

from benchmarks.lsp_client import Client
from jaxlint.config import ConfigError
from jaxlint.lsp.serve import run_server
from tests.lsp.conftest import COMMAND, PUSH, environment


def test_without_the_extra_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="extra `lsp`"):
        run_server((), isolated=True)


def test_a_client_that_is_gone_ends_it(client: Client) -> None:
    client.initialize(PUSH)
    assert client.process.stdin is not None
    client.process.stdin.close()
    assert client.process.wait(60) == 1


def test_an_exit_without_a_shutdown_is_an_error(client: Client) -> None:
    client.initialize(PUSH)
    client.notify("exit")
    assert client.process.wait(60) == 1


def test_nothing_but_messages_is_written_to_standard_output(tmp_path: Path) -> None:
    ended = subprocess.run(  # noqa: PLW1510 - how it ends is not the point
        COMMAND, cwd=tmp_path, env=environment(), input=b"Content-Length: 2\r\n\r\n{}", capture_output=True, timeout=60
    )
    assert ended.stdout == b"" or ended.stdout.startswith(b"Content-Length: ")
    assert b"Traceback" not in ended.stdout


def test_options_of_the_command_line_hold(project: Path) -> None:
    code = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
    client = Client([*COMMAND, "--isolated", "--config", "ignore = ['JX301']"], project, environment())
    client.initialize(PUSH)
    uri = (project / "a.py").as_uri()
    client.open(uri, code)
    assert client.published(uri, 1) == []
    assert client.stop() == 0
