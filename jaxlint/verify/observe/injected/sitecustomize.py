"""Arms the observer when the interpreter starts, then makes way for the `sitecustomize` that this file shadows.

Any Python that the program starts reads this file, however old: it has nothing in it that Python 2.7 cannot read.
"""

import os
import sys

if os.environ.get("JAXLINT_OBSERVE") and sys.version_info >= (3, 10):
    try:
        import _jaxlint_observer  # type: ignore[import-not-found, unused-ignore]

        _jaxlint_observer.arm()
    except Exception as error:  # the program must run whatever happens here
        sys.stderr.write("jaxlint: this process is not observed: " + repr(error) + "\n")
# Children find this folder through PYTHONPATH; this process needs it no more once the observer is loaded.
_own = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if not entry or os.path.abspath(entry) != _own]
del sys.modules[__name__]
# Raises ImportError where nothing is shadowed, as if this file did not exist: `site` expects that and goes on.
import sitecustomize  # type: ignore[import-not-found, unused-ignore]  # noqa: E402, F401
