import helpers
import jax

signed = jax.jit(helpers.sign)
