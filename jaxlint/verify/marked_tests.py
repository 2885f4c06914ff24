"""Whether any test asks to be observed: known before the project is imported, from the text of the test files alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

_WORDS: Final = (b"max_traces", b"jaxlint_traces")
_SKIPPED: Final = frozenset({"node_modules", "build", "dist", "site-packages", "__pycache__"})
_MOST_FILES: Final = 20_000


def any_marked(folder: str, paths: Sequence[str]) -> bool:
    """Whether a test file below the paths names the marker or the fixture."""
    for number, path in enumerate(_files(folder, paths)):
        if number > _MOST_FILES:
            return False
        try:
            with open(path, "rb") as file:
                text = file.read()
        except OSError:
            continue
        if any(word in text for word in _WORDS) and _uses(text):
            return True
    return False


def _uses(text: bytes) -> bool:
    """Whether code names them, not only its texts and comments."""
    import ast

    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return False
    is_marked = any(isinstance(node, ast.Attribute) and node.attr == "max_traces" for node in nodes)
    return is_marked or any(isinstance(node, ast.arg) and node.arg == "jaxlint_traces" for node in nodes)


def _files(folder: str, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        whole = os.path.join(folder, path)
        if os.path.isfile(whole):
            yield whole
        for parent, folders, names in os.walk(whole):
            folders[:] = [name for name in folders if name not in _SKIPPED and not name.startswith(".")]
            tests = (n for n in names if n.startswith(("test_", "conftest")) or n.endswith("_test.py"))
            yield from (os.path.join(parent, name) for name in tests if name.endswith(".py"))
