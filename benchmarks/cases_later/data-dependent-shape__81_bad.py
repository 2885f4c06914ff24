"""Length regulator of a text-to-speech model: repeat each phoneme for its duration."""
import equinox as eqx
import jax
import jax.numpy as jnp


class DurationPredictor(eqx.Module):
    layer: eqx.nn.Linear

    def __init__(self, width, *, key):
        self.layer = eqx.nn.Linear(width, 1, key=key)

    def __call__(self, hidden):
        frames = jax.nn.softplus(jax.vmap(self.layer)(hidden)[:, 0])
        return 1 + jnp.round(frames).astype(jnp.int32)


class Regulator(eqx.Module):
    durations: DurationPredictor
    output: eqx.nn.Linear
    max_frames: int = eqx.field(static=True)

    def __init__(self, width, max_frames, *, key):
        duration_key, output_key = jax.random.split(key)
        self.durations = DurationPredictor(width, key=duration_key)
        self.output = eqx.nn.Linear(width, 10, key=output_key)
        self.max_frames = max_frames

    def expand(self, hidden, counts):
        return jnp.repeat(hidden, counts, axis=0)  # expect: data-dependent-shape

    def __call__(self, hidden):
        frames = self.expand(hidden, self.durations(hidden))
        return jax.vmap(self.output)(frames)


@eqx.filter_jit
def synthesize(model, hidden):
    return model(hidden)


def main():
    model_key, data_key = jax.random.split(jax.random.key(3))
    model = Regulator(width=6, max_frames=32, key=model_key)
    hidden = jax.random.normal(data_key, (5, 6))
    spectrogram = synthesize(model, hidden)
    print("frames", spectrogram.shape)
    assert spectrogram.shape == (32, 10)


if __name__ == "__main__":
    main()
