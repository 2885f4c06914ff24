"""REINFORCE update for a softmax policy, with diagnostics."""

import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.5)


def policy_loss(logits, actions, advantages):
    log_probs = jax.nn.log_softmax(logits)
    chosen = log_probs[actions]
    entropy = -jnp.sum(jnp.exp(log_probs) * log_probs)
    return -jnp.mean(chosen * advantages), entropy


@jax.jit
def update(logits, opt_state, actions, advantages):
    value_and_grad = jax.value_and_grad(policy_loss, has_aux=True)
    (loss, entropy), grads = value_and_grad(logits, actions, advantages)
    updates, opt_state = optimizer.update(grads, opt_state, logits)
    logits = optax.apply_updates(logits, updates)
    return logits, opt_state, {"loss": loss, "entropy": entropy}


class Learner:
    def __init__(self, n_actions):
        self.logits = jnp.zeros(n_actions)
        self.opt_state = optimizer.init(self.logits)

    def learn(self, actions, advantages):
        self.logits, self.opt_state, diagnostics = update(
            self.logits, self.opt_state, actions, advantages
        )
        return "loss {:.3f} entropy {:.3f}".format(
            float(diagnostics["loss"]), float(diagnostics["entropy"])
        )


def main():
    learner = Learner(n_actions=4)
    actions = jnp.array([0, 1, 2, 3, 2, 2])
    line = learner.learn(actions, jnp.array([-1.0, 0.5, 2.0, -0.5, 1.0, 3.0]))
    print(line)
    assert jnp.argmax(learner.logits) == 2
    assert line.endswith("entropy 1.386")


if __name__ == "__main__":
    main()
