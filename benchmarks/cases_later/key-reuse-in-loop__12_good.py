"""after one dropout key for a whole training run; slug: key-reuse-in-loop; corrected twin"""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Classifier(nn.Module):
    hidden: int = 32

    @nn.compact
    def __call__(self, x, training: bool):
        x = nn.relu(nn.Dense(self.hidden)(x))
        x = nn.Dropout(0.5, deterministic=not training)(x)
        return nn.Dense(3)(x)


@jax.jit
def train_step(state, batch, dropout_key):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, batch["x"], training=True, rngs={"dropout": dropout_key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def fit(batches, seed=0):
    params_key, dropout_key = jax.random.split(jax.random.key(seed))
    model = Classifier()
    params = model.init(params_key, batches[0]["x"], training=False)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))
    loss = None
    for step, batch in enumerate(batches):
        state, loss = train_step(state, batch, jax.random.fold_in(dropout_key, step))
    return state, loss


def demonstrate():
    keys = []
    global train_step
    inner = train_step
    def spy(s, b, k):
        keys.append(tuple(jax.random.key_data(k).tolist()))
        return inner(s, b, k)
    train_step = spy
    fit([{"x": jnp.ones((4, 5)), "y": jnp.zeros(4, int)}] * 3)
    assert len(set(keys)) == 3
