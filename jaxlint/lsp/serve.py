"""`jaxlint server`: what it needs, and its life from the first message to the last."""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.config import ConfigError

if TYPE_CHECKING:
    from jaxlint.lsp.projects import ServerOptions
    from jaxlint.lsp.server import Server


def run_server(config: Sequence[str], *, isolated: bool, plugins: Sequence[str] = ()) -> int:
    """Serve on standard input and output until the client says that it is enough: then 0, and 1 where it just goes.

    Raises ConfigError where the packages of the extra are not installed.
    """
    if importlib.util.find_spec("pygls") is None or importlib.util.find_spec("lsprotocol") is None:
        what = "needs the package pygls, which is not installed: install jaxlint with the extra `lsp`"
        raise ConfigError(what, key="server")
    from jaxlint.lsp.handshake import answer_initialize

    streams = answer_initialize(sys.stdin.buffer, sys.stdout.buffer)
    sys.stdout = sys.stderr  # what a plug-in prints is no message of the protocol
    gc.disable()  # what is imported lives long; the worker collects between its jobs
    from jaxlint.lsp.projects import ServerOptions

    server = make_server(ServerOptions(tuple(config), isolated, tuple(plugins)))
    server.start_io(streams.stdin, streams.stdout)
    return 0 if server.is_shut_down else 1


def make_server(options: ServerOptions) -> Server:
    """A server with all its features."""
    from jaxlint.lsp.document_sync import add_notebooks, add_texts
    from jaxlint.lsp.features import add_features
    from jaxlint.lsp.server import Server
    from jaxlint.lsp.session_messages import add_lifecycle

    server = Server(options)
    add_lifecycle(server)
    add_texts(server)
    add_notebooks(server)
    add_features(server)
    return server
