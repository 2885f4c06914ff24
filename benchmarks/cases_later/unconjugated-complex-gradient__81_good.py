"""Recover a complex signal from linear measurements, with momentum."""
import jax
import jax.numpy as jnp
import optax


def complex_normal(key, shape):
    real_key, imag_key = jax.random.split(key)
    return jax.lax.complex(jax.random.normal(real_key, shape), jax.random.normal(imag_key, shape))


def misfit(signal, sensing, measured):
    residual = sensing @ signal - measured
    return jnp.mean(jnp.abs(residual) ** 2)


def recover(sensing, measured, rate, steps):
    tx = optax.sgd(rate, momentum=0.5)
    signal = jnp.zeros(sensing.shape[1], dtype=jnp.complex64)

    def body(carry, _):
        signal, opt_state = carry
        loss, grad = jax.value_and_grad(misfit)(signal, sensing, measured)
        updates, opt_state = tx.update(jnp.conj(grad), opt_state)
        return (optax.apply_updates(signal, updates), opt_state), loss

    (signal, _), losses = jax.lax.scan(body, (signal, tx.init(signal)), None, length=steps)
    return signal, losses


def main():
    sensing_key, truth_key = jax.random.split(jax.random.key(9))
    sensing = complex_normal(sensing_key, (64, 8))
    truth = complex_normal(truth_key, (8,))
    signal, losses = recover(sensing, sensing @ truth, rate=0.05, steps=60)
    print("loss", losses[0], "->", losses[-1])
    assert losses[-1] < 1e-3 * losses[0]


if __name__ == "__main__":
    main()
