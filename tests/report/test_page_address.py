"""Where the page of a rule can be opened: at its public address once there is one, and offline always."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import jaxlint
from jaxlint.report.page_address import page_address
from jaxlint.rules.rule import registry
from jaxlint.version import DOCUMENTATION, rule_address

BAD = "import jax\n\n\ndef f(key):\n    return jax.random.normal(key), jax.random.normal(key)\n"


def test_one_setting_gives_every_rule_its_address() -> None:
    assert rule_address("key-reuse", None) is None
    assert rule_address("key-reuse", "https://docs.example/") == "https://docs.example/rules/key-reuse/"
    assert {rule.url for rule in registry().values()} == {rule_address(slug, DOCUMENTATION) for slug in registry()}


def test_a_page_can_be_opened_offline(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD, encoding="utf-8")
    (found,) = jaxlint.check(tmp_path, isolated=True, cache=False).diagnostics
    address = page_address(found)
    assert address is not None
    if found.url is None:
        assert "# key-reuse" in Path(url2pathname(urlparse(address).path)).read_text(encoding="utf-8")
