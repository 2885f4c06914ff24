"""after apply given the bare params; slug: unwrapped-collection"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Head(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.tanh(nn.Dense(8)(x)))


def predict(x):
    head = Head()
    params = head.init(jax.random.key(0), x)["params"]
    return head.apply(params, x)  # expect: unwrapped-collection


def demonstrate():
    try:
        predict(jnp.ones((2, 3)))
    except Exception as err:
        assert type(err).__name__ == 'ScopeParamNotFoundError', repr(err)
    else:
        raise AssertionError('expected ScopeParamNotFoundError')
