"""Hold the table of migrations against installed releases, and write the tables of JAX's new and public names.

    python scripts/check_releases --python OLD/bin/python --python NEW/bin/python [--write]

Each interpreter has one release of JAX, and one of Flax, Optax and Equinox where they are installed; the more there
are, and the closer, the more is known. A row of migration.tsv is contradicted where a release still has a name, or
takes an argument, that the row says was removed, where a release before that no longer does though an earlier one did,
where a deprecated name does not warn in any release that could, and where the newest release has no such replacement.
Forms of calls are tried out (`trials.py`). Rows that no release could say anything of are counted.

A name is in additions.tsv with the newest release of JAX that lacks it and the first that has it.

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

from trials import TRIALS  # noqa: E402

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


LIBRARIES: Final = ("jax", "flax", "optax", "equinox")


class Installed(NamedTuple):
    """What one interpreter says of its libraries; those that it lacks have no version."""

    versions: dict[str, str | None]
    asked: dict[str, str]
    public: dict[str, str]

    def version(self, library: str) -> Version:
        """The release of a library that is installed."""
        return parse_version(self.versions[library] or "0")

    @property
    def text(self) -> str:
        """The release of JAX."""
        return str(self.versions["jax"])


def main() -> int:
    """Ask every interpreter, compare, and write if asked to."""
    arguments = parse()
    rows = migrations()
    names = sorted({name for row in rows for name in (row.name, *_objects(row))})
    try:
        installed = [ask(python, names) for python in arguments.python]
    except subprocess.CalledProcessError as error:
        print(error.stderr[-2000:], file=sys.stderr)
        return 2
    problems, undecided = [], 0
    for library in LIBRARIES:
        releases = sorted((each for each in installed if each.versions[library]), key=lambda r: r.version(library))
        mine = [row for row in rows if row.name.partition(".")[0] == library]
        found = [problem for row in mine for problem in contradictions(row, library, releases)]
        undecided += sum(not is_decided(row, releases) for row in mine)
        problems += found
        tested = dict.fromkeys(str(each.versions[library]) for each in releases)
        print(*found, sep="\n", end="\n" if found else "")
        print(f"{library}: {len(mine)} rows, {len(found)} contradictions, {', '.join(tested)}")
    print(f"{undecided} rows of names and arguments that no release had")
    if arguments.write:
        releases = sorted(installed, key=lambda each: each.version("jax"))
        write("additions", "name\tabsent\tpresent", additions(releases))
        write("public_names", "name\tpublic", public_names(releases))
    return 1 if problems else 0


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
    questions = json.dumps(
        {"asked": names, "trials": TRIALS, "pairs": [], "packages": LIBRARIES, "interfaces": ["jax"]}
    )
    command = [os.path.expanduser(python), "-W", "ignore", str(PROBE)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu", "PYTHONPATH": ""}
    done = subprocess.run(command, input=questions, check=True, capture_output=True, text=True, env=environment)
    answer: dict[str, Any] = json.loads(done.stdout)
    return Installed(answer["versions"], answer["asked"], answer["public"])


def _objects(row: MigrationRow) -> Iterator[str]:
    """The replacements that can be looked up; a parameter with its function."""
    function, is_parameter, _ = row.name.partition("(")
    for name in row.replacements:
        if is_parameter and name.isidentifier():
            yield f"{function}({name})"
        elif "." in name and "(" not in name and not name.startswith(NOT_NAMES):
            yield name


def is_decided(row: MigrationRow, releases: Sequence[Installed]) -> bool:
    """Whether some release had what a row says is gone, so that the row was checked on both sides of its removal."""
    return not row.removed or any(release.asked[row.name] in ("here", "warns") for release in releases)


def contradictions(row: MigrationRow, library: str, releases: Sequence[Installed]) -> Iterator[str]:
    """What installed releases say against a row."""
    removed = parse_version(row.removed) if row.removed else None
    deprecated = parse_version(row.deprecated) if row.deprecated else None
    is_known = False
    warns = []
    for release in releases:
        state, version = release.asked[row.name], release.version(library)
        is_there = state in ("here", "warns")
        if removed is not None and version >= removed:
            if is_there:
                yield f"{row.name}: removed in {row.removed}, but {release.versions[library]} has it"
        elif is_known and state == "gone":
            yield f"{row.name}: {release.versions[library]} has no such name, though it is removed later or never"
        elif deprecated is not None and version >= deprecated and is_there:
            warns.append(state == "warns" or "(" in row.name)
        is_known = is_known or is_there
    if warns and not any(warns) and library == "jax" and not row.name.endswith("host_callback"):
        yield f"{row.name}: deprecated since {row.deprecated}, but no release warns"
    for name in _objects(row):
        if releases and releases[-1].asked[name] == "gone":
            yield f"{row.name}: {releases[-1].versions[library]} has no {name}, which is to replace it"


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
