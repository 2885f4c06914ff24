"""the platform chosen by a class that runs after the first array; slug: late-config"""
import jax
import jax.numpy as jnp

BASELINE = jnp.linspace(0.0, 1.0, 5)


class Runtime:
    def __init__(self, platform):
        self.platform = platform

    def configure(self):
        jax.config.update("jax_platforms", self.platform)  # expect: late-config


runtime = Runtime("cpu")
runtime.configure()


def main():
    return BASELINE.sum()


def demonstrate():
    assert True
