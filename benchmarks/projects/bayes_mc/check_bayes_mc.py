"""densities and particles that fail once traced; noise and a step size that are baked in; keys shared by draws"""
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
from jax.errors import KeyReuseError

from mcmc import RunConfig, anneal, main, sample
from mcmc import adapt, callbacks, densities, kernels, models, report, run, sampler, smc, tree

errors = jax.errors


def raises(error, call, *given, **named):
    try:
        call(*given, **named)
    except error:
        return True
    return False


def clean():
    _, table = main({})
    assert set(table) == {"rhat", "size", "intervals"}
    config = RunConfig()
    for kind in (sampler.SteppedSampler, sampler.ScannedSampler):
        _, draws = sample(config, kind)
        assert draws["theta"].shape == (config.draws, config.chains, 8) and np.isfinite(draws["mu"]).all()
    trace = callbacks.HostTrace()
    sample(config, observers=[trace])
    jax.effects_barrier()
    assert len(trace.sizes) == config.warmup
    flat, _ = report.flatten(draws)
    model = models.build("eight_schools")
    for replicate in (report.replicate_each, report.replicate_folded):
        assert replicate(model, jax.random.key(1), flat).shape == (config.draws * config.chains, 8)
    assert np.isfinite(jax.jit(lambda p: models.integrated(model, p))(tree.take(flat, 0)))
    assert np.allclose(adapt.variance(flat["theta"]), flat["theta"].var(axis=0, ddof=1), rtol=1e-3)
    assert report.family_tree([jnp.array([0, 0, 1])])
    assert np.isfinite(models.build("robust").log_likelihood({"slope": jnp.ones(()), "offset": jnp.ones(())}))
    cooled, _ = sample(config, callbacks=[callbacks.Cooling(floor=2.0)])
    assert cooled.step_size < 1e-6


def demonstrate():
    clean()
    # densities.py: the guard of a density branches on it
    assert raises(errors.TracerBoolConversionError, sample, RunConfig(model="robust"))
    # densities.py: the basis of the first trace is a tracer of it in the second
    ranking = models.build("ranking")
    params = ranking.init(jax.random.key(0))
    jax.jit(ranking.log_likelihood)(params)
    assert raises(errors.UnexpectedTracerError, jax.jit(ranking.strengths), params)
    densities.sum_to_zero.cache_clear()
    # kernels.py: the jitter is that of the trace
    kernel = run.kernel_of(RunConfig(integrator="jittered"))
    state, step = kernel.init(kernel.model.init(jax.random.key(0))), jax.jit(kernel.step)
    ends = [f(jax.random.key(1), state, 0.01)[0].position["mu"] for f in (step, step, kernel.step, kernel.step)]
    assert ends[0] == ends[1] and ends[2] != ends[3]
    # callbacks.py: one tracer for all steps
    trace = callbacks.Trace()
    sample(RunConfig(), observers=[trace])
    assert 0 < len(trace.sizes) < RunConfig().warmup and raises(errors.UnexpectedTracerError, jnp.add, trace.sizes[0], 1)
    # sampler.py: the step size of the first call
    kernel = run.kernel_of(RunConfig())
    states = sampler.start(kernel, jax.random.key(0), 3)
    keys = jax.random.split(jax.random.key(1), 3)
    for kind, stale in ((sampler.Sampler, True), (sampler.SteppedSampler, False)):
        chains = kind(kernel, 0.1)
        before, info = chains.advance(keys, states)
        callbacks.Cooling(floor=2.0)(chains, info)
        after, _ = chains.advance(keys, states)
        assert (before.value == after.value).all() == stale
    # smc.py: noise from the number that chose the ancestors; a program for each temperature; a size that depends on values
    config = dataclasses.replace(RunConfig().smc, roughening=0.01)
    kernels.mutate.clear_cache()
    method, positions, shares = anneal(RunConfig(smc=config))
    assert len(shares) > 2 and kernels.mutate._cache_size() == len(set(method.temperatures)) == len(shares)
    with jax.debug_key_reuse(True):
        given = positions, jnp.zeros(config.particles), 1.0
        assert raises(KeyReuseError, method.select, jax.random.key(3), *given)
        method.config = RunConfig().smc
        method.select(jax.random.key(3), *given)
    tracked = dataclasses.replace(RunConfig().smc, track_diversity=True)
    assert raises(errors.ConcretizationTypeError, anneal, RunConfig(smc=tracked))
    # report.py: a list for a static parameter; one noise for all draws
    draws = {"mu": jnp.arange(6.0), "log_tau": jnp.zeros(6), "theta": jnp.zeros((6, 8))}
    assert raises((ValueError, TypeError), report.bands, draws, RunConfig())
    model = models.build("eight_schools")
    for replicate, same in ((report.replicate, True), (report.replicate_each, False), (report.replicate_folded, False)):
        noise = replicate(model, jax.random.key(0), draws) - draws["mu"][:, None]
        assert np.allclose(noise[0], noise[1], atol=1e-5) == same
