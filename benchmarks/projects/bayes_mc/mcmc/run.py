"""From a config to draws."""
import jax

from . import kernels, models, report
from .adapt import Warmup
from .callbacks import Divergences, HostTrace
from .config import RunConfig
from .sampler import SteppedSampler, start
from .smc import SMC


def kernel_of(config: RunConfig):
    integrator = kernels.INTEGRATORS[config.integrator](config.leapfrog_steps)
    return kernels.HMC(models.build(config.model), integrator)


def sample(config: RunConfig, sampler_type=SteppedSampler, observers=None, callbacks=()):
    """Warm-up of one chain, then draws of all; (sampler, draws)."""
    kernel = kernel_of(config)
    k_start, k_one, k_warm, k_run = jax.random.split(jax.random.key(config.seed), 4)
    observers = [HostTrace()] if observers is None else observers
    one = kernel.init(kernel.model.init(k_one))
    _, step_size, _ = Warmup(kernel, config.adapt, observers).run(k_warm, one, config.warmup)
    sampler = sampler_type(kernel, float(step_size), [Divergences(), *callbacks])
    _, draws = sampler.run(k_run, start(kernel, k_start, config.chains), config.draws)
    return sampler, draws


def anneal(config: RunConfig):
    kernel = kernel_of(config)
    method = SMC(kernel.model, kernel, config.smc)
    positions, shares = method.run(jax.random.key(config.seed))
    return method, positions, shares


def main(given):
    config = RunConfig.from_dict(given)
    sampler, draws = sample(config)
    table = report.summary(draws, config)
    for name, value in table["rhat"].items():
        print(f"{name:10} {value}")
    return sampler, table
