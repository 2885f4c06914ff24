"""a spline whose degree is lost; slug: pytree-registration-incomplete"""
import jax
import jax.numpy as jnp


class Spline:
    def __init__(self, knots, coefficients, degree=3):
        self.knots = knots
        self.coefficients = coefficients
        self.degree = degree


def flatten_spline(spline):
    return (spline.knots, spline.coefficients), spline.degree


def unflatten_spline(aux, children):
    return Spline(*children, degree=aux)


jax.tree_util.register_pytree_node(Spline, flatten_spline, unflatten_spline)


def scale(spline, factor):
    return jax.tree.map(lambda leaf: factor * leaf, spline)


def main():
    spline = Spline(jnp.linspace(0.0, 1.0, 9), jnp.ones(6), degree=5)
    return scale(spline, 2.0).degree


def demonstrate():
    assert main() == 5
