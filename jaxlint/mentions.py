"""How code that turns 64-bit types on, or asks whether they are, spells it: files are searched before they are read."""

from __future__ import annotations

import re
from typing import Final

#: An option, a variable of the environment, a flag of the command line or a function of that name.
MENTION: Final = re.compile(r"(?:enable|use|with|set|explicit)_?x64|x64_(?:enabled|mode|dtypes)", re.IGNORECASE)
MENTION_IN_BYTES: Final = re.compile(MENTION.pattern.encode(), re.IGNORECASE)
