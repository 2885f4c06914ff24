import jax
import jax.numpy as jnp


def waiting_time(arrivals, services):
    def serve(free_at, customer):
        arrival, service = customer
        start = max(free_at, arrival)
        return start + service, start - arrival

    _, waits = jax.lax.scan(serve, 0, (arrivals, services))
    return waits


# --- what it should do
assert waiting_time(jnp.array([0.0, 1.0]), jnp.array([3.0, 1.0])).tolist() == [0.0, 2.0]
