"""Small convolutional classifier (Flax linen) trained on striped images."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class StripeNet(nn.Module):
    classes: int = 2

    @nn.compact
    def __call__(self, images):
        x = nn.relu(nn.Conv(8, (3, 3))(images))
        x = x.mean(axis=(1, 2))
        return nn.Dense(self.classes)(x)


def stripes(key, count):
    label_key, noise_key = jax.random.split(key)
    labels = jax.random.bernoulli(label_key, 0.5, (count,)).astype(jnp.int32)
    wave = jnp.sin(jnp.arange(8.0))
    images = jnp.where(labels[:, None, None] == 0, wave[:, None], wave[None, :])
    images = images + 0.1 * jax.random.normal(noise_key, images.shape)
    return images[..., None], labels


def report(loss, logits, labels):
    accuracy = jnp.mean(logits.argmax(axis=-1) == labels)
    print("loss", loss, "accuracy", accuracy)  # expect: print-in-traced-code


def objective(params, apply_fn, images, labels):
    logits = apply_fn(params, images)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    report(loss, logits, labels)
    return loss


@jax.jit
def update(state, images, labels):
    grads = jax.grad(objective)(state.params, state.apply_fn, images, labels)
    return state.apply_gradients(grads=grads)


def create_state(key, learning_rate=1e-2):
    model = StripeNet()
    params = model.init(key, jnp.zeros((1, 8, 8, 1)))
    return train_state.TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adam(learning_rate)
    )


def train(seed, steps):
    init_key, data_key = jax.random.split(jax.random.key(seed))
    state = create_state(init_key)
    images, labels = stripes(data_key, 16)
    for _ in range(steps):
        state = update(state, images, labels)
    return state


def demonstrate():
    import contextlib
    import io

    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        train(0, steps=4)
        jax.effects_barrier()
    lines = [line for line in out.getvalue().splitlines() if line.startswith("loss")]
    assert len(lines) == 1 and "Tracer" in lines[0], lines
