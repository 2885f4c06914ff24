"""Run a filter from settings."""
import argparse

import jax

from . import build
from .config import FilterConfig, RunConfig
from .diagnostics import announce, announce_later, quiet
from .filters import FILTERS

TELL = {"no": None, "now": announce, "later": announce_later, "shapes": quiet}


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default="linear")
    parser.add_argument("--filter", default="bootstrap", choices=sorted(FILTERS))
    parser.add_argument("--resampling", default="systematic")
    parser.add_argument("--adaptive", action="store_true")
    parser.add_argument("--tell", default="no", choices=sorted(TELL))
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


def main(arguments=None):
    given = parse(arguments)
    run = RunConfig(given.model, given.steps, FilterConfig(resampling=given.resampling, adaptive=given.adaptive))
    model = build(run.model, **run.parameters)
    simulating, filtering = jax.random.split(jax.random.key(given.seed))
    observations = model.simulate(simulating, run.steps)
    kernel = FILTERS[given.filter](model, run.filter, TELL[given.tell])
    final, info = kernel.run(filtering, observations)
    return kernel, observations, final, info


if __name__ == "__main__":
    print(main()[2].log_likelihood)
