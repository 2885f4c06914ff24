"""Calls of the forms that rows of the table speak of, which no signature tells; a release has the form if this runs."""

from __future__ import annotations

from typing import Final

_QUANTILE: Final = "import jax; jax.numpy.{}(jax.numpy.ones(2), 0.5, interpolation='nearest')"
TRIALS: Final = {
    "flax.nnx.Optimizer(-wrt)": (
        "import optax; from flax import nnx; nnx.Optimizer(nnx.Linear(1, 1, rngs=nnx.Rngs(0)), optax.sgd(0.1))"
    ),
    "jax.experimental.pallas.BlockSpec(index_map, block_shape)": (
        "import jax, numpy; from jax.experimental import pallas as pl; a = numpy.ones(8, numpy.float32);"
        "pl.pallas_call(lambda x, o: o.__setitem__(..., x[...]), jax.ShapeDtypeStruct((8,), a.dtype), grid=(1,),"
        "in_specs=[pl.BlockSpec(lambda i: (i,), (8,))], interpret=True)(a)"
    ),
    "jax.checkpoint(concrete)": "import jax; jax.checkpoint(abs, concrete=True)",
    "jax.remat(concrete)": "import jax; jax.remat(abs, concrete=True)",
    "jax.pmap(global_arg_shapes)": "import jax; jax.pmap(abs, global_arg_shapes=(1,))",
    "jax.numpy.percentile(interpolation)": _QUANTILE.format("percentile"),
    "jax.numpy.nanpercentile(interpolation)": _QUANTILE.format("nanpercentile"),
    "jax.numpy.quantile(interpolation)": _QUANTILE.format("quantile"),
    "jax.numpy.nanquantile(interpolation)": _QUANTILE.format("nanquantile"),
    "jax.ffi.ffi_call(*)": (
        "import jax, numpy; a = numpy.ones(2, numpy.float32);"
        "jax.make_jaxpr(lambda x: jax.ffi.ffi_call('f', jax.ShapeDtypeStruct((2,), a.dtype), x))(a)"
    ),
    "jax.ffi.ffi_call(vectorized)": (
        "import jax, numpy; a = numpy.ones(2, numpy.float32);"
        "jax.make_jaxpr(lambda x: jax.ffi.ffi_call('f', jax.ShapeDtypeStruct((2,), a.dtype), x, vectorized=True))(a)"
    ),
    "jax.pure_callback(vectorized)": (
        "import jax, numpy; a = numpy.ones(2, numpy.float32);"
        "jax.pure_callback(lambda x: x, jax.ShapeDtypeStruct((2,), a.dtype), a, vectorized=True)"
    ),
    "jax.numpy.sort(kind)": "import jax; jax.numpy.sort(jax.numpy.ones(2), kind='stable')",
    "jax.numpy.argsort(kind)": "import jax; jax.numpy.argsort(jax.numpy.ones(2), kind='stable')",
    "jax.jit(fun)": "import jax; jax.jit(fun=abs)",
    "jax.jit(in_axis_resources)": "import jax; jax.jit(abs, in_axis_resources=None)",
    "jax.jit(out_axis_resources)": "import jax; jax.jit(abs, out_axis_resources=None)",
    "jax.numpy.clip(a)": "import jax; jax.numpy.clip(a=jax.numpy.ones(2))",
    "jax.numpy.clip(a_min)": "import jax; jax.numpy.clip(jax.numpy.ones(2), a_min=0)",
    "jax.numpy.clip(a_max)": "import jax; jax.numpy.clip(jax.numpy.ones(2), a_max=0)",
    "jax.numpy.reshape(newshape)": "import jax; jax.numpy.reshape(jax.numpy.ones(2), newshape=(2, 1))",
    "jax.numpy.where(condition)": "import jax; jax.numpy.where(condition=jax.numpy.ones(2), x=1, y=2)",
    "jax.numpy.where(x)": "import jax; jax.numpy.where(jax.numpy.ones(2), x=1, y=2)",
    "jax.numpy.where(y)": "import jax; jax.numpy.where(jax.numpy.ones(2), 1, y=2)",
}
