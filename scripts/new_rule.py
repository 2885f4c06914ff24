#!/usr/bin/env python3
"""Start a rule: writes its two files, the code and the page, with the parts that every rule has.

usage: scripts/new_rule.py FAMILY SLUG CODE CATEGORY EVENT
   as: scripts/new_rule.py tracing traced-branch JX301 correctness Branch
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CODE = '''"""{slug}: TODO one sentence that is true of the code it finds."""

from __future__ import annotations

from collections.abc import Iterator

from {home} import {event}
from jaxlint.analysis.domain.findings import Finding
from jaxlint.diagnostics import Category
from jaxlint.rules.rule import rule


@rule("{slug}", code="{code}", category=Category.{category}, on={event})
def {name}(event: {event}) -> Iterator[Finding]:
    """TODO what is found, as the table of rules shows it."""
    yield event.diagnostic(f"`{{event.text}}` TODO says what happens, with the user's own names")
'''
PAGE = """# {slug} ({code})

## What it does
TODO

## Why it matters
TODO

## Example

```python bad
TODO = 1  # expect: {slug}
```

```python proof
assert TODO
```

## Use instead

```python good
TODO = 1
```

## When it stays silent

```python silent
TODO = 1
```

## Fix safety
There is no automatic fix.

## Verify
TODO

## References
TODO
"""


def main() -> int:
    """Write the two files, or say why not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for argument in ("family", "slug", "code", "category", "event"):
        parser.add_argument(argument)
    given = parser.parse_args()
    trouble = complaint(given)
    if trouble:
        print(f"new_rule: {trouble}", file=sys.stderr)
        return 2
    name = given.slug.replace("-", "_")
    code, page = ROOT / f"jaxlint/rules/{given.family}/{name}.py", ROOT / f"rules/{given.family}/{given.slug}.md"
    for path in (code, page):
        path.parent.mkdir(parents=True, exist_ok=True)
    package = code.parent / "__init__.py"
    if not package.exists():
        package.write_text(f'"""Rules of the {given.family} family."""\n', encoding="utf-8")
    fields = {**vars(given), "name": name, "home": home_of(given.event)}
    code.write_text(CODE.format(**{**fields, "category": given.category.upper()}), encoding="utf-8")
    page.write_text(PAGE.format(**fields), encoding="utf-8")
    print(f"wrote {code.relative_to(ROOT)} and {page.relative_to(ROOT)}: fill in what is marked TODO")
    return 0


def complaint(given: argparse.Namespace) -> str:
    """What is wrong with the arguments, empty where nothing is."""
    sys.path.insert(0, str(ROOT))
    from jaxlint.diagnostics import Category
    from jaxlint.rules.rule import registry

    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", given.slug):
        return f"{given.slug!r} is no slug: use lower-case words joined by hyphens"
    if not re.fullmatch(r"JX\d{3}", given.code):
        return f"{given.code!r} is no code: use JX and three digits"
    if given.category not in [category.value for category in Category]:
        return f"{given.category!r} is no category: use one of {', '.join(category.value for category in Category)}"
    if not home_of(given.event):
        return f"{given.event!r} is no event: use one declared in jaxlint/analysis/events"
    for rule in registry().values():
        if given.slug == rule.slug or given.code == rule.code:
            return f"{rule.slug} ({rule.code}) exists already"
    return ""


def home_of(event: str) -> str:
    """The module that declares an event, empty where none does."""
    for path in sorted((ROOT / "jaxlint/analysis/events").glob("*.py")):
        if f"\nclass {event}(" in path.read_text(encoding="utf-8"):
            return f"jaxlint.analysis.events.{path.stem}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
