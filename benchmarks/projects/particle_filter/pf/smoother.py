"""Trajectories drawn backwards through the ancestors."""
import jax
import jax.numpy as jnp


def trace_back(ancestors, last):
    """The line of ancestors of one particle, as indices."""
    steps = ancestors.shape[0]
    line = jnp.zeros(steps, int)
    index = last
    for t in reversed(range(steps)):
        line[t] = index  # expect: in-place-item-assignment
        index = ancestors[t, index]
    return line


def trace_back_scan(ancestors, last):
    def up(index, row):
        return row[index], index

    return jax.lax.scan(up, last, ancestors, reverse=True)[1]


def draw_lines(key, info, log_weights, count):
    """Independent lines of ancestors."""
    lines = []
    for _ in range(count):
        last = jax.random.categorical(key, log_weights)  # expect: key-reuse-in-loop
        lines.append(trace_back_scan(info.ancestors, last))
    return jnp.stack(lines)


def draw_lines_split(key, info, log_weights, count):
    keys = iter(jax.random.split(key, count))
    lines = [trace_back_scan(info.ancestors, jax.random.categorical(next(keys), log_weights)) for _ in range(count)]
    return jnp.stack(lines)
