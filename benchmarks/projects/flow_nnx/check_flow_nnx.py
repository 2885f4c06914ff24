"""paths, embeddings and solvers that a setting chooses; a key for times and noise; a trainer that keeps and donates"""
import jax
import jax.numpy as jnp
from flax import nnx

from flow import Config, data, loss, net, paths, sample, solvers, train
from flow.config import ModelConfig

errors = jax.errors


def raises(error, call, *given, **named):
    try:
        call(*given, **named)
    except error:
        return True
    return False


def demonstrate():
    key = jax.random.key(0)
    points = data.moons(key, 32)
    epochs = data.FreshEpochs(points, 8, key)

    def fit(seed=1, **model):
        trainer = train.Trainer(Config(path=model.pop("path", "linear"), model=ModelConfig(**model)))
        trainer.fit(epochs.batches(1), jax.random.key(seed))
        return trainer

    # the rest runs
    trainer = fit()
    assert len(trainer.history["loss"]) == 4 and net.parameters(trainer.model) > 100
    fit(path="trigonometric"), fit(embedding="device")
    model = trainer.trained()
    for name in ("euler", "heun"):
        assert sample.Sampler(model, name, {"steps": 4}).many(key, 3).shape == (3, 2) and solvers.SOLVERS[name].order
    # embed.py, net.py, paths.py
    assert raises(errors.TracerArrayConversionError, fit, embedding="table")
    assert raises(errors.TracerBoolConversionError, fit, gated=True)
    assert raises(errors.TracerBoolConversionError, fit, path="held")
    assert raises(errors.TracerIntegerConversionError, fit, path="power")
    # loss.py: times and noise from one key
    seen, matching = [], loss.matching
    loss.matching = lambda model, path, t, noise, data: (seen.append((t, noise)), matching(model, path, t, noise, data))[1]
    for each, same in ((loss.loss, True), (loss.loss_split, False)):
        each(model, paths.make("linear"), jax.random.key(3), points)
        t, noise = seen.pop()
        assert (t == loss.sample_times(jax.random.key(3), 32)).all() == same
        assert (noise == jax.random.normal(jax.random.key(3), points.shape)).all() == same
    loss.matching = matching
    # solvers.py
    of = lambda name, **options: sample.Sampler(model, name, options)
    assert raises(errors.TracerIntegerConversionError, of("counted").many, key, 2)
    assert raises(errors.TracerBoolConversionError, of("adaptive").many, key, 2)
    assert (of("recorded").many(key, 2) == 0).all()
    # sample.py: one start for all strengths
    drawn, normal = [], jax.random.normal
    jax.random.normal = lambda key, *given: (drawn.append(key), normal(key, *given))[1]
    of("euler").guided(key, jnp.arange(3.0)), of("euler").guided_split(key, jnp.arange(3.0))
    jax.random.normal = normal
    assert "batch" not in str(type(drawn[0])).lower() and "batch" in str(type(drawn[1])).lower(), [type(k) for k in drawn]
    # train.py: norms are tracers; a donated tree is read
    assert raises(errors.UnexpectedTracerError, jnp.add, trainer.history["norm"][0], 1)
    assert raises((RuntimeError, ValueError), trainer.fit_averaged, epochs.batches(1), key)
    train.Trainer(Config()).fit_averaged_after(epochs.batches(1), key)
    # data.py: every epoch in one order
    for kind, same in ((data.Epochs, True), (data.FreshEpochs, False)):
        batches = list(kind(points, 32, key).batches(2))
        assert (batches[0] == batches[1]).all() == same
    assert isinstance(model, nnx.Module)
