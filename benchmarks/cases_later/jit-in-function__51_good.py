"""a predictor that compiles a partial at each request; slug: jit-in-function"""
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Dense(2)
params = model.init(jax.random.key(0), jnp.ones((1, 3)))


def forward(params, x, temperature):
    return jax.nn.softmax(model.apply(params, x) / temperature)


predict = jax.jit(partial(forward, params, temperature=0.7))


def respond(x):
    return predict(x)


def serve(requests):
    answers = []
    for request in requests:
        answers.append(respond(request))
    return answers


def main():
    return serve([jnp.ones((1, 3)) * i for i in range(10)])


def demonstrate():
    import jax._src.test_util as tu

    main()
    with tu.count_jit_compilation_cache_miss() as misses:
        main()
    assert misses() <= 4, misses()
