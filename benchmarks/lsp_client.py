"""A client of a language server that knows JSON-RPC and nothing else: every message is what the wire carries."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Message = dict[str, Any]


class Client:
    """A server's process and its two pipes. Requests of the server are answered from `answers`, else with null."""

    def __init__(self, command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        self.folder = folder
        self.capabilities: Message = {}
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self.seen: list[Message] = []
        self._last = 0

    def initialize(self, capabilities: Message, options: Any = None) -> Message:
        """Begin; the answer is what the server can do."""
        parameters = {
            "processId": None,
            "rootUri": self.folder.as_uri(),
            "capabilities": capabilities,
            "initializationOptions": options,
            "workspaceFolders": [{"uri": self.folder.as_uri(), "name": self.folder.name}],
        }
        self.capabilities = self.request("initialize", parameters)["capabilities"]
        self.notify("initialized", {})
        return self.capabilities

    def request(self, method: str, parameters: Any = None) -> Any:
        """The result of a request. Raises RuntimeError with the error of one that fails."""
        answer = self.ask(method, parameters)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def ask(self, method: str, parameters: Any = None) -> Message:
        """The answer to a request, be it a result or an error."""
        number = self.send_request(method, parameters)
        return self.until(lambda message: message.get("id") == number and "method" not in message)

    def send_request(self, method: str, parameters: Any = None) -> int:
        """Ask without waiting for the answer; its number."""
        self._last += 1
        self.send({"id": self._last, "method": method, "params": parameters})
        return self._last

    def notify(self, method: str, parameters: Any = None) -> None:
        """Tell the server something."""
        self.send({"method": method, "params": parameters})

    def open(self, uri: str, text: str, version: int = 1) -> None:
        """Open a Python document."""
        document = {"uri": uri, "languageId": "python", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri: str, version: int, *changes: Message) -> None:
        """Change a document."""
        parameters = {"textDocument": {"uri": uri, "version": version}, "contentChanges": list(changes)}
        self.notify("textDocument/didChange", parameters)

    def published(self, uri: str, version: int | None = None) -> list[Message]:
        """The diagnostics that the server next publishes for a document, or for one version of it."""

        def is_it(message: Message) -> bool:
            if message.get("method") != "textDocument/publishDiagnostics" or message["params"]["uri"] != uri:
                return False
            return version is None or message["params"].get("version") == version

        found: list[Message] = self.until(is_it)["params"]["diagnostics"]
        return found

    def until(self, is_it: Callable[[Message], bool]) -> Message:
        """The next message of a kind; requests of the server are answered meanwhile."""
        while True:
            message = self.receive()
            if is_it(message):
                return message

    def receive(self) -> Message:
        """The next message. Raises EOFError where the server has ended."""
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError("the server has ended")
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: Message = json.loads(self.process.stdout.read(length))
        self.seen.append(message)
        if "method" in message and "id" in message:
            answer = self.answers.get(message["method"], lambda _: None)(message.get("params"))
            self.send({"id": message["id"], "result": answer})
        return message

    def send(self, message: Message) -> None:
        """Send a message as it is."""
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def stop(self) -> int:
        """End the server as the protocol has it; its exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(30)


def insertion(line: int, character: int, text: str) -> Message:
    """The change that puts text in."""
    place = {"line": line, "character": character}
    return {"range": {"start": place, "end": place}, "text": text}
