"""`python -m jaxlint`: the command line, with the checked folder kept off the module search path."""

from __future__ import annotations

import sys

if not getattr(sys.flags, "safe_path", False) and sys.path:
    # `-m` puts the working directory first: a `click.py` in the checked project must not be what we import.
    del sys.path[0]

from jaxlint.cli.options import main

if __name__ == "__main__":
    sys.exit(main())
