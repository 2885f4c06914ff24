"""Make a file that ends badly smaller, line by line and then piece by piece, as long as it ends badly in the same way.

python benchmarks/fuzz/reduce.py /tmp/jaxlint-fuzz/1-1209 program.py > small.py
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.fuzz.outcome import run_case
from benchmarks.fuzz.run import import_all
from benchmarks.fuzz.subjects import Case


def main() -> int:
    folder, name = Path(sys.argv[1]), sys.argv[2]
    beside = ("arguments.txt", "problem.txt")
    files = {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in folder.rglob("*")
        if p.is_file() and p.name not in beside
    }
    arguments = tuple((folder / "arguments.txt").read_text().split("\n"))
    import_all()

    def problem(text: str) -> str:
        place = Path(tempfile.mkdtemp())
        try:
            case = Case({**files, name: text.encode("utf-8", "surrogateescape")}, arguments)
            return run_case(case, place / "project").problem
        finally:
            shutil.rmtree(place)

    text = files[name].decode("utf-8", "surrogateescape")
    wanted = problem(text)
    for pattern in (r"[^\n]*\n", r"\s+|\w+|[^\w\s]"):
        text = "".join(_fewer(re.findall(pattern, text), lambda pieces: problem("".join(pieces)) == wanted))
    print(text)
    print(wanted, file=sys.stderr)
    return 0


def _fewer(pieces: Sequence[str], still: Callable[[Sequence[str]], bool]) -> Sequence[str]:
    """The pieces without those that can be left out, tried in ever shorter runs."""
    size = len(pieces) // 2
    while size:
        at = 0
        while at < len(pieces):
            trial = [*pieces[:at], *pieces[at + size :]]
            if still(trial):
                pieces = trial
            else:
                at += size
        size //= 2
    return pieces


if __name__ == "__main__":
    sys.exit(main())
