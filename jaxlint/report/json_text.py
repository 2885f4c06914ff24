"""Documents as JSON in ASCII, whose strings no build server takes for a command when they go through its log."""

from __future__ import annotations

import json
import re
from typing import Final

_FORGED: Final = re.compile(r"(?<=##)\[|(?<=##vso)\[|(?<=##teamcity)\[", re.IGNORECASE)


def json_text(document: object, indent: int | None = 2) -> str:
    """The document as JSON, on one line where `indent` is None; bytes are equal for equal documents."""
    separators = None if indent else (",", ":")
    text = json.dumps(document, indent=indent, separators=separators)
    return _FORGED.sub(r"\\u005b", text) if "##" in text else text  # can only stand in a string
