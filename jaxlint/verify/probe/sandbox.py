"""Runs the child in the user's interpreter: own session, limits, few environment variables, killed as a group when silent."""

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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
    """How a child came to its end: `reason` is None when it finished its job, else one line. `stderr` is its last words."""

    reason: str | None = None
    stderr: str = ""
    returncode: int | None = None


@dataclass(slots=True)
class Child:
    """One run of the child. Iterate over `records()` to its end; then `ending` says how it went."""

    python: str
    job: Mapping[str, Any]
    timeout: float
    ending: Ending = field(default_factory=Ending)

    def records(self) -> Iterator[dict[str, Any]]:
        """The child's records as they come. Raises ConfigError where the interpreter cannot be started."""
        if os.name != "posix":
            raise ConfigError("probing needs a system with process groups, such as Linux or macOS")
        reader, writer = os.pipe()
        with tempfile.TemporaryFile() as errors, tempfile.TemporaryFile() as given:
            given.write(json.dumps(self.job).encode())
            given.seek(0)
            try:
                process = self._start(writer, given, errors)
            except OSError as error:
                os.close(reader)
                raise ConfigError(f"cannot run {self.python}: {(error.strerror or str(error)).lower()}") from None
            finally:
                os.close(writer)
            try:
                yield from self._read(reader, process)
            finally:
                os.close(reader)
                _end_group(process)
                self.ending.returncode = process.returncode
                self.ending.stderr = _tail(errors)

    def _start(self, writer: int, given: IO[bytes], errors: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [self.python, "-c", _BOOT, str(_CHILD), str(writer)],
            stdin=given,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            pass_fds=(writer,),
            env=environment(self.job.get("platform")),
            start_new_session=True,
            preexec_fn=_limits(is_cpu=self.job.get("platform") in (None, "cpu")),
        )

    def _read(self, reader: int, process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
        """Records until the child says it is done, ends, or stays silent for too long."""
        buffer = b""
        silent_since = time.monotonic()
        while True:
            left = silent_since + self.timeout - time.monotonic()
            if left <= 0:
                self.ending.reason = f"no answer for {self.timeout:g} s; ended (`--timeout` sets the limit)"
                return
            ready, _, _ = select.select([reader], [], [], min(left, 0.2))
            if not ready:
                if process.poll() is None:
                    continue
                ready, _, _ = select.select([reader], [], [], 0)
            data = os.read(reader, 1 << 16) if ready else b""
            if not data:
                self.ending.reason = _how_it_ended(_wait(process))
                return
            silent_since = time.monotonic()
            *lines, buffer = (buffer + data).split(b"\n")
            if len(buffer) > _MAX_RECORD:
                self.ending.reason = "it says more than can be read"
                return
            for line in lines:
                record = _record(line)
                if record is None:
                    self.ending.reason = "the program wrote into the prober's own pipe"
                    return
                if record["event"] == "done":
                    return
                yield record


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
    if platform is not None:
        kept["JAX_PLATFORMS"] = platform
    return kept


def _limits(*, is_cpu: bool) -> Any:  # noqa: ANN401 - what Popen takes
    """Limits of the child: no core files, no giant files, and for the CPU no more memory than the machine has."""
    import resource

    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def apply() -> None:
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_FSIZE, 1 << 30)
        if is_cpu:  # drivers of accelerators map more than there is
            _limit(resource.RLIMIT_DATA, memory)

    return apply


def _limit(kind: int, amount: int) -> None:
    import resource

    with contextlib.suppress(OSError, ValueError):
        hard = resource.getrlimit(kind)[1]
        most = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
        resource.setrlimit(kind, (most, hard))


def _wait(process: subprocess.Popen[bytes]) -> int | None:
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


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the child and everything it started in its session."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _tail(errors: IO[bytes]) -> str:
    errors.seek(0, os.SEEK_END)
    errors.seek(max(0, errors.tell() - 4000))
    return errors.read().decode("utf-8", "replace").strip()
