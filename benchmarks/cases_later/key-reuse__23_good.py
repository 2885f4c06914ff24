"""after shuffling data and labels apart, deep in a pipeline class; slug: key-reuse; corrected twin"""
import jax
import jax.numpy as jnp


class Pipeline:
    def __init__(self, images, labels):
        self.images = images
        self.labels = labels

    def _mixup(self, key, batch):
        lam = jax.random.beta(key, 0.4, 0.4)
        return lam * batch + (1 - lam) * batch[::-1]

    def _erase(self, key, batch):
        mask = jax.random.bernoulli(key, 0.1, batch.shape)
        return jnp.where(mask, 0.0, batch)

    def epoch(self, key):
        order_key, aug_key = jax.random.split(key)
        order = jax.random.permutation(order_key, len(self.images))
        batch = self.images[order]
        aug_key, erase_key = jax.random.split(aug_key)
        batch = self._mixup(aug_key, batch)
        batch = self._erase(erase_key, batch)
        return batch, self.labels[order]


def demonstrate():
    keys = []
    plain = jax.random.bernoulli
    jax.random.bernoulli = lambda k, *a: (keys.append(k), plain(k, *a))[1]
    Pipeline(jnp.ones((4, 2)), jnp.arange(4)).epoch(jax.random.key(0))
    jax.random.bernoulli = plain
    expected = jax.random.split(jax.random.key(0))[1]
    assert (jax.random.key_data(keys[0]) != jax.random.key_data(expected)).any()
