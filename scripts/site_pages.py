"""Generated pages of the documentation site: a page for each rule, their index, the events, and files of the root.

A hook of MkDocs: `mkdocs build --strict` calls the functions that are named as MkDocs names its events.
"""

from __future__ import annotations

import posixpath
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File, Files

from jaxlint.engine.rulebook import Page, pages, parse_info
from jaxlint.rules.rule import Rule, registry
from jaxlint.version import DOCUMENTATION

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # MkDocs runs this file by its path
from scripts.event_pages import events_page  # noqa: E402

#: Files of the repository that become pages, and where they stand on the site.
ROOT_PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "editors/vscode/README.md": "vscode.md",
    "benchmarks/projects/README.md": "new-projects.md",
}
TITLES = {
    "bad": "Mistake",
    "fixed": "After the fix",
    "good": "What to write",
    "silent": "Looks alike, and is not reported",
    "proof": "What JAX does with it",
}
FAMILIES = (
    "arrays",
    "random",
    "tracing",
    "effects",
    "recompilation",
    "pytrees",
    "transforms",
    "sharding",
    "performance",
    "migration",
)
FENCE = re.compile(r"^```python (?P<info>[^\n]+)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<target>[^)#:\s]+)(?P<anchor>#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Give the site the one address that findings link to, once there is one."""
    config.site_url = DOCUMENTATION or ""
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add generated pages to the files in docs/."""
    for page in pages().values():
        files.append(File.generated(config, f"rules/{page.slug}.md", content=rule_page(page)))
    files.append(File.generated(config, "rules/index.md", content=rule_index()))
    files.append(File.generated(config, "events.md", content=events_page()))
    for name, address in ROOT_PAGES.items():
        files.append(File.generated(config, address, content=(ROOT / name).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - as MkDocs calls it
    """Point links to where pages stand on the site; what is no page of it is named and not linked."""
    here = page.file.src_uri

    def moved(match: re.Match[str]) -> str:
        address = _site_address(here, match["target"])
        if files.get_file_from_path(address) is None:
            return match["text"]
        return f"[{match['text']}]({posixpath.relpath(address, posixpath.dirname(here))}{match['anchor'] or ''})"

    return LINK.sub(moved, markdown)


def _site_address(here: str, target: str) -> str:
    """Where the file that a link in a page names stands on the site, as a path below docs/."""
    sources = {address: source for source, address in ROOT_PAGES.items()}
    sources |= {f"rules/{page.slug}.md": f"rules/{page.family}/{page.slug}.md" for page in pages().values()}
    source = here if here == "rules/index.md" else sources.get(here, f"docs/{here}")
    folder = posixpath.dirname(source)
    path = posixpath.normpath(posixpath.join(folder, target))
    if path in ("rules", "rules/index.md"):
        return "rules/index.md"
    if re.fullmatch(r"rules/[a-z]+/[a-z0-9-]+\.md", path):
        return f"rules/{posixpath.basename(path)}"
    return ROOT_PAGES.get(path, path.removeprefix("docs/"))


def rule_page(page: Page) -> str:
    """The page of a rule for readers: blocks say what they are, proofs are folded, marks name the rule."""
    rule = registry().get(page.slug)
    title, _, body = page.text.partition("\n")
    return f"{title}\n\n{_facts(rule)}\n{FENCE.sub(_block, body)}" if rule is not None else FENCE.sub(_block, page.text)


def _facts(rule: Rule) -> str:
    """One line below the title: the family, the category, whether it runs by default and whether it has a fix."""
    state = "in preview" if rule.preview else "on by default" if rule.enabled else "off by default"
    return f"*{rule.family} · {rule.category.value} · {state} · {'has a fix' if rule.fix else 'no fix'}*\n"


def _block(match: re.Match[str]) -> str:
    kind, options = parse_info(match["info"])
    raised = f" (raises {options['raises'].rpartition('.')[2]})" if "raises" in options else ""
    code = match["code"].replace("# expect: ", "# ")
    block = f'```python title="{TITLES[kind]}{raised}"\n{code}```'
    return f'??? example "{TITLES[kind]}"\n\n{textwrap.indent(block, "    ")}\n' if kind == "proof" else block


def rule_index() -> str:
    """All rules by family, in the order of their codes, each with what it reports."""
    rules = registry()
    by_family: dict[str, list[Page]] = {}
    for page in pages().values():
        by_family.setdefault(page.family, []).append(page)
    count = sum(page.slug in rules for page in pages().values())
    lines = [
        "# Rules",
        "",
        f"{count} rules in {len(by_family)} families. The search finds them by code, name or error.",
    ]
    for family, members in by_family.items():
        lines += ["", f"## {family}", "", "| code | rule | reports | |", "|---|---|---|---|"]
        lines += [_row(page, rules[page.slug]) for page in members if page.slug in rules]
    return "\n".join(lines) + "\n"


def _row(page: Page, rule: Rule) -> str:
    state = ["preview"] if rule.preview else [] if rule.enabled else ["off by default"]
    marks = [rule.category.value, *state, *(["fix"] if rule.fix else [])]
    summary = rule.summary.replace("|", "\\|")
    return f"| {page.code} | [{page.slug}]({page.slug}.md) | {summary} | {', '.join(marks)} |"
