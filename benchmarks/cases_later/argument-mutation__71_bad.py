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
def update(logits, opt_state, actions, advantages, diagnostics):
    value_and_grad = jax.value_and_grad(policy_loss, has_aux=True)
    (loss, entropy), grads = value_and_grad(logits, actions, advantages)
    diagnostics.update(loss=loss, entropy=entropy)  # expect: argument-mutation
    updates, opt_state = optimizer.update(grads, opt_state, logits)
    return optax.apply_updates(logits, updates), opt_state


class Learner:
    def __init__(self, n_actions):
        self.logits = jnp.zeros(n_actions)
        self.opt_state = optimizer.init(self.logits)

    def learn(self, actions, advantages):
        diagnostics = {"loss": 0.0, "entropy": 0.0}
        self.logits, self.opt_state = update(
            self.logits, self.opt_state, actions, advantages, diagnostics
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
    assert line == "loss 0.000 entropy 0.000"


if __name__ == "__main__":
    main()
