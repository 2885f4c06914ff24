"""after general knowledge; slug: carry-type-mismatch; corrected twin"""
import jax
import jax.numpy as jnp


def project(point, radius):
    norm = jnp.linalg.norm(point)

    def inside(p):
        return p

    def outside(p):
        return p / norm * radius

    return jax.lax.cond(norm > radius, outside, inside, point)


project_all = jax.vmap(project, in_axes=(0, None))


def demonstrate():
    project_all(jnp.ones((2, 3)), 1.0)
