"""Run both programs: each has the numbers that it asks for, and the platform is asked for in vain."""

import jax


def prove():
    import narrow

    assert narrow.weights.dtype == "float32"
    before = jax.default_backend()
    narrow.train_on({"platform": "none_of_this_name"}, narrow.weights)
    assert jax.default_backend() == before
    narrow.train_on({"platform": before}, narrow.weights)
    import wide

    assert wide.main().dtype == "float64"
