import jax
import jax.numpy as jnp


@jax.jit
def low_pass(signal, keep=0.25):
    spectrum = jnp.fft.rfft(signal)
    cutoff = int(jnp.ceil(spectrum.shape[0] * 0.25))
    return jnp.fft.irfft(spectrum.at[cutoff:].set(0.0), n=signal.shape[0])


# --- what it should do
out = low_pass(jnp.sin(jnp.linspace(0.0, 6.0, 16)))
assert out.shape == (16,)
