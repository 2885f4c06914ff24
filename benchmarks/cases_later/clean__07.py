"""after general knowledge; clean: conversions of static values inside jit; NumPy on shapes and constants"""
import math

import jax
import jax.numpy as jnp
import numpy as np

WINDOW = np.hanning(8)


@jax.jit
def spectrogram(signal):
    hop = int(math.sqrt(signal.shape[0]))
    n = int(np.prod(signal.shape)) // hop
    frames = signal[: n * hop].reshape(n, hop)
    taper = np.interp(np.linspace(0, 7, hop), np.arange(8), WINDOW)
    power = jnp.abs(jnp.fft.rfft(frames * taper)) ** 2
    scale = float(np.sum(taper ** 2)) or 1.0
    return power / scale, jnp.asarray(range(n))


def bands(signal, edges=(0, 2, 4)):
    power, _ = spectrogram(signal)
    return [power[:, a:b].sum() for a, b in zip(edges[:-1], edges[1:])]


def demonstrate():
    bands(jnp.ones(64))
