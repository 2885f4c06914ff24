"""A message-passing network for the energy of a molecule."""
import functools

import jax
import jax.numpy as jnp

from . import elements, graph as graphs, layers
from .config import ModelConfig


def init(key, config: ModelConfig):
    k_embed, k_rounds, k_out = jax.random.split(key, 3)
    rounds = []
    for _ in range(config.rounds):
        rounds.append(
            {
                "message": layers.mlp_init(k_rounds, [config.width + config.radial, config.width], config.init),  # expect: key-reuse-in-loop
                "gain": jnp.ones(config.width),
            }
        )
    embed = 0.5 * jax.random.normal(k_embed, (len(elements.NAMES), config.width))
    return {"embed": embed, "rounds": rounds, "out": layers.mlp_init(k_out, [config.width, config.width, 1])}


def init_split(key, config: ModelConfig):
    """A key for each round."""
    k_embed, key, k_out = jax.random.split(key, 3)
    rounds = []
    for index in range(config.rounds):
        widths = [config.width + config.radial, config.width]
        message = layers.mlp_init(jax.random.fold_in(key, index), widths, config.init)
        rounds.append({"message": message, "gain": jnp.ones(config.width)})
    embed = 0.5 * jax.random.normal(k_embed, (len(elements.NAMES), config.width))
    return {"embed": embed, "rounds": rounds, "out": layers.mlp_init(k_out, [config.width, config.width, 1])}


def gather(messages, graph):
    return jax.ops.segment_sum(messages, graph.receivers, num_segments=graph.atoms)  # expect: traced-shape


def scatter(messages, graph):
    """The same; the shape of the positions says how many atoms there are."""
    start = jnp.zeros((graph.positions.shape[0], messages.shape[1]), messages.dtype)
    return layers.add_at(start, graph.receivers, messages)


def energy(params, graph, config: ModelConfig, dtype=jnp.float32):
    positions = graph.positions
    offsets = positions[graph.senders] - positions[graph.receivers]
    gaps = jnp.sqrt((offsets**2).sum(-1) + 1e-9)
    weight = jnp.where(graph.senders == graph.receivers, 0.0, 0.5 * (1 + jnp.cos(jnp.pi * gaps / config.cutoff)))
    if config.bonded:
        weight = weight * elements.bond_lengths(graph.numbers[graph.senders], graph.numbers[graph.receivers])
    basis = layers.radial_basis(gaps, config.radial, config.cutoff).astype(dtype)
    collect = scatter if config.by_scatter else gather
    nodes = params["embed"][graph.numbers].astype(dtype)
    for layer in params["rounds"]:
        messages = layers.mlp(layer["message"], jnp.concatenate([nodes[graph.senders], basis], axis=1))
        nodes = nodes + layer["gain"].astype(dtype) * collect(messages * weight[:, None].astype(dtype), graph)
    return layers.mlp(params["out"], nodes).sum().astype(jnp.float32)


@functools.partial(jax.jit, static_argnames=("config", "name"))
def forces(params, positions, numbers, config: ModelConfig, name=""):
    def of(positions):
        return energy(params, graphs.build(positions, numbers, config.cutoff, None, name), config)

    return -jax.grad(of)(positions)


@functools.partial(jax.jit, static_argnames=("config", "size"))
def sized_forces(params, positions, numbers, config: ModelConfig, size):
    """The pairs are counted outside."""

    def of(positions):
        return energy(params, graphs.build(positions, numbers, config.cutoff, size), config)

    return -jax.grad(of)(positions)


def total_force(pair_forces, graph):
    """What acts on each atom, from the forces of pairs."""
    total = jnp.zeros_like(graph.positions)
    layers.add_at(total, graph.receivers, pair_forces)  # expect: discarded-at-update
    total = layers.add_at(total, graph.senders, -pair_forces)
    return total
