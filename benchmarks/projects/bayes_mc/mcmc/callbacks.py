"""What is told of a run while it runs."""
import jax
import numpy as np


class Trace:
    """Keeps the step sizes and acceptances that it is told of."""

    def __init__(self):
        self.sizes = []

    def __call__(self, step_size, info):
        self.sizes.append(step_size)  # expect: captured-mutation


class HostTrace:
    """The same, from a callback of the device."""

    def __init__(self):
        self.sizes = []

    def _keep(self, step_size):
        self.sizes.append(float(step_size))

    def __call__(self, step_size, info):
        jax.debug.callback(self._keep, step_size)


class Cooling:
    """Smaller steps while too little is accepted."""

    def __init__(self, floor=0.6, factor=0.5):
        self.floor, self.factor, self.changes = floor, factor, 0

    def __call__(self, sampler, info):
        if float(np.mean(info.accept)) < self.floor:
            sampler.step_size = sampler.step_size * self.factor
            self.changes += 1


class Divergences:
    def __init__(self):
        self.count = 0
        self.worst = None

    def __call__(self, sampler, info):
        found = int(np.sum(info.divergent))
        if found and (self.worst is None or found > self.worst):
            self.worst = found
        self.count += found
