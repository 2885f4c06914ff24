"""Processes of every kind, one of which leaves by `os._exit`: the parent collects what each of them counted."""

import subprocess
import sys
from multiprocessing import get_context

import counted
import jax
import jax.numpy as jnp
from counted import ran


# reasons: first shape first first shape
@jax.jit
def advance(x):
    ran("advance")
    return x * 2


def child(sizes, results):
    for size in sizes:
        advance(jnp.ones(size))
    results.put((dict(counted.traces), dict(counted.compilations)))


LEAVING = """
import json, os
import jax, jax.numpy as jnp

@jax.jit
def left(x):
    return x * 3

left(jnp.ones(2))
os._exit(0)
"""


def main():
    spawn = get_context("spawn")
    results = spawn.Queue()
    for sizes in ((2, 2, 3), (4,)):
        process = spawn.Process(target=child, args=(sizes, results))
        process.start()
        traces, compilations = results.get()
        process.join()
        counted.traces.update(traces)
        counted.compilations.update(compilations)
    subprocess.run([sys.executable, "-c", LEAVING], check=True)
    for size in (2, 3, 2):
        advance(jnp.ones(size))


if __name__ == "__main__":
    main()
