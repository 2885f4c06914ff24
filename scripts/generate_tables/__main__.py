"""Write the shipped tables of `jaxlint/jaxapi/data` anew from the installed libraries.

Run as `python scripts/generate_tables [TABLE ...]`; without a table, all of them. With `ONLY="jax.numpy.s jax.nn"` in
the environment only functions with these prefixes are measured anew, and the others are kept.
"""

from __future__ import annotations

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "jaxlint" / "jaxapi" / "data"


def write(table: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write one table, header first; lifetimes come from other releases of JAX and are kept."""
    lines = ["\t".join(header), *("\t".join(row) for row in with_lifetimes(table, header, rows))]
    (DATA / f"{table}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{table}: {len(lines) - 1} rows")


def with_lifetimes(table: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """The rows, with `since` and `until` as the table on disk has them, behind those of earlier releases."""
    if "since" not in header:
        yield from rows
        return
    start = header.index("since")
    known: dict[str, list[tuple[str, ...]]] = {}
    for row in read(table):
        known.setdefault(row[0], []).append(row)
    for row in {row[0]: row for row in rows}.values():
        *earlier, newest = known.get(row[0], [(*row[:start], "", "", *row[start + 2 :])])
        yield from earlier
        yield (*row[:start], *newest[start : start + 2], *row[start + 2 :])


def read(table: str) -> list[tuple[str, ...]]:
    """The rows of a table as it stands."""
    path = DATA / f"{table}.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    return [tuple(line.split("\t")) for line in lines]


def functions() -> None:
    """functions.tsv and modules.tsv."""
    import functions as measured

    described, aliases = measured.distinct()
    write("modules", ("alias", "canonical", "kind"), measured.alias_rows(aliases))
    prefixes = tuple(os.environ.get("ONLY", "").split())
    chosen = {name: function for name, function in described.items() if not prefixes or name.startswith(prefixes)}
    kept = [row for row in read("functions") if row[0] in described and row[0] not in chosen]
    write("functions", measured.HEADER, sorted([*kept, *measured.rows(chosen)]))


def numpy() -> None:
    """numpy_dispatch.tsv."""
    import numpy_table

    write("numpy_dispatch", numpy_table.HEADER, sorted(numpy_table.rows()))


def members() -> None:
    """array_members.tsv."""
    import members as measured

    write("array_members", measured.HEADER, measured.rows())


def random() -> None:
    """random.tsv; functions.tsv must be there."""
    import random_table

    functions = {row[0]: row for row in read("functions")}
    write("random", random_table.HEADER, sorted(random_table.rows(functions)))


def objects() -> None:
    """objects.tsv; families of libraries that are not installed are kept."""
    import objects_table

    made = {row[0]: row for row in objects_table.rows()}
    absent = {family for family, _, _ in objects_table.FAMILIES if objects_table.module_of(family) is None}
    kept = [row for row in read("objects") if row[0].rpartition(".")[0] in absent]
    write("objects", objects_table.HEADER, sorted({**{row[0]: row for row in kept}, **made}.values()))


def class_members() -> None:
    """class_members.tsv; rows of what is not installed are kept."""
    import class_members_table

    kept = {row[0]: row for row in read("class_members") if row[0] in class_members_table.MAKERS}
    made = {row[0]: row for row in class_members_table.rows()}
    write("class_members", class_members_table.HEADER, sorted({**kept, **made}.values()))


def start_up() -> None:
    """start_up.tsv."""
    import start_up_table

    write("start_up", start_up_table.HEADER, sorted(start_up_table.rows()))


TABLES = {
    "functions": functions, "numpy": numpy, "members": members, "random": random, "objects": objects,
    "start_up": start_up, "class_members": class_members,
}  # fmt: skip


def main(names: Sequence[str]) -> int:
    """Generate the named tables."""
    warnings.filterwarnings("ignore")
    unknown = [name for name in names if name not in TABLES]
    if unknown:
        print(f"no table {unknown[0]}; there are {', '.join(TABLES)}", file=sys.stderr)
        return 2
    for name in names or TABLES:
        TABLES[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
