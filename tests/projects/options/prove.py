"""Run on JAX: the keys are the same where the option is given."""

import evaluation
import jax
import mapped
import programs
import training


def same(keys):
    return keys


def prove():
    key = jax.random.key(0)
    assert programs.run(key)[1] is None
    assert all(extra is not None for _, extra in (*programs.run_given(key), mapped.run(key)))
    split = (training.given, training.given_by_position, training.clean_for_others, evaluation.given_by_a_mapping)
    for function in split:
        keys, extra = function(key, 2, same)
        assert (keys == extra).all()
