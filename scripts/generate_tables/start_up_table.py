"""start_up.tsv: until when JAX looks at a variable of the environment, or at an option of its configuration.

Each is measured in processes of their own: which variables JAX reads while it is imported and while its backend starts,
and which options it reads then and never again, or refuses to change. What only XLA reads, in C++, is tried.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator

HEADER = ("name", "kind", "last_read", "raises")

#: Notes who reads what, and when; the workload behind the start of the backend has all that a program does.
_READS = """
import collections, json, os
phase, variables, options = "import", collections.defaultdict(set), collections.defaultdict(set)
environment, get = type(os.environ), type(os.environ).__getitem__
environment.__getitem__ = lambda self, name: (variables[name].add(phase), get(self, name))[1]

import jax
import jax.numpy as jnp
from jax._src import config
from jaxlib import xla_client

def noting(descriptor, name_of):
    def read(self):
        options[name_of(self)].add(phase)
        return descriptor.__get__(self)
    return property(read, descriptor.__set__) if hasattr(descriptor, "__set__") else property(read)

config.Flag.value = noting(config.Flag.value, lambda flag: flag._name)
config.State.value = noting(config.State.__mro__[1].value, lambda state: state.name)

phase = "backend"
jax.devices()
xla_client.generate_pjrt_gpu_plugin_options()  # what the plugin for CUDA asks for as the backend starts
phase = "work"
x = jax.random.normal(jax.random.key(0), (4, 4))
jax.jit(lambda x: jnp.sin(x) @ x)(x).block_until_ready()
jax.grad(lambda x: jnp.sum(x**2))(x), jax.vmap(jnp.sin)(x), jax.device_put(x), jax.pmap(jnp.sin)(x[:1])
jax.lax.scan(lambda c, y: (c + y, c), x[0], x), jax.make_mesh((1,), ("a",)), jax.local_devices(), str(x)
phase, refused = "end", {}
for name, holder in config.config._value_holders.items():
    old = holder.value
    if isinstance(old, (bool, int)):
        try:
            jax.config.update(name, not old if isinstance(old, bool) else old + 1)
            jax.config.update(name, old)
        except RuntimeError as error:
            refused[name] = type(error).__name__
        except TypeError:
            pass  # neither a number nor a flag
print(json.dumps([{k: sorted(v) for k, v in each.items()} for each in (variables, options)] + [refused]))
"""

#: Prints the number of devices, with a flag of XLA set at one of three times.
_FLAGS = """
import os, sys
def set_flags(now):
    if now == sys.argv[1]:
        os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
set_flags("start")
import jax
set_flags("import")
jax.devices()
set_flags("backend")
print(len(jax.devices()))
"""

#: Prints the dtypes of an array made before the option is set, and of one made after.
_WIDTH = """
import jax, jax.numpy as jnp
before = jnp.ones(1)
jax.config.update("jax_enable_x64", True)
print(before.dtype, jnp.ones(1).dtype)
"""

#: Prints what a call raises once the backend has started.
_DISTRIBUTED = """
import jax
jax.devices()
try:
    jax.distributed.initialize("localhost:12345", 1, 0)
except Exception as error:
    print(type(error).__name__)
"""


def rows() -> Iterator[tuple[str, ...]]:
    """One row for each name that JAX stops looking at."""
    variables, options, refused = json.loads(_run(_READS))
    for name, phases in variables.items():
        if name.startswith(("JAX_", "XLA_")) and "work" not in phases:
            yield name, "variable", "backend" if "backend" in phases else "import", ""
    assert [_run(_FLAGS, when) for when in ("start", "import", "backend")] == ["4", "4", "1"]
    yield "XLA_FLAGS", "variable", "backend", ""
    early = (name for name, phases in options.items() if "backend" in phases and not {"import", "work"} & {*phases})
    for name in sorted({*refused, *early}):
        yield name, "option", "backend", refused.get(name, "")
    assert _run(_WIDTH) == "float32 float64"
    yield "jax_enable_x64", "option", "arrays", ""
    yield "jax.distributed.initialize", "call", "backend", _run(_DISTRIBUTED)


def _run(program: str, *arguments: str) -> str:
    run = subprocess.run([sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True)
    return run.stdout.strip()
