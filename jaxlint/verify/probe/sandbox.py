"""Runs the child in the user's interpreter: own session, limits, few variables, killed as a group when silent."""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from jaxlint.config import ConfigError

_CHILD: Final = Path(__file__).resolve().parent / "child"
#: Loads the child as a package of a name that nobody else has; the folder of no file of ours comes onto sys.path.
_BOOT: Final = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location(
    "_jaxlint_probe", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from _jaxlint_probe.main import main
main(int(sys.argv[2]))
"""
#: What of the environment the user's code gets to see: how to find things and how JAX is set up, no secrets.
_KEPT: Final = re.compile(
    r"PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|VIRTUAL_ENV|CONDA_PREFIX"
    r"|PYTHONPATH|PYTHONHOME|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|(JAX|XLA|TF|CUDA|NVIDIA|ROCM|HIP|HSA|TPU|LIBTPU|OMP)_\w+"
)
_DROPPED: Final = ("JAX_COMPILATION_CACHE_DIR",)
_MAX_RECORD: Final = 64 * 1024 * 1024
_GRACE: Final = 2.0


@dataclass(slots=True)
class Ending:
    """How a job ended: `reason` is None when it was done, else one line; `said` is its last line of stderr."""

    reason: str | None = None
    said: str = ""

    @property
    def text(self) -> str:
        """The reason with the last words, if there are any."""
        return f"{self.reason} ({self.said[:160]})" if self.said else str(self.reason)


class Child:
    """A process of the user's interpreter that does jobs one by one; started again when one has ended it.

    Use as a context manager: at its end the process and all it started are killed.
    """

    def __init__(self, python: str, platform: str | None, timeout: float, memory: int | None = None) -> None:
        self.python = os.path.abspath(python) if os.sep in python else python
        self.platform = platform
        self.timeout = timeout
        self.memory = memory
        self.ending = Ending()
        self._process: subprocess.Popen[bytes] | None = None
        self._reader = -1
        self._buffer = b""
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        #: What the user's code writes by a relative name goes here, and away.
        self._folder = tempfile.TemporaryDirectory(prefix="jaxlint-probe-", ignore_cleanup_errors=True)

    def __enter__(self) -> Child:
        """The child, not yet started."""
        if os.name != "posix":
            raise ConfigError("probing needs a system with process groups, such as Linux or macOS")
        return self

    def __exit__(self, *_: object) -> None:
        """End the process and everything in its session."""
        self._end()
        self._errors.close()
        self._folder.cleanup()

    def records(self, job: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Do one job; its records as they come. Then `ending` says how it went.

        Raises ConfigError where the interpreter cannot be started.
        """
        self.ending = Ending()
        process = self._process or self._start()
        self._errors.seek(0, os.SEEK_END)
        heard_from = self._errors.tell()
        finished = False
        try:
            self._say(process, job)
            yield from self._read(process)
            finished = True
        finally:
            if self.ending.reason is not None:
                self.ending.said = _last_line(self._errors, heard_from)
            if not finished or self._buffer or self.ending.reason is not None:
                self._end()

    def _say(self, process: subprocess.Popen[bytes], job: Mapping[str, Any]) -> None:
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended: reading will tell how
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()

    def _start(self) -> subprocess.Popen[bytes]:
        reader, writer = os.pipe()
        try:
            process = subprocess.Popen(
                [self.python, "-c", _BOOT, str(_CHILD), str(writer)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(writer,),
                env=environment(self.platform),
                cwd=self._folder.name,
                start_new_session=True,
                preexec_fn=_limits(self._most_memory()),  # noqa: PLW1509 - no threads here: the check is over
            )
        except OSError as error:
            os.close(reader)
            raise ConfigError(f"cannot run {self.python}: {(error.strerror or str(error)).lower()}") from None
        finally:
            os.close(writer)
        self._process, self._reader, self._buffer = process, reader, b""
        return process

    def _most_memory(self) -> int | None:
        """Bytes of data a process may hold: what the machine has. Drivers of accelerators map more."""
        if self.platform not in (None, "cpu"):
            return self.memory
        return self.memory or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(self._reader)
        if process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()

    def _read(self, process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
        """Records until the job is done, the process ends, or it stays silent for too long."""
        silent_since = time.monotonic()
        done = False
        while True:
            data = self._wait(process, silent_since)
            if not data:
                return
            silent_since = time.monotonic()
            *lines, self._buffer = (self._buffer + data).split(b"\n")
            if len(self._buffer) > _MAX_RECORD:
                self.ending.reason = "it says more than can be read"
                return
            for line in lines:
                record = _record(line)
                if record is None:
                    self.ending.reason = "the program wrote into the prober's own pipe"
                    return
                if record["event"] == "job-done":
                    if record["status"]:
                        self.ending.reason = _how_it_ended(record["status"])
                    elif not done:
                        self.ending.reason = "the process ended with exit code 0 before it was done"
                    return
                done = done or record["event"] in ("done", "no-jax", "outline", "platform-absent")
                yield record

    def _wait(self, process: subprocess.Popen[bytes], silent_since: float) -> bytes:
        """The next bytes; none when the process ended or was silent for too long, and then `ending` is set."""
        while True:
            left = silent_since + self.timeout - time.monotonic()
            if left <= 0:
                self.ending.reason = f"no answer for {self.timeout:g} s, so it was ended (`--timeout` sets the limit)"
                return b""
            ready, _, _ = select.select([self._reader], [], [], min(left, 0.2))
            if not ready and process.poll() is not None:
                ready, _, _ = select.select([self._reader], [], [], 0)
                if not ready:
                    self.ending.reason = _how_it_ended(process.returncode)
                    return b""
            if ready:
                data = os.read(self._reader, 1 << 16)
                if not data:
                    self.ending.reason = _how_it_ended(_exit_code(process))
                return data


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and isinstance(record.get("event"), str) else None


def environment(platform: str | None) -> dict[str, str]:
    """What the child sees of the environment, with JAX set to one platform if that is asked for."""
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name) and name not in _DROPPED}
    kept.update(
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONUNBUFFERED="1",
        JAX_TRACEBACK_FILTERING="off",
        XLA_PYTHON_CLIENT_PREALLOCATE="false",
    )
    if "PYTHONPATH" in kept:  # the child works in another folder
        kept["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, kept["PYTHONPATH"].split(os.pathsep)))
    if platform is not None:
        kept["JAX_PLATFORMS"] = platform
    return kept


def _limits(memory: int | None) -> Callable[[], None]:
    """Sets the child's limits: no core files, no giant files, and not more memory than is said."""
    import resource

    def apply() -> None:
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, 1 << 30)
        if memory is not None:
            _limit(resource.RLIMIT_DATA, memory)

    return apply


def _limit(kind: int, amount: int) -> None:
    import resource

    with contextlib.suppress(OSError, ValueError):
        hard = resource.getrlimit(kind)[1]
        most = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (most, hard))


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        return None


def _how_it_ended(returncode: int | None) -> str:
    if returncode is None:
        return "the program closed the prober's pipe"
    if returncode < 0:
        name = signal.Signals(-returncode).name if -returncode in signal.valid_signals() else str(-returncode)
        hint = ", perhaps for want of memory" if -returncode == signal.SIGKILL else ""
        return f"the process was killed by {name}{hint}"
    return f"the process ended with exit code {returncode} before it was done"


def _last_line(errors: IO[bytes], start: int) -> str:
    """The last line that was written to standard error from `start` on."""
    errors.seek(0, os.SEEK_END)
    errors.seek(max(start, errors.tell() - 4000))
    lines = errors.read().decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
