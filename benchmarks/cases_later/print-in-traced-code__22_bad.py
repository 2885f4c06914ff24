"""after print of activations in a linen module; slug: print-in-traced-code"""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    width: int
    debug: bool = False

    @nn.compact
    def __call__(self, x):
        h = nn.relu(nn.Dense(self.width)(x))
        if self.debug:
            print("mean activation:", h.mean())  # expect: print-in-traced-code
        return h


def run(batches):
    block = Block(4, debug=True)
    params = block.init(jax.random.key(0), batches[0])
    forward = jax.jit(block.apply)
    return [forward(params, b) for b in batches]


def demonstrate():
    import contextlib, io
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run([jnp.ones((1, 3))] * 3)
        jax.effects_barrier()
    n = out.getvalue().count("mean")
    assert n == 2
