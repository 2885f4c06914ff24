"""What is marked draws the same numbers twice; what is not marked does not."""

import jax
import jax.numpy as jnp
import main
import pytest


def prove():
    with jax.debug_key_reuse(True):
        for wrong in (main.reused, main.in_a_dict, main.in_a_stuck_tuple, main.from_a_stuck_one, main.in_a_loop):
            with pytest.raises(jax.errors.KeyReuseError):
                wrong(0)
        for right in (main.advanced, main.asked, main.in_a_tuple, main.from_a_stream, main.over_keys, main.meant):
            right(0)
        main.one_or_the_other(0, True), main.one_or_the_other(0, False)
    _, old = main.draws.noise_and_old_key(jax.random.key(0), (2,))
    assert (jax.random.key_data(old) == jax.random.key_data(jax.random.key(0))).all()
    assert (main.stale(0) == main.stale(0)).all()
    assert jnp.all(main.from_a_stuck_one(0) == 0)
