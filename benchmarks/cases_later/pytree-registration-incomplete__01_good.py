"""after general knowledge; slug: pytree-registration-incomplete; corrected twin"""
import jax
import jax.numpy as jnp


class Rational:
    def __init__(self, numerator, denominator, name="r"):
        self.numerator = numerator
        self.denominator = denominator
        self.name = name

    def __call__(self, x):
        return jnp.polyval(self.numerator, x) / jnp.polyval(self.denominator, x)


jax.tree_util.register_pytree_node(
    Rational,
    lambda r: ((r.numerator, r.denominator), r.name),
    lambda name, parts: Rational(*parts, name=name),
)


@jax.jit
def evaluate(r, x):
    return r(x)


def demonstrate():
    assert float(evaluate(Rational(jnp.array([4.0]), jnp.array([2.0])), 1.0)) == 2.0
