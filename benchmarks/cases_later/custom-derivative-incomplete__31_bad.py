"""after a backward rule that forgets the temperature; slug: custom-derivative-incomplete"""

import jax
import jax.numpy as jnp


@jax.custom_vjp
def hard_select(logits, temperature):
    return jax.nn.one_hot(jnp.argmax(logits), logits.shape[-1])


def hard_select_fwd(logits, temperature):
    soft = jax.nn.softmax(logits / temperature)
    return hard_select(logits, temperature), (soft, temperature)


def hard_select_bwd(residuals, cotangent):
    soft, temperature = residuals
    grad = soft * (cotangent - jnp.sum(soft * cotangent)) / temperature
    return (grad,)  # expect: custom-derivative-incomplete


hard_select.defvjp(hard_select_fwd, hard_select_bwd)


def main():
    objective = lambda logits: jnp.dot(hard_select(logits, 0.5), jnp.arange(3.0))
    return jax.grad(objective)(jnp.array([0.1, 0.2, 0.3]))


def demonstrate():
    try:
        main()
    except (TypeError, ValueError):
        return
    assert False
