"""The documentation site: builds without a warning, holds a page for each rule, and leaves no document out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from jaxlint.engine.rulebook import pages

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)
    return folder


def test_each_rule_has_a_page_and_stands_in_the_index(site: Path) -> None:
    index = (site / "rules" / "index.html").read_text(encoding="utf-8")
    for slug in pages():
        assert (site / "rules" / slug / "index.html").is_file()
        assert f'href="{slug}/"' in index


def test_every_document_stands_in_the_navigation() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    documents = [path.name for path in (ROOT / "docs").glob("*.md")]
    assert [name for name in documents if f": {name}" not in navigation] == []


def test_a_rule_page_links_to_documents_and_to_rules_of_other_families(site: Path) -> None:
    page = (site / "rules" / "jit-in-function" / "index.html").read_text(encoding="utf-8")
    assert 'href="../../how-it-works/#it-gives-each-finding-a-confidence"' in page
    page = (site / "rules" / "untracked-static-state" / "index.html").read_text(encoding="utf-8")
    assert 'href="../mutable-global-read/"' in page
