"""The command line with the stand-in analysis of `fake_analysis` in place of the real one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path[0:1] = [str(Path(__file__).resolve().parents[2])]


def main() -> int:
    from jaxlint import analysis
    from jaxlint.cli.options import main as run
    from jaxlint.engine import session

    sys.path.insert(0, str(Path(__file__).resolve().parent))
    import fake_analysis

    session._shipped_rules = lambda: fake_analysis.RULES
    analysis.analyse = fake_analysis.analyse
    return run()


if __name__ == "__main__":
    sys.exit(main())
