"""Training turns on what its configuration asks for, if the program has not done so before."""

import jax


def train(config, weights):
    if config["wide"]:
        jax.config.update("jax_enable_x64", True)
    return weights * 2.0


def train_on(config, weights):
    if config["platform"]:
        jax.config.update("jax_platforms", config["platform"])  # expect: late-config
    return weights * 2.0
