"""What is wrong with the `[[tool.jaxlint.like]]` entries of a project: targets that nothing is known of, idle names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence

from jaxlint.config import Configuration, LikeRow, suggestion
from jaxlint.files.discovery import FoundFile, read_bytes


def like_warnings(files: Sequence[FoundFile], configuration: Configuration, checked: Iterable[str]) -> Iterator[str]:
    """A line for each entry that does nothing. `checked` are the paths that a run was asked for.

    An entry is only called idle where its whole project is checked.
    """
    whole = [os.path.join(path, "") for path in checked]
    for root in sorted({file.root for file in files}):
        settings = configuration.analysis(root)
        if not settings.likes:
            continue
        yield from _unknown_targets(settings.likes, settings.target_jax)
        if any(os.path.join(root, "").startswith(path) for path in whole):
            yield from _idle(settings.likes, [file.path for file in files if file.root == root])


def _unknown_targets(likes: Sequence[LikeRow], target_jax: str | None) -> Iterator[str]:
    from jaxlint.jaxapi.api import Api

    api = Api.load(target_jax)
    for row in likes:
        name = row.like and api.canonical(row.like)
        if name and not any((api.transform(name), api.function(name), api.random(name), api.object(name))):
            near = suggestion(name, api.names())
            yield f"like: `{row.name}` is said to be like `{row.like}`, of which nothing is known{near}"


def _idle(likes: Sequence[LikeRow], paths: Sequence[str]) -> Iterator[str]:
    """The entries whose name, in its last part, is written in no file: they cannot match."""
    left = {row.name: re.compile(rb"\b%s\b" % re.escape(row.name.rpartition(".")[2].encode())) for row in likes}
    for path in paths:
        if not left:
            return
        try:
            data = read_bytes(path)
        except OSError:
            continue
        left = {name: word for name, word in left.items() if not word.search(data)}
    for name in left:
        yield f"like: `{name}` never matches: no checked file names it; a name is the one that callers import"
