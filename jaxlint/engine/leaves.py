"""The leaves of a part, files that no other file of it imports, in groups that are analysed apart from each other.

A `conftest.py` is none: pytest imports it for the tests, which see what it registers and sets.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b

from jaxlint.engine.parts import Part, with_packages
from jaxlint.text import unicode_path

#: Leaves of a group at most. A larger group makes a change of one leaf more expensive, a smaller one all other runs:
#: what the library does for two leaves is worked out for each of their groups.
MOST = 24


def leaf_groups(
    part: Part, imports: Mapping[str, Iterable[str]], find: Callable[[str], str | None], root: str
) -> tuple[Part, ...]:
    """The groups of the leaves of a part; none where there is only one, since then nothing can be kept apart.

    `imports` are those of each file, `find` gives the path of a module. Which leaves are together depends only on
    their names below `root`: a new file changes few groups, and all machines have the same ones.
    """
    imported = {(path, find(name)) for path in part for name in with_packages(imports[path])}
    inner = {found for path, found in imported if found != path}
    leaves = [path for path in part if path not in inner and os.path.basename(path) != "conftest.py"]
    groups = _cut([(path, _number(path, root)) for path in leaves])
    return tuple(groups) if len(groups) > 1 else ()


def _cut(leaves: Sequence[tuple[str, bytes]]) -> list[Part]:
    """Neighbours in groups, cut before that of the smallest number in the middle half."""
    if len(leaves) <= MOST:
        return [tuple(path for path, _ in leaves)]
    quarter = len(leaves) // 4
    at = min(range(quarter, len(leaves) - quarter), key=lambda index: leaves[index][1])
    return [*_cut(leaves[:at]), *_cut(leaves[at:])]


def _number(path: str, root: str) -> bytes:
    name = unicode_path(os.path.relpath(path, root)).replace(os.sep, "/")
    return blake2b(name.encode("utf-8", "surrogateescape"), digest_size=8).digest()
