"""pairs counted, schedules and tables read while tracing; a donated state; rounds that start alike"""
import os

import jax
import jax.numpy as jnp
import numpy as np

from field import ModelConfig, TrainConfig, cli, data, elements, evaluate, graph, main, model, optim, train

errors = jax.errors


def raises(error, call, *given, **named):
    try:
        call(*given, **named)
    except error:
        return True
    return False


def demonstrate():
    config, key = ModelConfig(), jax.random.key(0)
    # the rest runs
    state, average, log, error = main(["--save", "weights.npz", "--compute", "bfloat16"])
    assert np.isfinite(error) and log.best is not None and int(state.adam.step) == 12
    loaded = evaluate.load("weights.npz", state.params)
    assert all((a == b).all() for a, b in zip(jax.tree.leaves(loaded), jax.tree.leaves(state.params)))
    os.remove("weights.npz")
    assert len(cli.show_rates(TrainConfig(schedule="piecewise"))) == 12
    params, loader = state.params, data.Loader(data.synthetic(4), 2)
    molecule = data.to_device(next(data.synthetic(1)))
    positions, numbers = molecule["positions"], molecule["numbers"]
    built = graph.build(positions, numbers, config.cutoff)
    assert len(graph.host_pairs(np.asarray(positions), config.cutoff)[0]) == built.edges
    assert model.sized_forces(params, positions, numbers, config, built.edges).shape == positions.shape
    by_segments = ModelConfig(by_scatter=False)
    assert jnp.allclose(model.energy(params, built, config), model.energy(params, built, by_segments), rtol=1e-3)
    assert elements.formula(numbers) and elements.bond_lengths(np.array([1]), np.array([6])) > 1
    # graph.py: the pairs cannot be counted while tracing
    assert raises(errors.ConcretizationTypeError, model.forces, params, positions, numbers, config)
    # elements.py: a table of NumPy and a traced index
    bonded = jax.jit(lambda g: model.energy(params, g, ModelConfig(bonded=True)))
    assert raises(errors.TracerArrayConversionError, bonded, built)
    # model.py: the number of atoms is a leaf of the graph; what is added is lost; rounds start alike
    assert raises((errors.ConcretizationTypeError, TypeError), jax.jit(lambda g: model.energy(params, g, by_segments)), built)
    pairs = jnp.ones((built.edges, 3))
    expected = jnp.zeros_like(positions).at[built.senders].add(-pairs)
    assert (model.total_force(pairs, built) == expected).all()
    for init, same in ((model.init, True), (model.init_split, False)):
        first, second = init(key, config)["rounds"]
        assert (first["message"][0]["w"] == second["message"][0]["w"]).all() == same
    # data.py
    assert raises(TypeError, lambda: list(data.centred(loader)))
    # optim.py: a branch on the step; the average keeps a tracer
    fresh = lambda: train.create(key, config)
    batches = list(data.prefetch(loader))
    piecewise = train.make_step(config, TrainConfig(schedule="piecewise"))
    assert raises(errors.TracerBoolConversionError, piecewise, fresh(), batches[0])
    kept = optim.Average(0.9)
    kept.update(fresh().params)
    train.make_step(config, TrainConfig(), kept)(fresh(), batches[0])
    assert raises(errors.UnexpectedTracerError, jnp.add, jax.tree.leaves(kept.shadow)[0], 1)
    # train.py: a donated state is read
    step = train.make_step(config, TrainConfig())
    assert raises((RuntimeError, ValueError), train.fit_logged, fresh(), batches, step, evaluate.Log())
    copied = evaluate.Log()
    train.fit_copied(fresh(), batches, step, copied)
    assert len(copied.lines) == len(batches)
    # evaluate.py: traced for each batch
    traces, loss = [], train.loss
    train.loss = lambda *given, **named: (traces.append(1), loss(*given, **named))[1]
    evaluate.evaluate(params, batches, config)
    assert len(traces) == len(batches) == 2
    traces.clear()
    evaluate.scorer.cache_clear()
    evaluate.evaluate_cached(params, batches, config)
    assert len(traces) == 1
    train.loss = loss
