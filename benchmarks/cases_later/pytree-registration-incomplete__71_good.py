"""A scalar Kalman filter whose state is a registered pytree."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class FilterState:
    """Mean, variance and running log-likelihood of the filter."""

    def __init__(self, mean, variance, log_likelihood):
        self.mean = mean
        self.variance = variance
        self.log_likelihood = log_likelihood

    def tree_flatten(self):
        return (self.mean, self.variance, self.log_likelihood), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        mean, variance, log_likelihood = children
        return cls(mean, variance, log_likelihood)

    def __repr__(self):
        return f"FilterState({self.mean}, {self.variance}, {self.log_likelihood})"


class LocalLevel:
    """A random walk that is observed with noise."""

    def __init__(self, drift=0.1, noise=0.5):
        self.drift = drift
        self.noise = noise

    def predict(self, state):
        return FilterState(state.mean, state.variance + self.drift, state.log_likelihood)

    def correct(self, state, observation):
        total = state.variance + self.noise
        residual = observation - state.mean
        gain = state.variance / total
        density = -0.5 * (residual**2 / total + jnp.log(2.0 * jnp.pi * total))
        return FilterState(
            state.mean + gain * residual,
            (1.0 - gain) * state.variance,
            state.log_likelihood + density,
        )


def make_update(model):
    @jax.jit
    def update(state, observation):
        return model.correct(model.predict(state), observation)

    return update


def main():
    model = LocalLevel()
    state = FilterState(jnp.asarray(0.0), jnp.asarray(1.0), jnp.asarray(0.0))
    expected = model.correct(model.predict(state), 0.3)
    result = make_update(model)(state, 0.3)
    print("eager:", expected)
    print("jitted:", result)
    assert jnp.allclose(result.variance, expected.variance)


if __name__ == "__main__":
    main()
