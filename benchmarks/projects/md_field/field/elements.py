"""What is known of the elements, by atomic number."""
import numpy as np

COVALENT = np.array([0.0, 0.31, 0.28, 1.28, 0.96, 0.84, 0.76, 0.71, 0.66, 0.57])
NAMES = ["X", "H", "He", "Li", "Be", "B", "C", "N", "O", "F"]


def bond_lengths(first, second):
    """The sum of the covalent radii."""
    return COVALENT[first] + COVALENT[second]  # expect: numpy-on-tracer


def formula(numbers):
    """On the host: "C1H4"."""
    found, counts = np.unique(np.asarray(numbers), return_counts=True)
    return "".join(f"{NAMES[number]}{count}" for number, count in zip(found, counts))
