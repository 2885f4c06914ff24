"""Small convolutional classifier with batch normalization."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class ConvBlock(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.Conv(self.features, (3, 3), use_bias=False)(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
        return nn.relu(x)


class Classifier(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x, train):
        for features in (8, 16):
            x = ConvBlock(features)(x, train)
        return nn.Dense(self.classes)(x.mean(axis=(1, 2)))


def make_step(model, tx):
    def loss_fn(params, stats, images, labels):
        variables = {"params": params, "batch_stats": stats}
        logits, updated = model.apply(variables, images, train=True, mutable=["batch_stats"])
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
        return loss, updated["batch_stats"]

    @jax.jit
    def step(params, stats, opt_state, images, labels):
        (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, stats, images, labels)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), stats, opt_state, loss

    return step


def main():
    init_key, image_key = jax.random.split(jax.random.key(0))
    images = jax.random.normal(image_key, (8, 8, 8, 1))
    labels = jnp.arange(8) % 3
    model, tx = Classifier(classes=3), optax.adam(1e-2)
    variables = model.init(init_key, images, train=False)
    params, stats = variables["params"], variables["batch_stats"]
    opt_state = tx.init(params)
    step = make_step(model, tx)
    for _ in range(3):
        params, stats, opt_state, loss = step(params, stats, opt_state, images, labels)
    print("loss", loss)


if __name__ == "__main__":
    main()
