"""What is told of a run."""
import time

import jax


def announce(info):
    """For `on_step`: the effective size, as it is."""
    print("effective size", info.ess)  # expect: print-in-traced-code


def announce_later(info):
    jax.debug.print("effective size {}", info.ess)


def quiet(info):
    print("particles' dimension", info.mean.shape)


def seconds(kernel, key, observations, repeats=3):
    """The mean time of a run."""
    start = time.perf_counter()
    for _ in range(repeats):
        final, _ = kernel.run(key, observations)
    return (time.perf_counter() - start) / repeats  # expect: unsynchronized-timing


def seconds_done(kernel, key, observations, repeats=3):
    start = time.perf_counter()
    for _ in range(repeats):
        final, _ = kernel.run(key, observations)
    jax.block_until_ready(final)
    return (time.perf_counter() - start) / repeats
