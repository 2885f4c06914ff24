"""The records that the processes of a run left behind, read back: whole lines only, in order, one process at a time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from jaxlint.verify.observe.cells import in_cells

Record: TypeAlias = "dict[str, Any]"


@dataclass(slots=True)
class ProcessLog:
    """One process. `began` is its `start` record; `torn` says that the last line was cut off by a kill."""

    pid: int
    began: Record
    records: list[Record] = field(default_factory=list)
    torn: bool = False

    @property
    def parent(self) -> int:
        """The process that started it."""
        return int(self.began.get("parent", 0))

    @property
    def forked(self) -> bool:
        """Whether it began as a copy of its parent, with what that had traced."""
        return self.began.get("how") == "fork"

    @property
    def stopped(self) -> bool:
        """Whether it ended in a way that let it say so: nothing follows its last word."""
        return bool(self.records) and self.records[-1]["e"] == "stop"

    @property
    def used_jax(self) -> bool:
        """Whether it traced or compiled anything."""
        return any(record["e"] in ("begin", "lower", "compile", "hit") for record in self.records)


def read_logs(folder: str) -> list[ProcessLog]:
    """The logs of all processes, in the order in which these began."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".jsonl"))
    logs = [log for name in names for log in _read(os.path.join(folder, name), int(name.removesuffix(".jsonl")))]
    for log, records in zip(logs, in_cells([log.records for log in logs]), strict=True):
        log.records = records
    return sorted(logs, key=lambda log: (log.began.get("clock", 0.0) + log.began["t"], log.pid))


def since(records: list[Record], start: float, work: frozenset[str]) -> list[Record]:
    """Records without the work before `start`; a run that is told as one like the last says then what that was."""
    signatures: dict[int, Any] = {}
    kept = []
    for record in records:
        if record["e"] == "begin":
            signatures[record["f"]] = record.get("sig") or signatures.get(record["f"])
        if record["t"] >= start or record["e"] not in work:
            is_again = record["e"] == "begin" and "again" in record
            kept.append({**record, "sig": signatures[record["f"]]} if is_again else record)
    return kept


def _read(path: str, pid: int) -> Iterator[ProcessLog]:
    """The processes that had one number, one after the other: `exec` keeps it."""
    log: ProcessLog | None = None
    with open(path, "rb") as file:
        for line in file:
            record = _parse(line)
            if record is None:
                if log is not None:
                    log.torn = True
            elif record["e"] == "start":
                if log is not None:
                    yield log
                log = ProcessLog(pid, record)
            elif log is not None:
                log.records.append(record)
    if log is not None:
        yield log


def _parse(line: bytes) -> Record | None:
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) and "e" in record and "t" in record else None
