"""after general knowledge; slug: boolean-mask-index; corrected twin"""
import jax
import jax.numpy as jnp


def masked_mean(values, valid):
    return jnp.mean(values, where=valid > 0)


def epoch_metrics(batches):
    def accumulate(total, batch):
        return total + masked_mean(batch["value"], batch["valid"]), None

    total, _ = jax.lax.scan(accumulate, 0.0, batches)
    return total


def demonstrate():
    epoch_metrics({'value': jnp.ones((3, 4)), 'valid': jnp.ones((3, 4))})
