"""the platform chosen by a class that runs after the first array; slug: late-config"""
import jax
import jax.numpy as jnp


class Runtime:
    def __init__(self, platform):
        self.platform = platform

    def configure(self):
        jax.config.update("jax_platforms", self.platform)


runtime = Runtime("cpu")
runtime.configure()
BASELINE = jnp.linspace(0.0, 1.0, 5)


def main():
    return BASELINE.sum()


def demonstrate():
    assert True
