import argparse

import jax

from . import data, evaluate, optim, train
from .config import ModelConfig, TrainConfig


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=TrainConfig.steps)
    parser.add_argument("--schedule", choices=sorted(optim.SCHEDULES), default="cosine")
    parser.add_argument("--compute", choices=["float32", "bfloat16"], default="float32")
    parser.add_argument("--save")
    return parser.parse_args(arguments)


def show_rates(settings):
    """The rates of the first steps; the steps are numbers of Python."""
    schedule = optim.SCHEDULES[settings.schedule](settings.rate, settings.warmup, settings.steps)
    return [float(schedule(step)) for step in range(settings.steps)]


def main(arguments=()):
    given = parse(arguments)
    settings = TrainConfig(steps=given.steps, schedule=given.schedule, compute=given.compute)
    config = ModelConfig()
    loader = data.Loader(data.synthetic(8), settings.batch, settings.seed, [data.shake])
    state = train.create(jax.random.key(settings.seed), config)
    step, average, log = train.make_step(config, settings), optim.Average(settings.decay), evaluate.Log()
    while int(state.adam.step) < settings.steps:
        state, losses = train.fit(state, data.prefetch(loader), step, [log], average)
    if given.save:
        evaluate.save(given.save, state.params)
    return state, average, log, evaluate.evaluate_cached(average.shadow, data.prefetch(loader, 0.5), config)
