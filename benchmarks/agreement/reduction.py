"""Shrink a program on which jaxlint and JAX disagree, as long as they disagree in the same way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.agreement.judgement import Verdict, judged

#: Programs tried for one reduction at most.
TRIES = 250


def reduced(verdict: Verdict) -> Verdict:
    """The smallest program found that is judged in the same way."""
    tries = 0
    best = verdict
    progress = True
    while progress and tries < TRIES:
        progress = False
        for text in _smaller(best.program.text):
            tries += 1
            if tries > TRIES:
                break
            candidate = _judged(best, text)
            if candidate is not None:
                best, progress = candidate, True
                break
    return best


def _judged(best: Verdict, text: str) -> Verdict | None:
    if len(text) >= len(best.program.text):
        return None
    verdict = judged(best.program.with_text(text))
    same = verdict.valid and not verdict.agrees and verdict.kind == best.kind
    same = same and verdict.trouble.split(":")[0] == best.trouble.split(":")[0]
    return verdict if same and {r for _, r in verdict.said} <= {r for _, r in best.said} else None


def _smaller(text: str) -> Iterator[str]:
    """Programs with one statement less, the largest ones first, or with a compound statement's body in its place."""
    tree = ast.parse(text)
    lines = text.split("\n")
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    statements.sort(key=lambda node: node.lineno - (node.end_lineno or node.lineno))
    for node in statements:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))]) - 1
        last = node.end_lineno or node.lineno
        for kept in _kept(lines[first:last], node):
            shorter = "\n".join([*lines[:first], *kept, *lines[last:]])
            if _parses(shorter):
                yield shorter


def _kept(lines: list[str], node: ast.stmt) -> Iterator[list[str]]:
    yield []
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    yield [indent + "pass"]
    body = getattr(node, "body", None)
    if isinstance(node, ast.If | ast.For | ast.With | ast.Try) and isinstance(body, list):
        start, end = body[0].lineno - node.lineno, (body[-1].end_lineno or 0) - node.lineno + 1
        yield [line[4:] for line in lines[start:end]]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
