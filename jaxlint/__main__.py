"""The entry point: `jaxlint`, and `python -m jaxlint` with the checked folder kept off the module search path."""

from __future__ import annotations

import sys


def run() -> int:
    """The command line; Ctrl-C while it is imported ends it as quietly as later."""
    try:
        from jaxlint.cli.options import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    if not getattr(sys.flags, "safe_path", False) and sys.path:
        # `-m` puts the working directory first: a `click.py` in the checked project must not be what we import.
        del sys.path[0]
    sys.exit(run())
