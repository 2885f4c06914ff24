"""after general knowledge; slug: carry-type-mismatch"""
import jax
import jax.numpy as jnp


def project(point, radius):
    norm = jnp.linalg.norm(point)

    def inside(p):
        return p

    def outside(p):
        return p / norm * radius, norm

    return jax.lax.cond(norm > radius, outside, inside, point)  # expect: carry-type-mismatch


project_all = jax.vmap(project, in_axes=(0, None))


def demonstrate():
    try:
        project_all(jnp.ones((2, 3)), 1.0)
    except Exception as err:
        assert type(err).__name__ == 'TypeError', repr(err)
    else:
        raise AssertionError('expected TypeError')
