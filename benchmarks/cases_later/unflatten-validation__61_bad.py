"""Kalman filter over a registered Gaussian belief."""

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Belief:
    """Mean and covariance of the hidden state."""

    def __init__(self, mean, covariance):
        if covariance.shape != (mean.shape[0], mean.shape[0]):  # expect: unflatten-validation
            raise ValueError("covariance must be square and match the mean")
        self.mean = mean
        self.covariance = covariance

    def tree_flatten(self):
        return (self.mean, self.covariance), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def predict(belief, transition, process_noise):
    covariance = transition @ belief.covariance @ transition.T + process_noise
    return Belief(transition @ belief.mean, covariance)


def correct(belief, observation, emission, noise):
    innovation = observation - emission @ belief.mean
    spread = emission @ belief.covariance @ emission.T + noise
    gain = jnp.linalg.solve(spread, emission @ belief.covariance).T
    covariance = belief.covariance - gain @ emission @ belief.covariance
    return Belief(belief.mean + gain @ innovation, covariance)


def filter_track(belief, observations):
    transition = jnp.array([[1.0, 0.1], [0.0, 1.0]])
    emission = jnp.array([[1.0, 0.0]])

    def step(belief, observation):
        belief = predict(belief, transition, 1e-3 * jnp.eye(2))
        belief = correct(belief, observation, emission, 0.1 * jnp.eye(1))
        return belief, belief.mean

    return jax.lax.scan(step, belief, observations)


def filter_fleet(beliefs, tracks):
    return jax.vmap(filter_track)(beliefs, tracks)


def main(ships=3):
    tracks = jax.random.normal(jax.random.key(64), (ships, 20, 1)).cumsum(axis=1)
    prior = Belief(jnp.zeros(2), jnp.eye(2))
    fleet = jax.tree.map(lambda leaf: jnp.stack([leaf] * ships), prior)
    final, means = filter_fleet(fleet, tracks)
    return final.mean, means


def demonstrate():
    try:
        main()
    except (ValueError, AttributeError) as err:
        assert "covariance" in str(err) or "shape" in str(err)
    else:
        raise AssertionError("no error")
