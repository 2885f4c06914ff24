"""after appending a line to a file in the step; slug: io-in-traced-code"""
import jax
import jax.numpy as jnp


class FileLog:
    def __init__(self, path):
        self.path = path

    def write(self, text):
        with open(self.path, "a") as f:  # expect: io-in-traced-code
            f.write(text + "\n")


def make_step(log):
    @jax.jit
    def step(w):
        log.write("step")
        return 0.5 * w

    return step


def run(path, n):
    step, w = make_step(FileLog(path)), jnp.ones(())
    for _ in range(n):
        w = step(w)
    jax.effects_barrier()
    return w


def demonstrate():
    run("log.txt", 3)
    n = len(open("log.txt").read().splitlines())
    assert n == 1
