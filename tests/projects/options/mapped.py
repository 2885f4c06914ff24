"""A mapping that gives the option."""

import evaluation
from programs import draw

SETTINGS = {"count": 2, "vary": draw}


def run(key):
    return evaluation.given_by_a_mapping(key, **SETTINGS)
