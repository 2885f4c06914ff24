"""after batch norm in training without mutable; slug: immutable-collection"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class ConvBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Conv(self.features, (3, 3))(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        return nn.relu(x)


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        x = ConvBlock(4)(x, train)
        return nn.Dense(2)(x.mean(axis=(1, 2)))


def step(variables, x):
    logits = Net().apply(variables, x, train=True)  # expect: immutable-collection
    return logits.sum()


def run(x):
    variables = Net().init(jax.random.key(0), x, train=False)
    return step(variables, x)


def demonstrate():
    try:
        run(jnp.ones((2, 4, 4, 1)))
    except Exception as err:
        assert type(err).__name__ == 'ModifyScopeVariableError', repr(err)
    else:
        raise AssertionError('expected ModifyScopeVariableError')
