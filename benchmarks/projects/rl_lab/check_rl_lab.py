"""overrides traced by the base class's step; a stale exploration rate; a key used each step; statistics that do not grow"""
import jax
import jax.numpy as jnp
import numpy as np

from rl import CartPole, GridWorld, policy, rollout, stats, train
from rl.cartpole import NoisyCartPole
from rl.gridworld import LoggedGridWorld
from rl.train import update


def raises(error, call, *given):
    try:
        call(*given)
    except error:
        return True
    return False


def demonstrate():
    errors, x = jax.errors, jnp.ones(2)
    assert raises(errors.TracerBoolConversionError, CartPole().step, x, 1)
    assert CartPole(swing_up=True).step(x, 1).reward < 1
    noisy = NoisyCartPole(swing_up=True)
    assert (noisy.step(x, 1).state == noisy.step(x, 1).state).all()
    logged = LoggedGridWorld(((1, 1),))
    for _ in range(3):
        logged.step(jnp.zeros(2), 0)
    assert len(logged.visited) == 1 and raises(errors.UnexpectedTracerError, lambda: logged.visited[0] + 1)
    params, running = train(GridWorld(((2, 2),)))
    assert running.count == 0
    params = policy.init(jax.random.key(0), 2, 4)
    keys = jax.random.split(jax.random.key(1), 40)
    before = [int(policy.act(params, x, k)) for k in keys]
    policy.decay(0.0)
    assert before == [int(policy.act(params, x, k)) for k in keys]
    rows = rollout.collect(GridWorld(), jax.tree.map(jnp.zeros_like, params), jax.random.key(2), 6)
    assert len({int(action) for _, action, _ in rows}) == 1
    assert raises(errors.TracerBoolConversionError, update, params, jnp.ones((3, 2)), jnp.ones(3))
    assert stats.observed(stats.Running(0.0, 0.0), 2.0).count == 1
    assert rollout.returns(jnp.ones(3), 0.5)[0] == 1.75
