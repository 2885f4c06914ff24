"""The first request is answered before the packages that speak the protocol are imported, which takes most of a second.

They are given that request all the same, and their answer to it is kept back.
"""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from jaxlint.lsp.capabilities import initialize_result

if TYPE_CHECKING:
    from typing import BinaryIO

_LENGTH: Final = re.compile(rb"content-length:[ \t]*(\d{1,9})[ \t]*\r\n", re.IGNORECASE)


class Streams(NamedTuple):
    """The input, with all that the client has said, and the output, from which the second answer is kept back."""

    stdin: BinaryIO
    stdout: BinaryIO


def answer_initialize(stdin: BinaryIO, stdout: BinaryIO) -> Streams:
    """Wait for the first message, and answer it if it is a request to begin; what it is not, is for others to say."""
    taken, body = _first_message(stdin)
    again = cast("BinaryIO", _Again(taken, stdin))
    request = _request(body)
    if request is None:
        return Streams(again, stdout)
    number, client = request
    _send(stdout, {"id": number, "result": initialize_result(client)})
    return Streams(again, cast("BinaryIO", _AnsweredOnce(number, stdout)))


def _first_message(stdin: BinaryIO) -> tuple[bytes, bytes]:
    """All that was read, and the body of the message in it."""
    head = []
    length = 0
    while (line := stdin.readline()).strip():
        head.append(line)
        match = _LENGTH.fullmatch(line)
        length = int(match[1]) if match else length
    body = stdin.read(length)
    return b"".join((*head, line, body)), body


def _request(body: bytes) -> tuple[int | str, dict[str, Any]] | None:
    """The number of a request to begin, and what the client can do; None for anything else."""
    try:
        message = json.loads(body)
    except ValueError:
        return None
    if not isinstance(message, dict) or (message.get("jsonrpc"), message.get("method")) != ("2.0", "initialize"):
        return None
    number, parameters = message.get("id"), message.get("params")
    client = parameters.get("capabilities") if isinstance(parameters, dict) else None
    return (number, client) if isinstance(number, int | str) and isinstance(client, dict) else None


def _send(stdout: BinaryIO, message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stdout.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stdout.flush()


class _Again:
    """An input of which some was read: it is read once more, and then the rest."""

    def __init__(self, taken: bytes, rest: BinaryIO) -> None:
        self._taken = io.BytesIO(taken)
        self._rest = rest

    def readline(self) -> bytes:
        return self._taken.readline() or self._rest.readline()

    def read(self, count: int) -> bytes:
        return self._taken.read(count) or self._rest.read(count)


class _AnsweredOnce:
    """An output on which one request was answered already; an error that comes instead is shown to the person."""

    def __init__(self, number: int | str, stdout: BinaryIO) -> None:
        self._number: int | str | None = number
        self._stdout = stdout

    def write(self, data: bytes) -> int:
        if self._number is None:
            return self._stdout.write(data)
        message = json.loads(data.partition(b"\r\n\r\n")[2] or b"{}")
        if message.get("id") != self._number or "method" in message:
            return self._stdout.write(data)
        self._number = None
        if "error" in message:
            shown = {"type": 1, "message": f"jaxlint: the server cannot begin: {message['error'].get('message')}"}
            _send(self._stdout, {"method": "window/showMessage", "params": shown})
        return len(data)

    def flush(self) -> None:
        self._stdout.flush()

    def close(self) -> None:
        self._stdout.close()
