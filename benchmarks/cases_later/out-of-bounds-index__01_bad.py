"""after general knowledge; slug: out-of-bounds-index"""
import jax
import jax.numpy as jnp

N_JOINTS = 7


def home_configuration():
    return jnp.zeros(N_JOINTS).at[3].set(-1.57)


def gripper_width(joints):
    return 0.08 * joints[7]  # expect: out-of-bounds-index


def reach_cost(target):
    joints = home_configuration()
    return (gripper_width(joints) - target) ** 2


def demonstrate():
    assert float(gripper_width(jnp.arange(7.0))) == float(0.08 * jnp.float32(6))
    reach_cost(0.0)
