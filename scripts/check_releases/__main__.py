"""Hold the table of migrations against installed releases of JAX, and write the tables of new and of public names.

    python scripts/check_releases --python OLD/bin/python --python NEW/bin/python [--write]

Each interpreter has one release of JAX; the more there are, and the closer, the more is known. A row of migration.tsv
is contradicted where a release still has a name that it says was removed, where a release before that no longer has it
though an earlier one had, where a deprecated name does not warn in any release that could, and where the newest release
has no such replacement. A name is in additions.tsv with the newest release that lacks it and the first that has it.

Exit codes: 0 nothing is contradicted, 1 something is, 2 an interpreter cannot answer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from jaxlint.jaxapi.lifetimes import MigrationRow, migrations  # noqa: E402
from jaxlint.jaxapi.versions import Version, parse_version  # noqa: E402

DATA: Final = ROOT / "jaxlint" / "jaxapi" / "data"
PROBE: Final = Path(__file__).with_name("probe.py")
#: Parts of JAX whose new names say nothing: kernels, tools, and what other modules happen to import.
LEFT_OUT: Final = (
    "jax.experimental.pallas.ops", "jax.experimental.mosaic", "jax.experimental.source_mapper", "jax.interpreters",
    "jax.experimental.jax2tf", "jax.experimental.roofline", "jax.experimental.array_serialization",
    "jax.experimental.colocated_python", "jax.errors.", "jax.typing.",
)  # fmt: skip
#: Names of the standard library that modules hold because they import them.
IMPORTED: Final = frozenset(
    {
        "Any", "Callable", "Enum", "Generic", "Hashable", "Iterable", "Iterator", "Literal", "Mapping", "NamedTuple",
        "Optional", "Protocol", "Sequence", "TypeAlias", "TypeVar", "Union", "annotations", "cast", "dataclass",
        "overload", "partial", "total_ordering",
    }
)  # fmt: skip
#: Attributes, which no import finds.
NOT_NAMES: Final = ("jax.Array.",)


class Installed(NamedTuple):
    """What one interpreter says of its JAX."""

    version: Version
    asked: dict[str, str]
    public: dict[str, str]

    @property
    def text(self) -> str:
        """The release."""
        return ".".join(map(str, self.version))


def main() -> int:
    """Ask every interpreter, compare, and write if asked to."""
    arguments = parse()
    rows = [row for row in migrations() if row.name.startswith("jax.")]
    names = sorted({name for row in rows for name in (row.name, *_objects(row))})
    try:
        releases = sorted(ask(python, names) for python in arguments.python)
    except subprocess.CalledProcessError as error:
        print(error.stderr[-2000:], file=sys.stderr)
        return 2
    found = [problem for row in rows for problem in contradictions(row, releases)]
    print(*found, sep="\n")
    print(f"{len(rows)} rows, {len(found)} contradictions, JAX {', '.join(each.text for each in releases)}")
    if arguments.write:
        write("additions", "name\tabsent\tpresent", additions(releases))
        write("public_names", "name\tpublic", public_names(releases))
    return 1 if found else 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="check_releases", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--python", action="append", required=True, help="an interpreter with a release of JAX")
    parser.add_argument("--write", action="store_true", help="write additions.tsv and public_names.tsv")
    return parser.parse_args()


def ask(python: str, names: Sequence[str]) -> Installed:
    """Run the probe in an interpreter."""
    questions = json.dumps({"asked": names, "pairs": [], "packages": ["jax"]})
    command = [os.path.expanduser(python), "-W", "ignore", str(PROBE)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": ""}
    done = subprocess.run(command, input=questions, check=True, capture_output=True, text=True, env=environment)
    answer: dict[str, Any] = json.loads(done.stdout)
    return Installed(parse_version(answer["versions"]["jax"]), answer["asked"], answer["public"])


def _objects(row: MigrationRow) -> Iterator[str]:
    """The replacements that can be looked up."""
    for name in row.replacements:
        if "." in name and not name.startswith(NOT_NAMES):
            yield name


def contradictions(row: MigrationRow, releases: Sequence[Installed]) -> Iterator[str]:
    """What installed releases say against a row."""
    removed = parse_version(row.removed) if row.removed else None
    deprecated = parse_version(row.deprecated) if row.deprecated else None
    is_known = False
    warns = []
    for release in releases:
        state = release.asked[row.name]
        is_there = state in ("here", "warns")
        if removed is not None and release.version >= removed:
            if is_there and "(" not in row.name:
                yield f"{row.name}: removed in {row.removed}, but {release.text} has it"
        elif is_known and state == "gone":
            yield f"{row.name}: {release.text} has no such name, though it is removed later or never"
        elif deprecated is not None and release.version >= deprecated and is_there:
            warns.append(state == "warns" or "(" in row.name)
        is_known = is_known or is_there
    if warns and not any(warns) and not row.name.endswith("host_callback"):
        yield f"{row.name}: deprecated since {row.deprecated}, but no release warns"
    for name in _objects(row):
        if releases[-1].asked[name] == "gone":
            yield f"{row.name}: {releases[-1].text} has no {name}, which is to replace it"


def additions(releases: Sequence[Installed]) -> Iterator[str]:
    """The names that some release lacks and all later ones have."""
    for name in sorted(releases[-1].public):
        function, _, parameter = name.partition("(")
        if name.startswith(LEFT_OUT) or parameter == "**)" or name.rpartition(".")[2] in IMPORTED:
            continue
        lacking = [index for index, each in enumerate(releases) if _lacks(each, name, function)]
        if lacking:
            absent, present = releases[lacking[-1]], releases[lacking[-1] + 1]
            if not any(name in each.public for each in releases[: lacking[-1]]):
                yield f"{name}\t{absent.text}\t{present.text}"


def _lacks(release: Installed, name: str, function: str) -> bool:
    """Whether a release has no such name; of a parameter, whether it has the function and not that."""
    if name in release.public:
        return False
    return name == function or (function in release.public and f"{function}(**)" not in release.public)


def public_names(releases: Sequence[Installed]) -> Iterator[str]:
    """The public name of what a private module defines, the shortest one."""
    best: dict[str, str] = {}
    for name, private in releases[-1].public.items():
        if "._" in private and not name.startswith(("jax.interpreters", "jax.lib")):
            best[private] = min(best.get(private, name), name, key=_by_reach)
    yield from (f"{private}\t{name}" for private, name in sorted(best.items()))


def _by_reach(name: str) -> tuple[bool, int, str]:
    return ("experimental" in name or "extend" in name, name.count("."), name)


def write(table: str, header: str, lines: Iterator[str]) -> None:
    """Write a table of the package."""
    (DATA / f"{table}.tsv").write_text("\n".join((header, *lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
