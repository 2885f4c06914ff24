"""Two pipeline stages on two devices, moved by hand."""
import jax
import jax.numpy as jnp

jax.config.update("jax_num_cpu_devices", 2)


def scaled_normal(key, shape):
    return jax.random.normal(key, shape) / shape[0] ** 0.5


class Pipeline:
    """The encoder lives on the first device, the decoder on the second."""

    def __init__(self, key, inputs, hidden, outputs):
        encoder_key, decoder_key = jax.random.split(key)
        self.first, self.second = jax.devices()[:2]
        self.encoder = jax.device_put(scaled_normal(encoder_key, (inputs, hidden)), self.first)
        self.decoder = jax.device_put(scaled_normal(decoder_key, (hidden, outputs)), self.second)

    def encode(self, batch):
        batch = jax.device_put(batch, self.first)
        return jnp.tanh(batch @ self.encoder)

    def __call__(self, batch):
        hidden = jax.device_put(self.encode(batch), self.second)
        return hidden @ self.decoder


def reconstruction_error(pipeline, batch):
    output = pipeline(batch)
    target = jax.device_put(batch, pipeline.second)
    return jnp.mean((output - target) ** 2)


def main():
    model_key, data_key = jax.random.split(jax.random.key(0))
    pipeline = Pipeline(model_key, inputs=6, hidden=12, outputs=6)
    error = reconstruction_error(pipeline, jax.random.normal(data_key, (8, 6)))
    print("error", error, "on", error.devices())
    assert error.devices() == {pipeline.second}


if __name__ == "__main__":
    main()
