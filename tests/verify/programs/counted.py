"""Counters by hand: each program calls `ran(NAME)` in the body of its functions and prints them all at the end."""

import atexit
import json
from collections import Counter

counts = Counter()


def ran(name):
    counts[name] += 1


@atexit.register
def _tell():
    print(json.dumps(counts), flush=True)
