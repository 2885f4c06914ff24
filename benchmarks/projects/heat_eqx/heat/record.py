"""What is kept of a run."""
import jax
import jax.numpy as jnp
import numpy as np

LIMITS = {"low": -5.0, "high": 5.0}


class Recorder:
    def __init__(self, bins):
        self.counts = np.zeros(bins)
        self.names = []

    def note(self, field):
        np.add.at(self.counts, 0, 1.0)  # expect: self-mutation
        return field

    def summarise(self, fields):
        """On the host: clean."""
        for field in fields:
            np.add.at(self.counts, np.clip(np.asarray(field).astype(int), 0, 1), 1.0)
            self.names.append(f"field of {field.size}")
        return self.counts


@jax.jit
def clipped(field):
    return jnp.clip(field, LIMITS["low"], LIMITS["high"])  # expect: mutable-global-read


def widen(field, highs):
    out = []
    for high in highs:
        LIMITS["high"] = high
        out.append(clipped(field))
    return out
