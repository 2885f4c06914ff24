"""A real headless browser, driven through the pipe of its DevTools protocol: no server, no port, nothing installed."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)  # fmt: skip


class Page:
    """One page of the browser. `events` are those that came so far, by method."""

    def __init__(self, wanted: int, found: int) -> None:
        self._wanted, self._found = wanted, found
        self._rest = b""
        self._next = 0
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []

    def attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give the browser an order and wait for its answer."""
        self._next += 1
        message: dict[str, Any] = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._wanted, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read(time.monotonic() + 60)
            if answer.get("id") == self._next:
                assert "error" not in answer, answer
                return dict(answer["result"])

    def _read(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._found], [], [], max(0.0, until - time.monotonic()))
            assert ready, "the browser does not answer"
            data = os.read(self._found, 1 << 20)
            assert data, "the browser has ended"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, path: Path, width: int = 1280, height: int = 900, *, dark: bool = False) -> None:
        """Show a file in a window of that size, and wait until it is there."""
        self.events.clear()
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self._read(time.monotonic() + 60)

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def close(self) -> None:
        """Let the browser end."""
        self._session = None
        self.call("Browser.close")

    def requests(self) -> list[str]:
        """What the page asked for, itself included."""
        sent = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]

    def complaints(self) -> list[str]:
        """What the browser wrote to its console, or threw."""
        methods = ("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in methods]

    def picture(self, target: Path, *, whole: bool = True) -> None:
        """Write a picture of the page."""
        shown = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        target.write_bytes(base64.b64decode(shown["data"]))

    def printed(self) -> bytes:
        """The page as PDF."""
        return base64.b64decode(self.call("Page.printToPDF")["data"])


@contextmanager
def browser(profile: Path) -> Iterator[Page]:
    """A browser of its own, with an empty profile, that is ended afterwards."""
    assert CHROMIUM
    order_out, order_in = os.pipe()
    answer_out, answer_in = os.pipe()

    def place() -> None:  # the protocol's pipes are descriptors 3 and 4
        kept = os.dup(answer_in), os.dup(order_out)
        os.dup2(kept[1], 3)
        os.dup2(kept[0], 4)

    process = subprocess.Popen(
        [CHROMIUM, *_OPTIONS, f"--user-data-dir={profile}"],
        pass_fds=(3, 4, order_out, answer_in),
        preexec_fn=place,  # noqa: PLW1509 - it only moves descriptors
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    os.close(order_out)
    os.close(answer_in)
    try:
        page = Page(order_in, answer_out)
        page.attach()
        yield page
        page.close()
    finally:
        os.close(order_in)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(30)
        os.close(answer_out)
