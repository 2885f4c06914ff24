"""Molecules in NumPy, shuffled and batched; then on the device."""
import jax
import jax.numpy as jnp
import numpy as np


def synthetic(count, seed=0, atoms=4):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        positions = rng.normal(size=(atoms, 3)).astype(np.float32)
        positions -= positions.mean(axis=0)
        numbers = rng.choice([1, 6, 8], atoms)
        yield {"positions": positions, "numbers": numbers, "energy": np.float32((positions**2).sum())}


class Loader:
    """Batches of molecules of one size, in a new order each epoch."""

    def __init__(self, molecules, batch, seed=0, transforms=()):
        self.molecules, self.batch = list(molecules), batch
        self.rng, self.transforms = np.random.default_rng(seed), list(transforms)
        self.epochs = 0

    def __iter__(self):
        order = np.arange(len(self.molecules))
        self.rng.shuffle(order)
        self.epochs += 1
        for start in range(0, len(order) - self.batch + 1, self.batch):
            chosen = [self.molecules[i] for i in order[start : start + self.batch]]
            batch = {name: np.stack([molecule[name] for molecule in chosen]) for name in chosen[0]}
            for transform in self.transforms:
                batch = transform(batch, self.rng)
            yield batch


def shake(batch, rng):
    """Noise on the positions, on the host."""
    batch["positions"] += 0.01 * rng.normal(size=batch["positions"].shape).astype(np.float32)
    return batch


def to_device(batch):
    return jax.tree.map(jnp.asarray, batch)


def prefetch(loader, shift=0.0):
    """Batches on the device, energies counted from `shift`."""
    for batch in loader:
        batch = to_device(batch)
        if shift:
            batch["energy"] -= shift  # rebinds the entry of this batch: right
        yield batch


def centred(loader):
    """Batches on the device, each molecule around the origin."""
    for batch in loader:
        batch = to_device(batch)
        positions = batch["positions"]
        for molecule in range(positions.shape[0]):
            positions[molecule] -= positions[molecule].mean(axis=0)  # expect: in-place-augmented-assignment
        yield batch
