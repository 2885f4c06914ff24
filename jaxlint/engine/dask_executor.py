"""A Dask cluster as an executor: `dask://HOST:PORT` names its scheduler."""

from __future__ import annotations

import contextlib
import logging
import re
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Final

from jaxlint.config import ConfigError
from jaxlint.engine.part_task import refuse_other_versions, versions_here
from jaxlint.engine.sent_work import Sender

_ADDRESS: Final = re.compile(r"dask://([^\s/]+:[0-9]{1,5})/?")
#: Seconds that a scheduler may take to answer, and then until it has a worker.
_PATIENCE: Final = 20
#: What must be the same for the two sides of Dask to understand each other.
_OF_DASK: Final = ("distributed", "cloudpickle")


@contextlib.contextmanager
def dask_cluster(address: str, plugins: tuple[str, ...]) -> Iterator[Sender]:
    """The cluster as something to send work to. Raises ConfigError where it cannot be used."""
    place = _ADDRESS.fullmatch(address)
    if place is None:
        raise ConfigError(f"`{address}` is not of the form dask://HOST:PORT", key="--executor")
    try:
        distributed: Any = import_module("distributed")  # optional, and without types
    except ImportError:
        what = "needs the package `distributed`: pip install 'jaxlint-dataflow[dask]'"
        raise ConfigError(what, key="--executor") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what is lost is told in a line of our own
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            client = distributed.Client(f"tcp://{place[1]}", timeout=_PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ConfigError(f"no scheduler answers: {str(error).splitlines()[0]}", address) from None
        with client:
            if not _has_worker(client):
                raise ConfigError(f"the cluster has no worker after {_PATIENCE} s", address)
            _refuse_other_dask(client.get_versions(), address)
            _refuse_other_workers(client, address, plugins)
            size = sum(client.nthreads().values())
            yield Sender(client.get_executor(pure=False), size, address, plugins, lambda: _has_worker(client))


def _has_worker(client: Any) -> bool:  # noqa: ANN401 - without types
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except (TimeoutError, OSError):
        return False
    return True


def _refuse_other_workers(client: Any, address: str, plugins: tuple[str, ...]) -> None:  # noqa: ANN401 - without types
    """Raise ConfigError for a worker without jaxlint, which a task would end, or with another one."""
    here = versions_here(plugins)
    ask = f"__import__({versions_here.__module__!r}, fromlist=['*']).{versions_here.__name__}({plugins!r})"
    for worker, there in sorted(client.run(eval, ask, on_error="return").items()):
        if isinstance(there, BaseException):
            raise ConfigError(f"jaxlint cannot be imported by {worker}: {there}", address)
        refuse_other_versions(here, there, f"{address}: {worker}")


def _refuse_other_dask(versions: Mapping[str, Any], address: str) -> None:
    """Raise ConfigError where Dask is not the same on all sides."""
    here = versions["client"]["packages"]
    for there in (versions["scheduler"], *versions["workers"].values()):
        for name in _OF_DASK:
            theirs = there["packages"].get(name)
            if theirs != here[name]:
                raise ConfigError(f"{name} is not the same: {theirs} there and {here[name]} here", address)
