"""jaxlint: find JAX pitfalls before the program runs, and see what JAX traces and compiles while it does.

`check` finds what `jaxlint check` finds; `observe` reports what JAX traces and compiles inside of a `with` block. Names
are imported when they are first asked for: importing the package alone loads nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jaxlint.api import ConfigError as ConfigError
    from jaxlint.api import Diagnostic as Diagnostic
    from jaxlint.api import Report as Report
    from jaxlint.api import Result as Result
    from jaxlint.api import check as check
    from jaxlint.api import load_ipython_extension as load_ipython_extension
    from jaxlint.api import observe as observe

__all__ = ["ConfigError", "Diagnostic", "Report", "Result", "check", "observe"]


def __getattr__(name: str) -> object:
    """A public name, imported now."""
    if name in __all__ or name == "load_ipython_extension":
        from jaxlint import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return sorted([*globals(), *__all__])
