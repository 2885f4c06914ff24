"""Files replaced as a whole or not at all: a reader, or a crash, finds the old content or the new."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator


class ChangedSince(OSError):  # noqa: N818 - it says what happened to the file
    """The file no longer holds what it held when its new content was made."""


def replace_file(path: str, data: bytes, *, still: Callable[[], bool] | None = None) -> None:
    """Let the file at `path` hold `data`, keeping its permissions, its owner and the links to it.

    `still` is asked last, with the new content ready beside the file. Raises OSError, ChangedSince where `still` says
    no; the file is then as it was. A device or a pipe is no file: a new name in its place would end it for all.
    """
    target = os.path.realpath(path)
    before = os.stat(target) if os.path.exists(target) else None
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise OSError(errno.EINVAL, "is a directory" if stat.S_ISDIR(before.st_mode) else "not a regular file")
    if before is not None and not os.access(target, os.W_OK):
        raise PermissionError(13, "permission denied")
    with _temporary_beside(target) as (descriptor, temporary):
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if before is None:
            os.chmod(temporary, 0o666 & ~_umask())
        else:
            _make_alike(temporary, target, before)
        if still is not None and not still():
            raise ChangedSince("it changed while it was being checked")
        os.replace(temporary, target)
    _sync_folder(os.path.dirname(target))


def _make_alike(temporary: str, target: str, before: os.stat_result) -> None:
    """Give a file the owner, the permissions and the attributes of another; OSError where that is not allowed."""
    now = os.stat(temporary)
    if hasattr(os, "chown") and (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(temporary, before.st_uid, before.st_gid)
        except PermissionError:
            raise PermissionError(1, "its owner could not be kept") from None
    os.chmod(temporary, stat.S_IMODE(before.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # a file system without them, or some that only the system may set
            for name in os.listxattr(target):
                os.setxattr(temporary, name, os.getxattr(target, name))


def _sync_folder(folder: str) -> None:
    """Let the new name outlast a power failure where folders can be synchronised."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder or ".", os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextlib.contextmanager
def _temporary_beside(target: str) -> Iterator[tuple[int, str]]:
    from tempfile import mkstemp

    descriptor, temporary = mkstemp(dir=os.path.dirname(target), prefix=".jaxlint-")
    try:
        yield descriptor, temporary
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
