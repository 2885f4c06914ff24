#!/usr/bin/env python3
"""What the work of a cold run is done for: `interpretations.py FOLDER` counts units of work by why a body is looked at.

The counts do not depend on the machine. A unit is about an evaluated expression; what a call comes to counts for it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import jaxlint
from jaxlint.analysis.domain.frames import Frame
from jaxlint.analysis.machine.interpreter import Interpreter
from jaxlint.analysis.python import functions
from jaxlint.analysis.summaries.signatures import Signature
from jaxlint.analysis.summaries.summary import Summaries, Summary
from jaxlint.engine import session

ALONE, FIRST = "no call is known, or a module's own call", "first call"
CHANGING, STALE, OTHER = "changes what it is given", "read what has changed", "arguments of other kinds"


class Counts:
    """Units of work and interpretations, by cause."""

    def __init__(self) -> None:
        self.work: Counter[str] = Counter()
        self.runs: Counter[str] = Counter()
        self.replays = 0
        self._inner = [0]
        self._cause = ALONE
        self._seen: set[int] = set()

    def listen(self) -> None:
        """Count from here on."""
        run, find, record = functions._run, Summaries.find, Summaries.record
        known: Summary | None = None

        def running(it: Interpreter, frame: Frame):
            cause, self._cause = self._cause, ALONE
            before = it.work
            self._inner.append(0)
            try:
                return run(it, frame)
            finally:
                whole, inner = it.work - before, self._inner.pop()
                self._inner[-1] += whole
                self.work[cause] += whole - inner
                self.runs[cause] += 1

        def finding(self_: Summaries, signature: Signature):
            nonlocal known
            known = find(self_, signature)
            self.replays += known is not None
            return known

        def recording(self_: Summaries, it: Interpreter, frame: Frame, signature: Signature, interpret):
            function = id(frame.function)
            self._cause = STALE if known else CHANGING if function in self_.changing else OTHER
            if function not in self._seen:
                self._seen.add(function)
                self._cause = FIRST
            return record(self_, it, frame, signature, interpret)

        functions._run, Summaries.find, Summaries.record = running, finding, recording


def main() -> int:
    folder = Path(sys.argv[1])
    counts = Counts()
    counts.listen()
    session.run_watched = lambda *_: None  # in this process
    jaxlint.check(folder, select=["ALL"], isolated=True, jobs=1, cache=False)
    whole = sum(counts.work.values())
    for cause, work in counts.work.most_common():
        print(f"{cause:42} {counts.runs[cause]:7} interpretations {work:9} units {100 * work / whole:5.1f} %")
    print(f"{'replayed from a summary':42} {counts.replays - counts.runs[STALE]:7} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
