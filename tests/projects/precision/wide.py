"""The program that wants wide numbers sets the option before it builds anything."""

import json
import os

import jax
from lib.loop import train
from lib.model import build

CONFIG = json.loads(os.environ.get("PRECISION", '{"wide": true}'))


def main():
    if CONFIG["wide"]:
        jax.config.update("jax_enable_x64", True)
    return train(CONFIG, build(3))


if __name__ == "__main__":
    main()
