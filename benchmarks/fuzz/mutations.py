"""Changes of source text that keep much of it: most leave it valid Python, the others break it in ways that happen."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

#: From a text and another one to take pieces from, to a changed text.
Mutation: TypeAlias = Callable[[str, str, Random], str]

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_NUMBER = re.compile(r"(?<![\w.])\d[\w.]*")
_NUMBERS = ("0", "-1", "1e400", "0x" + "f" * 5000, "9" * 5000, "10**10", "1j", "2**70", "0.0", "True", "None")
_WORDS = (
    "jax", "jnp", "jax.jit", "jax.vmap", "jax.grad", "jax.lax.scan", "jax.random.split", "jax.random.PRNGKey", "self",
    "lambda *a, **k: a", "(yield)", "await", "...", "*", "**", "[*a]", "{**k}", "del", "global", "nonlocal", "match",
    "case _:", "except*", "async", ":=", "->", "@", "f'{x!r:>{x}}'", '"""', "b'\\x00'", "else:", "finally:", "return",
    "print", "x.at[0].set", "(" * 150, ")" * 150, "not " * 300, "\\", "#", "# jaxlint: ignore[", "# noqa", "t'{x}'",
)  # fmt: skip
_BYTES = (
    "\0", "\x0c", "\x1a", "\r", "\r\n", "\ufeff", "\u202e", "\u2028", "\udcff", "\xe9", "\U0001f600", "\t", "\uff03",
    "\uff41", "\u2118", "\xb7",
)  # fmt: skip


def mutate(text: str, other: str, rng: Random) -> str:
    """The text after one to six changes."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        text = rng.choice(MUTATIONS)(text, other, rng)
    return text


def _some_span(text: str, rng: Random) -> tuple[int, int]:
    start = rng.randrange(len(text) + 1)
    return start, min(len(text), start + rng.choice((1, 3, 20, 200)))


def truncate(text: str, _other: str, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


def delete(text: str, _other: str, rng: Random) -> str:
    start, end = _some_span(text, rng)
    return text[:start] + text[end:]


def repeat(text: str, _other: str, rng: Random) -> str:
    start, end = _some_span(text, rng)
    return text[:end] + text[start:end] * rng.choice((1, 2, 30)) + text[end:]


def splice(text: str, other: str, rng: Random) -> str:
    lines, more = text.splitlines(keepends=True), other.splitlines(keepends=True)
    at, start = rng.randrange(len(lines) + 1), rng.randrange(len(more) + 1)
    return "".join((*lines[:at], *more[start : start + rng.choice((1, 5, 40))], *lines[at:]))


def indent(text: str, _other: str, rng: Random) -> str:
    lines = text.splitlines(keepends=True)
    start = rng.randrange(len(lines) + 1)
    end = start + rng.choice((1, 4, 20))
    by = rng.choice(("    ", "\t", " "))
    changed = [line.removeprefix(by) if rng.random() < 0.3 else by + line for line in lines[start:end]]
    return "".join((*lines[:start], *changed, *lines[end:]))


def insert(text: str, _other: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice((*_WORDS, *_BYTES)) * rng.choice((1, 1, 1, 50)) + text[at:]


def line_ends(text: str, _other: str, rng: Random) -> str:
    return text.replace("\n", rng.choice(("\r\n", "\r", "\n\n", "\x0c\n", " \\\n")), rng.choice((-1, 1, 5)))


def swap_tokens(text: str, _other: str, rng: Random) -> str:
    tokens = re.findall(r"\w+|\s+|[^\w\s]", text)
    if len(tokens) > 2:
        a, b = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def rename(text: str, other: str, rng: Random) -> str:
    """Another name, of this text or the other, at one place of a name."""
    found = list(_NAME.finditer(text))
    names = _NAME.findall(rng.choice((text, other)))
    if not found or not names:
        return text
    match = rng.choice(found)
    return text[: match.start()] + rng.choice((*names[:2000], *_WORDS[:9])) + text[match.end() :]


def renumber(text: str, _other: str, rng: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    return text[: match.start()] + rng.choice(_NUMBERS) + text[match.end() :]


def trace(text: str, _other: str, rng: Random) -> str:
    """Let JAX trace a function of the text."""
    found = list(re.finditer(r"^([ \t]*)(?:async )?def (\w+)", text, re.MULTILINE))
    if not found:
        return f"import jax\nimport jax.numpy as jnp\n{text}"
    match = rng.choice(found)
    how = rng.choice(("jax.jit", "jax.vmap", "jax.grad", "jax.checkpoint", "jax.value_and_grad"))
    called = f"\n{match[1]}{how}({match[2]})(jnp.ones(3))\n" if rng.random() < 0.3 else ""
    head = "import jax\nimport jax.numpy as jnp\n"
    return f"{head}{text[: match.start()]}{match[1]}@{how}\n{text[match.start() :]}{called}"


def nest(text: str, _other: str, rng: Random) -> str:
    """An expression deep inside others."""
    pieces = _segments(text, ast.expr)
    if not pieces:
        return text
    start, end = rng.choice(pieces)
    depth = rng.choice((3, 30, 120, 1500))
    opening, closing = rng.choice((("(", ")"), ("[", "]"), ("-", ""), ("f(", ")"), ("{0: ", "}"), ("not ", "")))
    return f"{text[:start]}{opening * depth}{text[start:end]}{closing * depth}{text[end:]}"


def swap_expressions(text: str, other: str, rng: Random) -> str:
    """One expression in the place of another, from this text or the other."""
    pieces = _segments(text, ast.expr)
    source = rng.choice((text, other))
    more = pieces if source is text else _segments(source, ast.expr)
    if not pieces or not more:
        return text
    (start, end), (first, last) = rng.choice(pieces), rng.choice(more)
    return f"{text[:start]}({source[first:last]}){text[end:]}"


def swap_statements(text: str, other: str, rng: Random) -> str:
    """Statements moved, repeated or left out, with their indentation made to fit."""
    pieces = _segments(text, ast.stmt)
    source = rng.choice((text, text, other))
    more = pieces if source is text else _segments(source, ast.stmt)
    if not pieces or not more:
        return text
    (start, end), (first, last) = rng.choice(pieces), rng.choice(more)
    new = rng.choice((source[first:last], "pass", text[start:end]))
    margin = re.search(r"[ \t]*\Z", text[:start])
    own = re.search(r"[ \t]*\Z", source[:first])
    if margin and own:
        new = new.replace(f"\n{own.group()}", f"\n{margin.group()}")
    return (
        text[:start]
        + (new if rng.random() < 0.7 else f"{new}\n{margin[0] if margin else ''}{text[start:end]}")
        + text[end:]
    )


MUTATIONS: Sequence[Mutation] = (
    truncate, delete, repeat, splice, indent, insert, line_ends, swap_tokens, nest, renumber, trace, trace,
    rename, rename, rename, rename, swap_expressions, swap_expressions, swap_expressions, swap_expressions,
    swap_statements, swap_statements, swap_statements,
)  # fmt: skip


def _segments(text: str, kind: type[ast.AST]) -> list[tuple[int, int]]:
    """Where nodes of a kind stand; nothing in a text that is not valid."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    lines = text.split("\n") if text.isascii() and "\r" not in text and "\x0c" not in text else []
    if len(lines) + 1 < len(starts):
        return []  # columns count bytes: texts outside ASCII are left to the other changes
    nodes = [node for node in ast.walk(tree) if isinstance(node, kind) and hasattr(node, "end_lineno")]
    return [
        (starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0))
        for node in nodes
    ]
