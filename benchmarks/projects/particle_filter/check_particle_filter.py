"""branches and masks in models that a registry holds; a filter's own key; lines of ancestors; chains of parameters"""
import contextlib
import io

import jax
import jax.numpy as jnp

from pf import FilterConfig, build, config, diagnostics, filters, pmmh, resampling, smoother
from pf.cli import main

errors = jax.errors


def raises(error, call, *given, **named):
    try:
        call(*given, **named)
    except error:
        return True
    return False


def said(call, *given):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        call(*given)
        jax.effects_barrier()
    return out.getvalue()


def demonstrate():
    key = jax.random.key(0)
    # the rest runs
    for arguments in ([], ["--filter", "guided"], ["--model", "masked", "--resampling", "stratified"], ["--resampling", "residual_padded"]):
        kernel, observations, final, info = main(arguments)
        assert info.mean.shape[0] == 20
    # models.py: a branch on a particle, a mask
    assert raises(errors.TracerBoolConversionError, main, ["--model", "volatility"])
    assert raises(errors.NonConcreteBooleanIndexError, main, ["--model", "missing"])
    # resampling.py
    assert raises(errors.ConcretizationTypeError, main, ["--resampling", "residual"])
    # filters.py: what is kept is a tracer; a branch on the effective size; one key for moves and choices
    assert raises(errors.UnexpectedTracerError, jnp.add, kernel.evidence[0], 1)
    assert raises(errors.TracerBoolConversionError, main, ["--adaptive"])
    main(["--filter", "auxiliary"])
    uniform, drawn = jax.random.uniform, []
    jax.random.uniform = lambda key, *given, **named: (drawn.append(key), uniform(key, *given, **named))[1]
    split, parents = jax.random.split, []
    jax.random.split = lambda key, *given: (parents.append(key), split(key, *given))[1]
    model = build("linear")
    for kind, same in ((filters.AuxiliaryFilter, True), (filters.GuidedFilter, False)):
        drawn.clear(), parents.clear()
        kernel = kind(model, FilterConfig())
        kernel.step(kernel.init(jax.random.key(1)), (jax.random.key(2), jnp.ones(1)))
        keys = [tuple(jax.random.key_data(k).tolist()) for k in parents]
        assert (tuple(jax.random.key_data(drawn[0]).tolist()) in keys) == same
    jax.random.uniform, jax.random.split = uniform, split
    # smoother.py
    assert raises(TypeError, smoother.trace_back, info.ancestors, 0)
    same = smoother.draw_lines(key, info, final.log_weights, 4)
    assert (same == same[0]).all() and not (smoother.draw_lines_split(key, info, final.log_weights, 4) == same[0]).all()
    # pmmh.py: uniform draws from a key that was split; compiled in each pass
    small, theta = FilterConfig(particles=8), jnp.array([0.5])
    chain, traces = pmmh.Chain(small), []
    chain.step(key, theta, -jnp.inf, observations)
    evidence = pmmh.Chain.evidence
    pmmh.Chain.evidence = lambda self, *given: (traces.append(1), evidence(self, *given))[1]
    assert chain.run(key, theta, observations, 3).shape == (3, 1) and len(traces) == 3
    traces.clear()
    pmmh.Chain(small).run_once(key, theta, observations, 3)
    assert len(traces) <= 2
    pmmh.Chain.evidence = evidence
    # diagnostics.py
    assert "Tracer" in said(main, ["--tell", "now"]) and "Tracer" not in said(main, ["--tell", "later"])
    kernel = filters.GuidedFilter(model, FilterConfig())
    assert diagnostics.seconds(kernel, key, observations) > 0 and diagnostics.seconds_done(kernel, key, observations) > 0
    assert config.RunConfig().filter.particles == 64 and resampling.effective_size(jnp.zeros(4)) == 4
