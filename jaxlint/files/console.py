"""Text on its way out: to standard output that may be closed, or to a file replaced as a whole or not at all."""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterable
from typing import Final

from jaxlint.config.errors import ConfigError
from jaxlint.files.atomic_write import replace_file
from jaxlint.text import escape

#: How a device says that it takes nothing more.
_REFUSALS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def write_stdout(lines: Iterable[str]) -> None:
    """Print the lines. A reader that went away is no error; a full device is a ConfigError."""
    stream = sys.stdout
    if stream is None or stream.closed:
        return
    _make_lossless(stream)
    try:
        stream.writelines(f"{line}\n" for line in lines)
        stream.flush()
    except OSError as error:
        _discard_stdout()
        if _is_reader_gone(error):
            return
        raise _refused(error) from None


def write_stdout_bytes(data: bytes) -> None:
    """Print bytes as they are; as `write_stdout` otherwise."""
    stream = sys.stdout
    if stream is None or stream.closed:
        return
    try:
        stream.flush()
        stream.buffer.write(data)
        stream.flush()
    except OSError as error:
        _discard_stdout()
        if _is_reader_gone(error):
            return
        raise _refused(error) from None


def stdout_error(error: OSError) -> ConfigError | None:
    """What to tell of an error, if it is standard output that refuses what others printed, such as click its help.

    An error of a file that was opened by name has that name, and writes of our own are told where they are made.
    """
    if error.filename is not None or error.errno not in _REFUSALS:
        return None
    _discard_stdout()
    return _refused(error)


def _refused(error: OSError) -> ConfigError:
    return ConfigError(f"standard output cannot be written: {(error.strerror or str(error)).lower()}")


def _is_reader_gone(error: OSError) -> bool:
    """Whether the other end of a pipe was closed; Windows calls that an invalid argument."""
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def write_stderr(line: str) -> None:
    """Print one line for the person, wherever standard error leads."""
    stream = sys.stderr
    if stream is None or stream.closed:
        return
    _make_lossless(stream)
    with contextlib.suppress(OSError):
        stream.write(f"{line}\n")
        stream.flush()


def be_quiet(is_quiet: bool) -> None:
    """Whether warnings are kept from now on, as `--quiet` asks."""
    _Quiet.is_on = is_quiet


class _Quiet:
    is_on = False


def warn(warnings: Iterable[str]) -> None:
    """Print each warning once."""
    if _Quiet.is_on:
        return
    for warning in dict.fromkeys(warnings):
        write_stderr(f"jaxlint: warning: {escape(warning)}")


def write_file(path: str, lines: Iterable[str]) -> None:
    """Replace the file at `path`, keeping its permissions and links; its old content stays if anything fails."""
    target = os.path.realpath(path)
    try:
        if os.path.exists(target) and not stat.S_ISREG(os.stat(target).st_mode):
            _write_device(target, lines)
        else:
            replace_file(target, "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise ConfigError(f"cannot be written: {(error.strerror or str(error)).lower()}", path) from None


def refuse_unwritable(path: str) -> None:
    """Find out before the work is done that its result could not be written. Raises ConfigError."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if os.path.isdir(target):
        raise ConfigError("cannot be written: is a directory", path)
    if not os.path.isdir(folder):
        raise ConfigError("cannot be written: no such file or directory", path)
    if not os.access(target if os.path.exists(target) else folder, os.W_OK):
        raise ConfigError("cannot be written: permission denied", path)


def _write_device(target: str, lines: Iterable[str]) -> None:
    with open(target, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.writelines(f"{line}\n" for line in lines)


def _make_lossless(stream: object) -> None:
    """Show what the encoding lacks as escapes; where it is ASCII use UTF-8, as Python itself does under LANG=C."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        with contextlib.suppress(OSError, ValueError, LookupError):
            is_ascii = codecs.lookup(getattr(stream, "encoding", None) or "utf-8").name == "ascii"
            reconfigure(encoding="utf-8" if is_ascii else None, errors="backslashreplace")


def _discard_stdout() -> None:
    """Let the interpreter's own flush at exit go nowhere instead of failing."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
