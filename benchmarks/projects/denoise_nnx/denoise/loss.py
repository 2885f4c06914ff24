import jax
import jax.numpy as jnp


def sample_times(key, n, schedule):
    return jax.random.randint(key, (n,), 0, schedule.steps)


def objective(model, schedule, x, key):
    times = sample_times(key, x.shape[0], schedule)
    noise = jax.random.normal(key, x.shape)  # expect: key-reuse
    alphas = jax.vmap(schedule.noisy)(x, noise, times)
    error = model(alphas, times) - noise
    return jnp.mean(error**2)


def objective_split(model, schedule, x, key):
    t_key, n_key = jax.random.split(key)
    times = sample_times(t_key, x.shape[0], schedule)
    noise = jax.random.normal(n_key, x.shape)
    noisy = jax.vmap(schedule.noisy)(x, noise, times)
    return jnp.mean((model(noisy, times) - noise) ** 2)


def masked(errors, keep):
    """Mean over what is kept."""
    return jnp.mean(errors[keep])  # expect: boolean-mask-index
