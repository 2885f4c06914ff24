"""Data-parallel evaluation on virtual host devices."""
import argparse
import os

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--devices", type=int, default=4)
    parser.add_argument("--batch", type=int, default=16)
    return parser.parse_args(argv)


def banner():
    print("jax", jax.__version__, "on", jax.devices()[0].platform)


@jax.jit
def evaluate(weights, x):
    return jnp.mean(jnp.tanh(x @ weights), axis=0)


def shard(x):
    mesh = jax.make_mesh((jax.device_count(),), ("data",))
    return jax.device_put(x, NamedSharding(mesh, P("data")))


def main():
    args = parse_args([])
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={args.devices}"
    banner()
    x = shard(jnp.ones((args.batch, 3)))
    result = evaluate(jnp.ones((3, 2)), x)
    print("mean", result, "devices", len(x.sharding.device_set))
    assert len(x.sharding.device_set) == args.devices


if __name__ == "__main__":
    main()
