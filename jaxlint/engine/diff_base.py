"""Lines that changed since a branch point, as git tells: what `--diff-base` keeps of a result."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jaxlint.config import ConfigError
from jaxlint.diagnostics import Diagnostic, Span
from jaxlint.engine.result import ENGINE_RULES, Result
from jaxlint.text import escape

#: Nothing of the repository's own configuration may run a program, change the format or take a lock.
_GIT: Final = ("git", "-c", "core.fsmonitor=false", "-c", "core.quotePath=true", "--no-optional-locks")
_DIFF: Final = (
    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--text", "--unified=0", "--inter-hunk-context=0",
    "--find-renames", "--ignore-submodules=all", "--src-prefix=a/", "--dst-prefix=b/", "--no-relative",
)  # fmt: skip
_HUNK: Final = re.compile(rb"@@ -\d+(?:,\d+)? \+(?P<start>\d+)(?:,(?P<count>\d+))? @@")
_SUBMODULE: Final = "160000"
_QUOTED: Final = re.compile(rb'\\([0-7]{3}|["\\abtnvfr])')
_SHORT: Final = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """The changed lines of a working tree, by real path; a file that git does not track is changed as a whole."""

    tracked: frozenset[str]
    ranges: Mapping[str, Sequence[tuple[int, int]]]

    def restrict(self, result: Result, in_file: Callable[[Diagnostic], Diagnostic] = lambda d: d) -> Result:
        """The result with the findings of which a changed line is part; how many others there are is kept.

        `in_file` gives a diagnostic the lines of its file, where its own are others.
        """
        kept = tuple(d for d in result.diagnostics if self._concerns(in_file(d)))
        return replace(result, diagnostics=kept, unchanged=len(result.diagnostics) - len(kept))

    def _concerns(self, diagnostic: Diagnostic) -> bool:
        engine = ENGINE_RULES.get(diagnostic.rule)
        if engine is not None and engine.always:
            return self.touches_file(diagnostic.path)  # its line is where the parser gave up, not what is wrong
        if self.touches(diagnostic.path, diagnostic.span):
            return True
        placed = ((note.path, note.span) for note in diagnostic.notes)
        return any(path is not None and span is not None and self.touches(path, span) for path, span in placed)

    def touches(self, path: str, span: Span) -> bool:
        """Whether a span of the file holds a changed line."""
        real = os.path.realpath(path)
        if real not in self.tracked:
            return True
        last = span.end_line - (span.end_column == 1 and span.end_line > span.line)
        return any(start <= last and span.line <= end for start, end in self.ranges.get(real, ()))

    def touches_file(self, path: str) -> bool:
        """Whether anything in the file changed."""
        real = os.path.realpath(path)
        return real not in self.tracked or bool(self.ranges.get(real))


def changed_since(reference: str, directory: str) -> ChangedLines:
    """What changed between the point where HEAD left `reference` and the working tree around `directory`.

    Raises ConfigError where there is no git, no repository, no such commit or no common ancestor.
    """
    top = _top(directory)
    commit = _resolve(reference, top)
    head = _resolve("HEAD", top)
    done = _run(("merge-base", commit, head), top)
    if done.returncode:
        what = f"`{reference}` and HEAD have no common commit; a shallow clone may lack it: git fetch --unshallow"
        raise ConfigError(what, key="--diff-base")
    tracked: set[str] = set()
    ranges: dict[str, list[tuple[int, int]]] = {}
    _collect(top, done.stdout.decode("ascii").strip(), tracked, ranges)
    return ChangedLines(frozenset(tracked), ranges)


def _collect(top: str, base: str, tracked: set[str], ranges: dict[str, list[tuple[int, int]]]) -> None:
    """Add what git tracks in one working tree, and what changed in it since the commit `base`; submodules too."""
    submodules = []
    for mode, name in _index(top):
        if mode == _SUBMODULE:
            submodules.append(name)
        else:
            tracked.add(os.path.join(top, name))
    for name, hunks in _changes(_output((*_DIFF, base, "--"), top)):
        ranges[os.path.join(top, name)] = hunks
    for name in submodules:
        folder = os.path.join(top, name)
        if os.path.exists(os.path.join(folder, ".git")):
            _collect_submodule(top, base, name, tracked, ranges)


def _collect_submodule(
    top: str, base: str, name: str, tracked: set[str], ranges: dict[str, list[tuple[int, int]]]
) -> None:
    """A submodule's base is the commit that the outer base names; without one all of its files count as changed."""
    entry = os.fsdecode(_output(("--literal-pathspecs", "ls-tree", "-z", "--full-tree", base, "--", name), top))
    fields = entry.partition("\t")[0].split()
    folder = os.path.join(top, name)
    if len(fields) == 3 and fields[0] == _SUBMODULE and not _run(("cat-file", "-e", fields[2]), folder).returncode:
        _collect(os.path.realpath(folder), fields[2], tracked, ranges)


def _index(top: str) -> Iterator[tuple[str, str]]:
    """Mode and path below `top` of each file in the index."""
    for entry in os.fsdecode(_output(("ls-files", "--stage", "-z"), top)).split("\0"):
        head, separator, name = entry.partition("\t")
        if separator:
            yield head.split()[0], name


def _changes(diff: bytes) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """Each file of a diff without context, with the first and last of each group of lines that are new in it."""
    name: str | None = None
    hunks: list[tuple[int, int]] = []
    in_header = False
    for line in diff.split(b"\n"):
        if line.startswith(b"diff --git "):
            if name is not None:
                yield name, hunks
            name, hunks, in_header = None, [], True
        elif in_header and line.startswith(b"+++ "):
            name = _new_name(line[4:])
        elif hunk := _HUNK.match(line):
            in_header = False
            start, count = int(hunk["start"]), int(hunk["count"] or 1)
            if count:
                hunks.append((start, start + count - 1))
    if name is not None:
        yield name, hunks


def _new_name(text: bytes) -> str | None:
    """The path after `+++ `, unquoted; None for a file that is gone."""
    quoted = text.startswith(b'"')
    path = _QUOTED.sub(_unquoted, text[1:-1]) if quoted else text.removesuffix(b"\t")
    return os.fsdecode(path.removeprefix(b"b/")) if path.startswith(b"b/") else None


def _unquoted(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([_SHORT[code] if code in _SHORT else int(code, 8)])


# --- git itself


def _top(directory: str) -> str:
    done = _run(("rev-parse", "--show-toplevel"), directory)
    if done.returncode or not done.stdout.strip():
        raise ConfigError(
            f"needs a git repository: {_complaint(done) or 'there is no working tree'}", key="--diff-base"
        )
    return os.path.realpath(os.fsdecode(done.stdout.removesuffix(b"\n")))


def _resolve(reference: str, top: str) -> str:
    done = _run(("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}"), top)
    if done.returncode:
        fetch = "" if reference == "HEAD" else "; is it fetched?"
        raise ConfigError(f"`{reference}` names no commit{fetch}", key="--diff-base")
    return done.stdout.decode("ascii").strip()


def _output(arguments: Sequence[str], directory: str) -> bytes:
    done = _run(arguments, directory)
    if done.returncode:
        raise ConfigError(f"git {arguments[0]} failed: {_complaint(done)}", key="--diff-base")
    return done.stdout


def _run(arguments: Sequence[str], directory: str) -> subprocess.CompletedProcess[bytes]:
    """Git as told, whatever repository the environment of a hook points to."""
    ours = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS")
    environment = {name: value for name, value in os.environ.items() if name not in ours}
    command = (*_GIT, *arguments)
    try:
        return subprocess.run(
            command, cwd=directory, env={**environment, "LC_ALL": "C"}, stdin=subprocess.DEVNULL,
            capture_output=True, check=False,
        )  # fmt: skip
    except FileNotFoundError:
        raise ConfigError("needs git, which is not installed", key="--diff-base") from None
    except OSError as error:
        raise ConfigError(f"git cannot be run: {(error.strerror or str(error)).lower()}", key="--diff-base") from None
    except ValueError:  # a NUL in the name of a commit
        raise ConfigError("the name of a commit holds no such character", key="--diff-base") from None


def _complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    text = os.fsdecode(done.stderr).strip().splitlines()
    return escape(text[0].removeprefix("fatal: ")) if text else ""
