"""Arms the observer when the interpreter starts, then makes way for the `sitecustomize` that this file shadows."""

from __future__ import annotations

import os
import sys


def _leave_the_path() -> None:
    """Children find this folder through PYTHONPATH; this process needs it no more once the observer is loaded."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [entry for entry in sys.path if not entry or os.path.abspath(entry) != here]


def _arm() -> None:
    try:
        import _jaxlint_observer  # type: ignore[import-not-found, unused-ignore]

        _jaxlint_observer.arm()
    except Exception as error:  # the program must run whatever happens here
        sys.stderr.write(f"jaxlint: this process is not observed: {error!r}\n")


if os.environ.get("JAXLINT_OBSERVE"):
    _arm()
_leave_the_path()
del sys.modules[__name__]
# Raises ImportError where nothing is shadowed, as if this file did not exist: `site` expects that and goes on.
import sitecustomize  # type: ignore[import-not-found, unused-ignore]  # noqa: E402, F401
