"""A rule's page drawn for the terminal: prose wrapped, code framed, marks and proofs of the tests left out."""

from __future__ import annotations

import inspect
import os
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from jaxlint.engine.result import ENGINE_RULES, EngineRule
from jaxlint.engine.rulebook import Page, without_page_links
from jaxlint.report.paint import Paint, columns

if TYPE_CHECKING:
    from jaxlint.rules.rule import Rule

_PIECE: Final = re.compile(r"^```(?P<info>[^\n]*)\n(?P<code>.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
_MARK: Final = re.compile(r"[ \t]*# expect: [a-z0-9, -]+$", re.MULTILINE)
_CODE: Final = re.compile(r"`([^`\n]+)`")
_LINK: Final = re.compile(r"\[([^\]]+)\]\((https?://[^)\s]+)\)")
_BULLET: Final = re.compile(r"(?P<bullet>[-*] |\d+\. )")
_TITLES: Final = {"bad": "reported", "good": "fine", "fixed": "after the fix", "silent": "fine, and not reported"}
_PROSE_WIDTH: Final = 100


def page_lines(page: Page, paint: Paint) -> Iterator[str]:
    """The page, section by section; a section that says nothing is left out."""
    yield f"{paint.strong(page.slug)} {paint.faint(f'({page.code}, {page.family})')}"
    width = min(columns(os.environ, sys.stdout), _PROSE_WIDTH)
    for title, text in page.sections.items():
        body = list(_body(text, width, paint))
        if body:
            yield ""
            yield paint.strong(title)
            yield from body[1:] if not body[0] else body


def summary_lines(rule: Rule, paint: Paint) -> Iterator[str]:
    """The page of a plug-in's rule: the docstring of its function, and the address of more if it names one."""
    yield f"{paint.strong(rule.slug)} {paint.faint(f'({rule.code}, {rule.family})')}"
    width = min(columns(os.environ, sys.stdout), _PROSE_WIDTH)
    yield from _body(inspect.getdoc(rule.check) or rule.summary, width, paint)
    if rule.url:
        yield ""
        yield rule.url


def engine_rule_lines(rule: EngineRule, paint: Paint) -> Iterator[str]:
    """What there is to say of a diagnostic of the engine itself."""
    yield f"{paint.strong(rule.slug)} {paint.faint(f'({rule.code}, {rule.family})')}"
    yield ""
    yield rule.summary
    if rule.always:
        yield "It is reported whatever is selected."


def find_engine_rule(name: str) -> EngineRule | None:
    """The engine's rule of that slug or code."""
    return next((r for r in ENGINE_RULES.values() if name.lower() == r.slug or name.upper() == r.code), None)


def _body(text: str, width: int, paint: Paint) -> Iterator[str]:
    at = 0
    for fence in _PIECE.finditer(text):
        yield from _prose(text[at : fence.start()], width, paint)
        yield from _code(fence["info"], fence["code"], paint)
        at = fence.end()
    yield from _prose(text[at:], width, paint)


def _prose(text: str, width: int, paint: Paint) -> Iterator[str]:
    for paragraph in filter(str.strip, re.split(r"\n\s*\n", text)):
        yield ""
        for item in re.split(r"\n(?=[-*] |\d+\. )", paragraph.strip("\n")):
            bullet = _BULLET.match(item)
            indent = " " * len(bullet.group()) if bullet else ""
            # An address stays readable; brackets, and paths to other pages, do not.
            plain = _LINK.sub(r"\1 (\2)", without_page_links(" ".join(item.split())))
            lines = textwrap.wrap(
                plain, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
            )
            yield from (_CODE.sub(lambda m: paint.evidence(m[1]) if paint.enabled else m[0], line) for line in lines)


def _code(info: str, code: str, paint: Paint) -> Iterator[str]:
    kind = info.split()[1] if len(info.split()) > 1 else ""
    if kind == "proof":
        return
    yield ""
    if kind in _TITLES:
        raises = re.search(r"raises=(\S+)", info)
        yield paint.faint(f"  -- {_TITLES[kind]}{f'; JAX raises {raises[1]}' if raises else ''}")
    for line in _MARK.sub("", code).rstrip("\n").splitlines():
        yield f"{paint.frame('  |')} {line}".rstrip()
