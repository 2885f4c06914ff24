"""after general knowledge; slug: boolean-mask-index"""
import jax
import jax.numpy as jnp


def masked_mean(values, valid):
    kept = values[valid > 0]  # expect: boolean-mask-index
    return kept.mean()


def epoch_metrics(batches):
    def accumulate(total, batch):
        return total + masked_mean(batch["value"], batch["valid"]), None

    total, _ = jax.lax.scan(accumulate, 0.0, batches)
    return total


def demonstrate():
    try:
        epoch_metrics({'value': jnp.ones((3, 4)), 'valid': jnp.ones((3, 4))})
    except Exception as err:
        assert type(err).__name__ == 'NonConcreteBooleanIndexError', repr(err)
    else:
        raise AssertionError('expected NonConcreteBooleanIndexError')
