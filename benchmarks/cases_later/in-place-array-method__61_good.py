"""Spectral embedding of a small point cloud."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class SpectralEmbedding:
    n_components: int = 2
    bandwidth: float = 1.0

    def affinity(self, points: jax.Array) -> jax.Array:
        gaps = points[:, None, :] - points[None, :, :]
        weights = jnp.exp(-jnp.sum(gaps**2, axis=-1) / (2.0 * self.bandwidth**2))
        return jnp.fill_diagonal(weights, 0.0, inplace=False)

    def laplacian(self, points: jax.Array) -> jax.Array:
        weights = self.affinity(points)
        scale = jax.lax.rsqrt(weights.sum(axis=1))
        return jnp.eye(len(points)) - scale[:, None] * weights * scale[None, :]

    def fit_transform(self, points: jax.Array) -> np.ndarray:
        _, vectors = jnp.linalg.eigh(self.laplacian(points))
        return np.asarray(vectors[:, 1 : 1 + self.n_components])


def two_blobs(key, n):
    left_key, right_key = jax.random.split(key)
    left = jax.random.normal(left_key, (n, 2)) - 3.0
    right = jax.random.normal(right_key, (n, 2)) + 3.0
    return jnp.concatenate([left, right])


def main():
    points = two_blobs(jax.random.key(4), 30)
    coords = SpectralEmbedding(bandwidth=2.0).fit_transform(points)
    print(coords[:3], coords[-3:])


if __name__ == "__main__":
    main()


def demonstrate():
    points = two_blobs(jax.random.key(4), 5)
    model = SpectralEmbedding(bandwidth=2.0)
    weights = model.affinity(points)
    assert np.all(np.diag(np.asarray(weights)) == 0.0)
    assert model.fit_transform(points).shape == (10, 2)
