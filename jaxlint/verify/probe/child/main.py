"""The child's side of the conversation: jobs come as lines of JSON on standard input, records go out one per line."""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any


class Records:
    """Where records go. Each is written whole and at once, so that a crash loses nothing already said."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        os.set_inheritable(descriptor, False)

    def write(self, event: str, **fields: Any) -> None:
        """Write one record; a reader that went away ends the process, for nobody will hear the rest."""
        data = (json.dumps({"event": event, **fields}) + "\n").encode("ascii")
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:
            os._exit(1)


def main(descriptor: int) -> None:
    """Do one job after the other until there are no more."""
    records = Records(descriptor)
    for line in sys.stdin.buffer:
        job = json.loads(line)
        if job["kind"] == "outline":
            _outline(job, records)
            records.write("job-done", status=0)
        else:
            records.write("job-done", status=_in_fork(job, records))
    os._exit(0)


def _outline(job: dict[str, Any], records: Records) -> None:
    from .outline import outline

    for path in job["paths"]:
        records.write("outline", **outline(path))


def _in_fork(job: dict[str, Any], records: Records) -> int:
    """Do a job in a process of its own, which has JAX imported and no backend started; how that process ended."""
    problem = _import_jax()
    if problem:
        records.write("no-jax", message=problem)
        return 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX warns of threads, of which there are none before a backend is started
        child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        from .job import run

        run(job, records)
        records.write("done")
        sys.stderr.flush()
    except BaseException:
        import traceback

        traceback.print_exc()
        sys.stderr.flush()
        os._exit(70)
    os._exit(0)  # without waiting for threads that the user's code may have started


def _import_jax() -> str:
    """Why JAX cannot be imported; empty if it can."""
    try:
        import jax  # noqa: F401
        import jaxlib  # noqa: F401
    except Exception as error:
        return (str(error).strip().splitlines() or [type(error).__name__])[0]
    return ""
