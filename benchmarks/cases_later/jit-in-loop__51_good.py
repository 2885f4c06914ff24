"""an evaluation that compiles a lambda for each batch; slug: jit-in-loop"""
import flax.linen as nn
import jax
import jax.numpy as jnp

model = nn.Dense(3)


def accuracy(logits, labels):
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


def evaluate(params, batches):
    scores = []
    predict = jax.jit(lambda inputs: model.apply(params, inputs))
    for x, y in batches:
        scores.append(accuracy(predict(x), y))
    return jnp.stack(scores).mean()


def main():
    batches = [(jnp.ones((4, 2)) * i, jnp.zeros(4)) for i in range(12)]
    params = model.init(jax.random.key(0), batches[0][0])
    return evaluate(params, batches)


def demonstrate():
    import jax._src.test_util as tu

    main()
    with tu.count_jit_compilation_cache_miss() as misses:
        main()
    assert misses() <= 6, misses()
