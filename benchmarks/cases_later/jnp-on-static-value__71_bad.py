"""Switch-style routing with a capacity per expert, in Equinox."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Router(eqx.Module):
    gate: eqx.nn.Linear
    num_experts: int = eqx.field(static=True)
    capacity_factor: float = eqx.field(static=True)

    def __init__(self, dim, num_experts, capacity_factor, *, key):
        self.gate = eqx.nn.Linear(dim, num_experts, use_bias=False, key=key)
        self.num_experts = num_experts
        self.capacity_factor = capacity_factor

    def capacity(self, tokens):
        share = tokens.shape[0] / self.num_experts
        return jnp.ceil(share * self.capacity_factor)  # expect: jnp-on-static-value

    def __call__(self, tokens):
        logits = jax.vmap(self.gate)(tokens)
        probabilities = jax.nn.softmax(logits, axis=-1)
        expert = jnp.argmax(probabilities, axis=-1)
        chosen = jax.nn.one_hot(expert, self.num_experts)
        rank = jnp.sum((jnp.cumsum(chosen, axis=0) - 1.0) * chosen, axis=-1)
        kept = rank < self.capacity(tokens)
        weight = jnp.max(probabilities, axis=-1) * kept
        return expert, weight


@eqx.filter_jit
def route(router, tokens):
    return router(tokens)


def rounding_steps(router, tokens):
    """How often the traced program rounds up."""
    arrays, static = eqx.partition(router, eqx.is_array)
    program = jax.make_jaxpr(lambda a, t: eqx.combine(a, static)(t))(arrays, tokens)
    return str(program).count("ceil ")


def main():
    gate_key, token_key = jax.random.split(jax.random.key(5))
    router = Router(8, num_experts=4, capacity_factor=1.25, key=gate_key)
    tokens = jax.random.normal(token_key, (30, 8))
    expert, weight = route(router, tokens)
    print("dropped tokens:", jnp.sum(weight == 0.0), "of", expert.shape[0])
    assert rounding_steps(router, tokens) == 1


if __name__ == "__main__":
    main()
