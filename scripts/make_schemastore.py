#!/usr/bin/env python3
"""Write what SchemaStore is to be given: the schema of the settings in draft 7, its catalog entry, and samples.

usage: scripts/make_schemastore.py [--check]

Everything is made of the settings' own definitions. With `--check` nothing is written, and files that differ are named.
Exit codes: 0 all is as it should be, 1 something differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "packaging" / "schemastore"
sys.path.insert(0, str(ROOT))

from jaxlint.config.documentation import DOCUMENTATION  # noqa: E402
from jaxlint.config.json_schema import settings_schema  # noqa: E402

ADDRESS: Final = "https://json.schemastore.org/jaxlint.json"
DESCRIPTION: Final = "Settings of jaxlint, a linter for JAX"
#: Settings that the schema must refuse.
WRONG: Final = {
    "a_list_is_needed": 'select = "random"\n',
    "no_such_setting": "min_confidence = true\n",
    "no_such_confidence": 'min-confidence = "sure"\n',
    "another_tools_rule": 'ignore = ["JL001"]\n',
    "args_without_like": '[[like]]\nname = "mylib.draw"\nreturns = "key"\n\n[like.args]\na = "b"\n',
}


def main() -> int:
    """Write the files, or compare them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, and name the files that differ")
    is_check = parser.parse_args().check
    wanted = files()
    known = {path for path in FOLDER.rglob("*") if path.is_file() and path.suffix in (".json", ".toml")}
    differing = sorted({path for path, text in wanted.items() if not _holds(path, text)} | (known - wanted.keys()))
    for path in differing:
        print(f"{'differs' if is_check else 'written'}: {path.relative_to(ROOT)}")
        if not is_check:
            _write(path, wanted.get(path))
    return 1 if is_check and differing else 0


def files() -> dict[Path, str]:
    """The text of each file, at the path that it has in SchemaStore's repository, or near it."""
    entry = {"name": "jaxlint", "description": DESCRIPTION, "fileMatch": ["jaxlint.toml"], "url": ADDRESS}
    reference = {"jaxlint": {"$ref": ADDRESS, "title": "jaxlint", "description": DESCRIPTION}}
    texts = {
        "schemas/json/jaxlint.json": _json(draft_7(settings_schema())),
        "catalog-entry.json": _json(entry),
        "pyproject-tool-entry.json": _json(reference),
        **{f"negative_test/jaxlint/{name}.toml": text for name, text in WRONG.items()},
        **{f"test/jaxlint/{name}.toml": each.example.rstrip() + "\n" for name, each in DOCUMENTATION.items()},
    }
    return {FOLDER / name: text for name, text in texts.items()}


def draft_7(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A schema in the words that SchemaStore's tools take: draft 7 says `dependencies` for `dependentRequired`."""
    translated = _translated(schema)
    translated["$schema"] = "http://json-schema.org/draft-07/schema#"
    return {"$schema": translated.pop("$schema"), "$id": ADDRESS, **translated}


def _translated(part: Any) -> Any:
    if isinstance(part, Mapping):
        return {"dependencies" if key == "dependentRequired" else key: _translated(each) for key, each in part.items()}
    return [_translated(each) for each in part] if isinstance(part, list | tuple) else part


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def _write(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
