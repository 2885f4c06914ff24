"""several models with batch norm evaluated in a loop; slug: immutable-collection"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(self.width)(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
        return nn.relu(x)


class Classifier(nn.Module):
    widths: tuple

    @nn.compact
    def __call__(self, x, train=False):
        for width in self.widths:
            x = Block(width)(x, train)
        return nn.Dense(3)(x)


def main():
    x = jnp.ones((8, 4))
    models = {"small": Classifier((8,)), "large": Classifier((16, 16))}
    variables = {name: model.init(jax.random.key(len(name)), x) for name, model in models.items()}
    small = models["small"]
    logits = small.apply(variables["small"], x, train=True)  # expect: immutable-collection
    return logits


def demonstrate():
    try:
        main()
    except Exception as err:
        return str(err)
    raise AssertionError("expected a failure")
