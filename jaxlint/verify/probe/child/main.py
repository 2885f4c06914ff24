"""The child's side of the conversation: a job comes as JSON on standard input, records go out one per line."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

Record = dict[str, Any]


class Records:
    """Where records go. Each is written whole and at once, so that a crash loses nothing already said."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        os.set_inheritable(descriptor, False)

    def write(self, event: str, **fields: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
        """Write one record; a reader that went away ends the process, for nobody will hear the rest."""
        data = (json.dumps({"event": event, **fields}) + "\n").encode("ascii")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            os._exit(1)


def main(descriptor: int) -> None:
    """Read the job, do it, and leave without waiting for threads that the user's code may have started."""
    job = json.load(sys.stdin)
    records = Records(descriptor)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if job["kind"] == "outline":
        from .outline import outline

        for path in job["paths"]:
            records.write("outline", **outline(path))
    else:
        from .session import run

        run(job, records)
    records.write("done")
    sys.stderr.flush()
    os._exit(0)
