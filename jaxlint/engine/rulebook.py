"""The rulebook: one Markdown page for each rule, read where it stands beside the package or inside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jaxlint
from jaxlint.config.errors import ConfigError, suggestion

if TYPE_CHECKING:
    from importlib.abc import Traversable  # moved in 3.11, and removed from here in 3.14

KINDS: Final = ("bad", "fixed", "good", "silent", "proof")
SECTIONS: Final = (
    "What it does", "Why it matters", "Example", "Use instead",
    "When it stays silent", "Fix safety", "Verify", "References",
)  # fmt: skip
#: Pages whose findings differ in confidence have this section before "Fix safety".
CONFIDENCE: Final = "Confidence"

_TITLE: Final = re.compile(r"# (?P<slug>[a-z][a-z0-9-]*) \((?P<code>JXE?[0-9]+)\)")
_FENCE: Final = re.compile(
    r"^(?P<ticks>`{3,})(?P<info>[^`\n]*)\n(?P<code>.*?)^(?P=ticks)[ ]*$", re.MULTILINE | re.DOTALL
)
_HEADING: Final = re.compile(r"^## (?P<title>.+?)[ ]*$", re.MULTILINE)
_OPTION: Final = re.compile(r'\s*(?P<name>[a-z]+)(?P<since>>)?=(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+))')
#: A link to another page, by a path that leads nowhere once its text is shown in another place.
_PAGE_LINK: Final = re.compile(r"\[(?P<text>[^\]]+)\]\([\w./-]+\.md(?:#[\w-]+)?\)")
_OPTIONS: Final = ("raises", "jax", "oldest", "requires", "run", "reason")
_MARK: Final = re.compile(r"[ \t]*# expect: (?P<slugs>[a-z0-9-]+(?:, [a-z0-9-]+)*)[ \t]*$", re.MULTILINE)


class PageError(Exception):
    """A page that does not follow the grammar of rule pages: path, line, what."""


@dataclass(frozen=True, slots=True)
class Block:
    """A `python KIND` fence. `line` is the fence's own, so that line n of the code stands on `line + n` of the page."""

    kind: str
    code: str
    line: int
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The code without its `# expect` marks: what the linter and JAX see."""
        return _MARK.sub("", self.code)

    @property
    def expected(self) -> frozenset[tuple[int, str]]:
        """Pairs of line in the block, from 1, and slug: where findings must be, and nowhere else."""
        lines = enumerate(self.code.splitlines(), start=1)
        marks = ((number, match) for number, line in lines if (match := _MARK.search(line)))
        return frozenset((number, slug) for number, match in marks for slug in match["slugs"].split(", "))


@dataclass(frozen=True, slots=True)
class Page:
    """The page of one rule."""

    slug: str
    code: str
    family: str
    text: str

    @property
    def sections(self) -> dict[str, str]:
        """The text below each heading, in order; headings inside fences are code."""
        fences = [match.span() for match in _FENCE.finditer(self.text)]
        heads = [h for h in _HEADING.finditer(self.text) if not any(a <= h.start() < b for a, b in fences)]
        ends = [head.start() for head in heads[1:]] + [len(self.text)]
        return {h["title"]: self.text[h.end() : end].strip("\n") for h, end in zip(heads, ends, strict=True)}

    @property
    def summary(self) -> str:
        """The first paragraph of what the rule does."""
        return without_page_links(self.sections.get("What it does", "").partition("\n\n")[0].replace("\n", " "))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The python fences that carry a kind, in order. Raises PageError for one outside the grammar."""
        return tuple(self._blocks())

    def _blocks(self) -> Iterator[Block]:
        for fence in _FENCE.finditer(self.text):
            language, _, info = fence["info"].strip().partition(" ")
            if language == "python" and info.strip():
                line = self.text.count("\n", 0, fence.start()) + 1
                try:
                    kind, options = parse_info(info)
                except PageError as error:
                    raise PageError(f"{self.family}/{self.slug}.md:{line}: {error}") from None
                yield Block(kind, fence["code"], line, options)


def without_page_links(text: str) -> str:
    """The text with links to other pages as plain words; links to web addresses stay."""
    return _PAGE_LINK.sub(lambda match: match["text"], text)


def parse_info(info: str) -> tuple[str, dict[str, str]]:
    """The kind and options: `KIND [raises=NAME] [jax>=X] [oldest=X] [requires=a,b] [run=no reason="..."]`."""
    kind, _, rest = info.strip().partition(" ")
    if kind not in KINDS:
        raise PageError(f"unknown kind of block `{kind}`{suggestion(kind, KINDS)}")
    options: dict[str, str] = {}
    at = 0
    while rest[at:].strip():
        match = _OPTION.match(rest, at)
        if match is None or match["name"] not in _OPTIONS or (match["since"] is not None) != (match["name"] == "jax"):
            raise PageError(f"`{rest[at:].strip()}` is not an option of a block")
        options[match["name"]] = match["plain"] if match["quoted"] is None else match["quoted"]
        at = match.end()
    if options.get("run") == "no" and not options.get("reason"):
        raise PageError("`run=no` needs a reason")
    return kind, options


def parse_page(text: str, family: str) -> Page:
    """The page that a text is. Raises PageError when its first line is no title."""
    title = _TITLE.fullmatch(text.partition("\n")[0].strip())
    if title is None:
        raise PageError("the first line is not of the form `# slug (JX301)`")
    return Page(title["slug"], title["code"], family, text)


@lru_cache(maxsize=1)
def pages() -> Mapping[str, Page]:
    """All pages by slug, in the order of their codes."""
    found = [
        parse_page(file.read_text(encoding="utf-8"), family.name)
        for family in _folder().iterdir()
        if family.is_dir()
        for file in family.iterdir()
        if file.name.endswith(".md")
    ]
    return {page.slug: page for page in sorted(found, key=lambda page: page.code)}


def find_page(name: str) -> Page:
    """The page of a rule named by slug or code. Raises ConfigError, with the nearest name, where there is none."""
    known = pages()
    by_code = {page.code: page for page in known.values()}
    page = known.get(name.lower()) or by_code.get(name.upper())
    if page is None:
        raise ConfigError(f"unknown rule `{name}`{suggestion(name, [*known, *by_code])}")
    return page


def page_file(name: str) -> str | None:
    """The path of a rule's page; None where it is no file of its own, as in a zip, or there is no such rule."""
    page = pages().get(name)
    if page is None:
        return None
    path = _folder() / page.family / f"{page.slug}.md"
    return str(path) if isinstance(path, Path) and path.is_file() else None


def _folder() -> Traversable:
    """The folder of pages: inside an installed package; beside the package in a checkout."""
    installed = resources.files("jaxlint") / "rulebook_pages"
    if installed.is_dir():
        return installed
    return Path(jaxlint.__file__).resolve().parent.parent / "rules"
