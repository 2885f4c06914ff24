"""The truth by other means than the observer's: counters placed by hand, and what JAX logs of its compilations.

Each program calls `ran(NAME)` in the body of its functions; both counts are printed as the last line of its output.
"""

import atexit
import json
import logging
import re
from collections import Counter

traces: Counter[str] = Counter()
compilations: Counter[str] = Counter()
_COMPILED = re.compile(r"Finished XLA compilation of (?:jit|pmap)?\(?<?(.*?)>?\)? in ")


def ran(name):
    traces[name] += 1


class _Log(logging.Handler):
    def emit(self, record):
        found = _COMPILED.match(record.getMessage())
        if found:
            compilations[found[1]] += 1


_logger = logging.getLogger("jax._src.dispatch")
_logger.setLevel(logging.DEBUG)
_logger.addHandler(_Log())
_logger.propagate = False  # JAX would print them


@atexit.register
def _tell():
    print(json.dumps({"traces": traces, "compilations": compilations}), flush=True)
