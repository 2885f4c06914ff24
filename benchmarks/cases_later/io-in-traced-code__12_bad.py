"""after logging metrics through a logger object in a scan body; slug: io-in-traced-code"""
import logging

import jax
import jax.numpy as jnp

logger = logging.getLogger("trainer")


def make_epoch(loss_fn, lr):
    def body(w, batch):
        loss, grad = jax.value_and_grad(loss_fn)(w, batch)
        logger.info("loss %s", loss)  # expect: io-in-traced-code
        return w - lr * grad, loss

    def epoch(w, batches):
        w, _ = jax.lax.scan(body, w, batches)
        return w

    return epoch


def demonstrate():
    seen = []
    handler = logging.Handler()
    handler.emit = lambda record: seen.append(record.getMessage())
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    make_epoch(lambda w, b: jnp.sum((w - b) ** 2), 0.1)(jnp.zeros(2), jnp.ones((5, 2)))
    assert len(seen) == 1
    assert "Trac" in seen[0], seen
