"""The entry point of pytest: options, the marker and the fixture; all else is imported when one of them is used.

Loaded by every pytest that finds jaxlint installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jaxlint.verify.pytest_session import TestSession, Traces

_MARKER = "max_traces(count, name=None): no function, or none of that name, is traced more often in the test."


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options."""
    group = parser.getgroup("jaxlint")
    group.addoption("--jaxlint", action="store_true", help="Observe what JAX traces and compiles, and report it.")
    group.addoption("--jaxlint-html", metavar="FILE", help="Write the report there as a page for browsers, too.")
    group.addoption("--jaxlint-max-recompiles", metavar="N", type=int, help="Fail when more are counted.")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin before the project's own code imports JAX, where an option or a test asks for it."""
    options = early_config.known_args_namespace
    if _is_asked(options) or _is_used(early_config, options.file_or_dir):
        _begin(early_config)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known; begin here where pytest was started from Python."""
    config.addinivalue_line("markers", _MARKER)
    if _is_asked(config.option):
        _begin(config)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Begin at the latest when a test with the marker is found."""
    if item.get_closest_marker("max_traces") is not None or "jaxlint_traces" in getattr(item, "fixturenames", ()):
        _begin(item.config)


def _is_asked(options: object) -> bool:
    names = ("jaxlint", "jaxlint_html", "jaxlint_max_recompiles")
    return any(getattr(options, name, None) not in (None, False) for name in names)


def _is_used(config: pytest.Config, arguments: list[str]) -> bool:
    from jaxlint.verify.marked_tests import any_marked

    paths = [argument.partition("::")[0] for argument in arguments] or config.getini("testpaths") or ["."]
    return any_marked(str(config.invocation_params.dir), paths)


def _begin(config: pytest.Config) -> None:
    from jaxlint.verify.pytest_session import TestSession

    if not config.pluginmanager.has_plugin("jaxlint-session"):
        config.pluginmanager.register(TestSession.begin(config), "jaxlint-session")


@pytest.fixture
def jaxlint_traces(request: pytest.FixtureRequest) -> Traces:
    """What is traced in the test, by function."""
    session: TestSession | None = request.config.pluginmanager.get_plugin("jaxlint-session")
    assert session is not None
    return session.traces()
