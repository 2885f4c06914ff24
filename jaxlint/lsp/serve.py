"""`jaxlint server`: what it needs, and its life from the first message to the last."""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Sequence

from jaxlint.config import ConfigError


def run_server(config: Sequence[str], *, isolated: bool, plugins: Sequence[str] = ()) -> int:
    """Serve on standard input and output until the client says that it is enough: then 0, and 1 where it just goes.

    Raises ConfigError where the packages of the extra are not installed.
    """
    if importlib.util.find_spec("pygls") is None or importlib.util.find_spec("lsprotocol") is None:
        what = "needs the package pygls, which is not installed: install jaxlint with the extra `lsp`"
        raise ConfigError(what, key="server")
    from jaxlint.lsp.handshake import greet

    streams = greet(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout = sys.stderr  # what a plug-in prints is no message of the protocol
    gc.disable()  # what is imported lives long; the worker collects between its jobs
    from jaxlint.lsp.projects import Options
    from jaxlint.lsp.server import make_server

    server = make_server(Options(tuple(config), isolated, tuple(plugins)))
    server.start_io(streams.stdin, streams.stdout)
    return 0 if server.is_shut_down else 1
