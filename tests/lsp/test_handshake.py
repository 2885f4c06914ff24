"""The answer to `initialize` that is given early is the one that the packages of the protocol would give."""

from __future__ import annotations

import ast
import io
import json
import subprocess
import sys
from typing import Any

import pytest
from lsprotocol import converters, types
from pytest_lsp import client_capabilities

from jaxlint.lsp.capabilities import initialize_result
from jaxlint.lsp.handshake import answer_initialize
from tests.lsp.conftest import environment

REAL = ("visual-studio-code", "neovim", "emacs")
MADE: list[dict[str, Any]] = [
    {},
    {"textDocument": {"diagnostic": {}}},
    {"notebookDocument": {"synchronization": {}}},
    {"general": {"positionEncodings": ["utf-8", "utf-16"]}},
    {"general": {"positionEncodings": ["utf-7", "utf-32"]}},
    {"general": {"positionEncodings": ["utf-7"]}},
    {"textDocument": {"rename": {"prepareSupport": True}, "synchronization": {"willSave": True}}},
]
LATE = """
import io, json, sys
from jaxlint.lsp.projects import ServerOptions
from jaxlint.lsp.serve import make_server
for line in sys.stdin:
    out = io.BytesIO()
    make_server(ServerOptions(isolated=True)).start_io(io.BytesIO(eval(line)), out)
    print(repr(out.getvalue()))
"""


def framed(message: Any) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def asked(client: Any, number: Any = 1) -> dict[str, Any]:
    parameters = {"processId": None, "rootUri": None, "capabilities": client}
    return {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": parameters}


def messages(data: bytes) -> list[dict[str, Any]]:
    stream = io.BytesIO(data)
    found = []
    while head := stream.readline():
        length = int(head.split(b":")[1])
        while stream.readline() != b"\r\n":
            pass
        found.append(json.loads(stream.read(length)))
    return found


def test_it_is_the_answer_that_pygls_gives() -> None:
    converter = converters.get_converter()
    real = [converter.unstructure(client_capabilities(name), types.ClientCapabilities) for name in REAL]
    lines = "".join(f"{framed(asked(client))!r}\n" for client in [*MADE, *real])
    late = subprocess.run(
        [sys.executable, "-c", LATE], input=lines, env=environment(), capture_output=True, text=True, check=True
    )
    answers = [messages(ast.literal_eval(line))[0]["result"] for line in late.stdout.splitlines()]
    for answer in answers:
        for key in ("willSave", "willSaveWaitUntil"):  # what is not said is false
            assert answer["capabilities"]["textDocumentSync"].pop(key, False) is False
    assert [initialize_result(client) for client in [*MADE, *real]] == answers


def test_what_was_read_is_read_again_and_then_the_rest() -> None:
    first, second = framed(asked({}, "a")), framed({"jsonrpc": "2.0", "method": "exit"})
    out = io.BytesIO()
    streams = answer_initialize(io.BytesIO(b"Content-Type: x\r\n" + first + second), out)
    assert messages(out.getvalue())[0]["id"] == "a"
    read = [streams.stdin.readline() for _ in range(3)]
    length = int(read[1].split(b":")[1])
    assert b"".join([*read, streams.stdin.read(length)]) == b"Content-Type: x\r\n" + first
    assert streams.stdin.readline() == second[: second.index(b"\n") + 1]


def test_the_second_answer_is_kept_back_and_nothing_else() -> None:
    out = io.BytesIO()
    streams = answer_initialize(io.BytesIO(framed(asked({}))), out)
    out.truncate(0)
    out.seek(0)
    told = [{"method": "window/showMessage", "id": 1}, {"id": 2, "result": 1}, {"id": 1, "result": {}}, {"id": 1}]
    for message in told:
        streams.stdout.write(framed(message))
    assert messages(out.getvalue()) == [told[0], told[1], told[3]]


def test_a_server_that_cannot_begin_says_so() -> None:
    out = io.BytesIO()
    streams = answer_initialize(io.BytesIO(framed(asked({}))), out)
    streams.stdout.write(framed({"id": 1, "error": {"code": -32602, "message": "no"}}))
    shown = messages(out.getvalue())[1]
    assert shown["method"] == "window/showMessage"
    assert "cannot begin: no" in shown["params"]["message"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n",
        b"Content-Length: 2\r\n\r\n[",
        framed([]),
        framed({}),
        framed({**asked({}), "method": "shutdown"}),
        framed(asked({}, None)),
        framed(asked([])),
        framed({**asked({}), "params": 1}),
        framed({**asked({}), "jsonrpc": "1.0"}),
        b"Content-Length: 3\r\n\r\n\xff\xfe{",
    ],
)
def test_what_is_no_request_to_begin_is_left_to_others(data: bytes) -> None:
    out = io.BytesIO()
    streams = answer_initialize(io.BytesIO(data), out)
    assert out.getvalue() == b""
    assert streams.stdout is out
    read = b""
    while piece := streams.stdin.readline():
        read += piece
    assert read == data
