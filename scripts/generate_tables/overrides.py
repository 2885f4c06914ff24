"""What no call can tell: results that follow their arguments, names that moved, functions that take functions."""

from __future__ import annotations


def _each(term: str, names: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), term)


_INITIALIZERS = [
    "delta_orthogonal",
    "glorot_normal",
    "glorot_uniform",
    "he_normal",
    "he_uniform",
    "kaiming_normal",
    "kaiming_uniform",
    "lecun_normal",
    "lecun_uniform",
    "normal",
    "orthogonal",
    "truncated_normal",
    "uniform",
    "variance_scaling",
    "xavier_normal",
    "xavier_uniform",
    "constant",
]

#: `returns` where one call cannot show the rule.
RETURNS: dict[str, str] = {
    **_each("same(x)", "jax.device_put jax.block_until_ready jax.lax.stop_gradient jax.copy_to_host_async"),
    "jax.lax.stop_gradient": "same(x)",
    "jax.lax.optimization_barrier": "same(operand)",
    "jax.device_get": "host",
    "jax.numpy.gradient": "unknown",  # an array for one axis, a list of arrays for several
    "flax.linen.ones_init": "named(jax.nn.initializers.ones)",
    **_each("named(jax.nn.initializers.zeros)", "flax.linen.zeros_init jax.nn.initializers.constant"),
    **_each("static", "jax.numpy.shape jax.numpy.ndim jax.numpy.size jax.numpy.iscomplexobj jax.numpy.isrealobj"),
    **_each(
        "static", "jax.numpy.isscalar jax.numpy.iterable jax.numpy.broadcast_shapes jax.numpy.finfo jax.numpy.iinfo"
    ),
    **_each("static", "jax.typeof jax.devices jax.local_devices jax.make_mesh jax.tree.structure jax.eval_shape"),
    **_each("static", "jax.numpy.get_printoptions jax.numpy.einsum_path jax.tree_util.treedef_children"),
    **_each(
        "static", "jax.process_indices jax.tree_util.treedef_tuple jax.random.default_prng_impl jax.random.key_impl"
    ),
    **_each("dtype", "jax.numpy.dtype jax.numpy.result_type jax.numpy.promote_types jax.dtypes.canonicalize_dtype"),
    **_each("dtype", "jax.dtypes.result_type jax.dtypes.scalar_type_of jax.random.key_dtype"),
    "jax.random.clone": "same(key)",
    "jax.random.PRNGKey": "key",
    "jax.random.split": "keys",
    "jax.random.wrap_key_data": "key",
    "jax.tree.map": "map(f)",
    "jax.tree.map_with_path": "map(f)",
    "jax.tree.leaves": "leaves(tree)",
    "jax.tree.flatten": "tuple(leaves(tree),static)",
    "jax.tree.leaves_with_path": "unknown",
    "jax.tree.flatten_with_path": "unknown",
    "jax.tree.unflatten": "tree",
    "jax.tree.transpose": "tree",
    "jax.tree.all": "static",
    "jax.tree_util.tree_all": "static",
    "jax.tree_util.Partial": "function",
    "jax.flatten_util.ravel_pytree": "tuple(array,unraveled(pytree))",
    **{
        f"optax.tree_utils.tree_{name}": "tree"
        for name in (
            "add",
            "add_scale",
            "batch_shape",
            "cast",
            "cast_like",
            "clip",
            "conj",
            "div",
            "full_like",
            "mul",
            "ones_like",
            "random_like",
            "real",
            "scale",
            "set",
            "sub",
            "unwrap_random_key_data",
            "where",
            "zeros_like",
        )
    },
    **{
        f"optax.projections.projection_{name}": "tree"
        for name in (
            "box",
            "hypercube",
            "l1_ball",
            "l1_sphere",
            "l2_ball",
            "l2_sphere",
            "linf_ball",
            "non_negative",
            "simplex",
        )
    },
    **_each("tree", "equinox.tree_inference flax.core.map_axis_meta flax.linen.unbox"),
    "optax.apply_updates": "same(params)",
    "optax.incremental_update": "same(new_tensors)",
    "optax.periodic_update": "same(new_tensors)",
    "flax.core.freeze": "frozen(xs)",
    "flax.core.unfreeze": "same(x)",
    "flax.core.copy": "tree",
    "flax.jax_utils.replicate": "same(tree)",
    "flax.jax_utils.unreplicate": "same(tree)",
    "equinox.apply_updates": "same(model)",
    "equinox.combine": "unknown",
    "equinox.filter": "unknown",
    "equinox.partition": "unknown",
    "equinox.tree_at": "unknown",
    "equinox.error_if": "same(x)",
    "equinox.tree_equal": "unknown",
    **_each("each(array)", "jax.numpy.atleast_1d jax.numpy.atleast_2d jax.numpy.atleast_3d"),
    "jax.numpy.load": "unknown",  # what NumPy gives for an archive of several arrays
    **_each("none", "jax.debug.print jax.debug.callback jax.debug.breakpoint"),
    **_each("array", "jax.lax.axis_index"),
    **_each("static", "jax.lax.axis_size"),
    **_each(
        "same(x)",
        "jax.lax.psum jax.lax.pmean jax.lax.pmax jax.lax.pmin jax.lax.ppermute jax.lax.pshuffle jax.lax.pcast",
    ),
    **_each("tree(x)", "jax.lax.psum_scatter jax.lax.all_gather jax.lax.all_to_all jax.lax.pswapaxes"),
    **_each("array", "jax.lax.pdot"),
    **_each(
        "array", "jax.lax.scatter jax.lax.scatter_add jax.lax.scatter_apply jax.lax.scatter_max jax.lax.scatter_min"
    ),
    **_each(
        "array", "jax.lax.scatter_mul jax.lax.scatter_sub jax.lax.ragged_dot jax.lax.ragged_dot_general jax.lax.tile"
    ),
    **_each("array", "jax.lax.conv_general_dilated_local jax.lax.conv_general_dilated_patches jax.lax.polygamma"),
    **_each("array", "jax.lax.conv_with_general_padding jax.lax.linalg.householder_product jax.numpy.unpackbits"),
    **_each("array", "jax.numpy.load jax.numpy.fromfile jax.numpy.fromiter jax.scipy.special.bessel_jn"),
    **_each("array", "jax.scipy.special.zeta jax.nn.scaled_dot_general"),
    **_each("none", "jax.numpy.save jax.numpy.savez jax.numpy.set_printoptions"),
    **_each("same(x)", "jax.lax.with_sharding_constraint jax.lax.pbroadcast"),
    **_each("static", "jax.lax.broadcast_shapes jax.lax.conv_dimension_numbers jax.lax.padtype_to_pads"),
    **_each("function", " ".join(f"jax.nn.initializers.{name}" for name in _INITIALIZERS)),
    **_each("array", "jax.make_array_from_callback jax.make_array_from_single_device_arrays"),
    **_each("array", "jax.make_array_from_process_local_data"),
    **_each("array", "jax.experimental.pallas.program_id jax.experimental.pallas.load"),
    **_each("static", "jax.experimental.pallas.num_programs jax.experimental.pallas.cdiv"),
}

#: Functions whose result depends on a function they are given, or that only make sense around one.
NOT_RUN: frozenset[str] = frozenset(
    ["jax.numpy.copyto", "jax.ensure_compile_time_eval", "jax.live_arrays", "jax.print_environment_info"]
)

#: Static parameters that the call probed does not show.
STATIC: dict[str, frozenset[str]] = {
    "jax.numpy.arange": frozenset({"start", "stop", "step"}),
    "jax.numpy.argmax": frozenset({"keepdims"}),
    "jax.numpy.argmin": frozenset({"keepdims"}),
    "jax.numpy.nanargmax": frozenset({"keepdims"}),
    "jax.numpy.nanargmin": frozenset({"keepdims"}),
    "jax.numpy.squeeze": frozenset({"axis"}),
    "jax.numpy.flip": frozenset({"axis"}),
    "jax.numpy.transpose": frozenset({"axes"}),
    "jax.numpy.where": frozenset({"size"}),
    "jax.random.gamma": frozenset({"shape"}),
    "jax.random.loggamma": frozenset({"shape"}),
    "jax.random.pareto": frozenset({"shape"}),
    "jax.random.poisson": frozenset({"shape"}),
    "jax.random.wald": frozenset({"shape"}),
    "jax.random.choice": frozenset({"axis"}),
    "jax.lax.reshape": frozenset({"dimensions"}),
    **{
        f"jax.lax.{name}": frozenset({"axis_name"})
        for name in [
            "psum",
            "pmean",
            "pmax",
            "pmin",
            "ppermute",
            "pshuffle",
            "psum_scatter",
            "all_gather",
            "all_to_all",
            "axis_index",
        ]
    },
}

#: Parameters that reject what the probe gives them but take a traced value of another kind: an array instead of a
#: number, a tuple of arrays and a flag; or do so where another argument says how.
NOT_STATIC: dict[str, frozenset[str]] = {
    # Without a size, these raise in any trace, whatever the fill value is; with one, it may be traced.
    **{
        f"jax.numpy.{name}": frozenset({"fill_value"})
        for name in ("argwhere", "extract", "flatnonzero", "nonzero", "setdiff1d", "setxor1d", "union1d", "unique")
    },
    "jax.random.choice": frozenset({"a"}),
    "jax.random.permutation": frozenset({"x"}),
    "jax.numpy.histogram": frozenset({"bins"}),
    "jax.numpy.histogram_bin_edges": frozenset({"bins"}),
    "jax.numpy.histogram2d": frozenset({"bins"}),
    "jax.numpy.histogramdd": frozenset({"bins"}),
    "jax.numpy.choose": frozenset({"a"}),
    "jax.numpy.compress": frozenset({"condition", "fill_value"}),
    "jax.numpy.delete": frozenset({"obj"}),
    "jax.numpy.einsum": frozenset({"subscripts"}),
    "jax.numpy.einsum_path": frozenset({"subscripts"}),
    "jax.scipy.linalg.cho_solve": frozenset({"c_and_lower"}),
    "jax.scipy.linalg.lu_solve": frozenset({"lu_and_piv"}),
    "jax.scipy.ndimage.map_coordinates": frozenset({"coordinates"}),
    **dict.fromkeys([f"jax.scipy.signal.{name}" for name in ("csd", "istft", "stft", "welch")], frozenset({"window"})),
    **dict.fromkeys(
        [f"jax.experimental.sparse.{name}_fromdense" for name in ("bcoo", "bcsr", "coo", "csr")], frozenset({"mat"})
    ),
}

#: Shapes and dtypes that the probe's arguments hide.
#: Types that make an array of just this dtype.
_EXACT = ("float16", "float32", "int8", "int16", "int32", "uint8", "uint16", "uint32", "complex64")

SHAPE: dict[str, str] = {
    **_each("", "jax.numpy.trim_zeros jax.random.permutation jax.numpy.atleast_1d jax.numpy.atleast_2d"),
    **_each("", "jax.numpy.atleast_3d jax.numpy.corrcoef jax.numpy.polyval jax.numpy.kron jax.lax.zeta"),
    **_each("", "jax.numpy.quantile jax.numpy.nanquantile jax.numpy.percentile jax.numpy.nanpercentile"),
    **_each("", "jax.numpy.trace jax.numpy.trapezoid optax.bias_correction optax.hinge_loss"),
    "jax.lax.bitcast_convert_type": "",  # an axis comes or goes where the dtypes differ in size
    "jax.numpy.array": "contents(object)",
    "jax.numpy.asarray": "contents(a)",
    **_each("transpose(a)", "jax.numpy.transpose jax.numpy.permute_dims"),
    "jax.numpy.matrix_transpose": "turn(x)",
    "jax.numpy.linalg.matrix_transpose": "turn(x)",
    "jax.numpy.linalg.pinv": "turn(a)",
    **_each("rank(a)", "jax.numpy.swapaxes jax.numpy.moveaxis jax.numpy.rollaxis jax.numpy.diff"),
    "jax.numpy.rot90": "rank(m)",
    "jax.numpy.flip": "like(m)",
    **_each("like(a,n)", "jax.numpy.fft.fft jax.numpy.fft.ifft"),
    **_each("like(a,s)", "jax.numpy.fft.fft2 jax.numpy.fft.ifft2 jax.numpy.fft.fftn jax.numpy.fft.ifftn"),
    **_each("like(x,n)", "jax.scipy.fft.dct jax.scipy.fft.idct"),
    **_each("like(x,include_initial)", "jax.numpy.cumulative_sum jax.numpy.cumulative_prod"),
    **_each("like(a,shape)", "jax.random.gamma jax.random.loggamma"),
    "jax.random.dirichlet": "like(alpha,shape)",
    "jax.random.multinomial": "like(p,shape)",
    "jax.random.pareto": "like(b,shape)",
    "jax.random.poisson": "like(lam,shape)",
    "jax.random.wald": "like(mean,shape)",
    **_each("rank(value)", "haiku.avg_pool haiku.max_pool"),
    "jax.lax.stack": "",
    **_each("along(a)", "jax.numpy.cumsum jax.numpy.cumprod jax.numpy.nancumsum jax.numpy.nancumprod"),
    **_each("sorted(a)", "jax.numpy.sort jax.numpy.argsort"),
    "jax.numpy.reshape": "reshape(a)",
    "jax.numpy.ravel": "flat(a)",
    "jax.numpy.repeat": "repeat(a)",
    "jax.numpy.expand_dims": "expand(a)",
    "jax.numpy.squeeze": "squeeze(a)",
    "jax.numpy.broadcast_to": "create(shape)",
    "jax.lax.reshape": "create(new_sizes)",
    "jax.lax.broadcast_in_dim": "create(shape)",
    "jax.lax.dynamic_slice": "create(slice_sizes)",
    "jax.lax.select": "like(on_true)",
    "jax.numpy.linalg.solve": "like(b)",
    "jax.numpy.arange": "range",
    "jax.numpy.linspace": "spaced",
    **_each("product", "jax.numpy.dot jax.numpy.matmul jax.numpy.linalg.matmul jax.lax.dot"),
    "jax.numpy.vdot": "scalar",
    "jax.numpy.outer": "matrix",
    "jax.numpy.linalg.outer": "matrix",
    **_each("indicators(x,num_classes)", "jax.nn.one_hot haiku.one_hot"),
    "jax.numpy.eye": "square(N,M)",
    "jax.numpy.tri": "square(N,M)",
    "jax.numpy.identity": "square(n)",
    **_each(
        "elementwise",
        "jax.numpy.add jax.numpy.subtract jax.numpy.multiply jax.numpy.maximum jax.numpy.minimum "
        "jax.numpy.bitwise_and jax.numpy.bitwise_or jax.numpy.bitwise_xor jax.numpy.logaddexp jax.numpy.logaddexp2 "
        "jax.numpy.negative jax.numpy.clip "
        "jax.lax.add jax.lax.sub jax.lax.mul jax.lax.div jax.lax.rem jax.lax.pow jax.lax.max jax.lax.min "
        "jax.lax.eq jax.lax.ne jax.lax.lt jax.lax.le jax.lax.gt jax.lax.ge jax.lax.atan2 "
        "jax.scipy.special.expn jax.scipy.special.poch jax.scipy.stats.pareto.ppf "
        "jax.scipy.stats.chi2.cdf jax.scipy.stats.chi2.logcdf jax.scipy.stats.chi2.logpdf jax.scipy.stats.chi2.pdf "
        "jax.scipy.stats.chi2.sf jax.scipy.stats.chi2.logsf "
        "jax.scipy.stats.poisson.cdf jax.scipy.stats.poisson.logpmf jax.scipy.stats.poisson.pmf "
        "jax.scipy.stats.t.logpdf jax.scipy.stats.t.pdf "
        "optax.l2_loss optax.squared_error optax.huber_loss optax.log_cosh",
    ),
    "optax.softmax_cross_entropy": "drop(logits,labels)",
    "optax.softmax_cross_entropy_with_integer_labels": "rows(logits,labels)",
    "optax.global_norm": "scalar",
}
DTYPE: dict[str, str] = {
    "jax.numpy.clip": "promote",
    **_each(
        "total",
        "jax.numpy.sum jax.numpy.prod jax.numpy.cumsum jax.numpy.cumprod jax.numpy.trace jax.numpy.linalg.trace "
        "jax.numpy.nansum jax.numpy.nanprod jax.numpy.nancumsum jax.numpy.nancumprod jax.numpy.cumulative_sum "
        "jax.numpy.cumulative_prod jax.numpy.floor_divide jax.numpy.fmod jax.numpy.mod jax.numpy.remainder "
        "jax.numpy.pow jax.numpy.power jax.numpy.square jax.nn.relu jax.nn.hard_tanh",
    ),
    **_each(
        "magnitude",
        "jax.numpy.abs jax.numpy.absolute jax.numpy.real jax.numpy.imag jax.lax.abs jax.lax.real jax.lax.imag",
    ),
    **_each(
        "promote",
        "jax.numpy.add jax.numpy.subtract jax.numpy.multiply jax.numpy.maximum jax.numpy.minimum jax.numpy.negative "
        "jax.numpy.bitwise_and jax.numpy.bitwise_or jax.numpy.bitwise_xor jax.lax.atan2",
    ),
    **_each("inexact", "jax.numpy.logaddexp jax.numpy.logaddexp2 optax.l2_loss optax.squared_error optax.huber_loss"),
    **_each("inexact", "optax.log_cosh optax.sigmoid_binary_cross_entropy optax.softmax_cross_entropy"),
    "jax.numpy.flip": "same(m)",
    "jax.lax.broadcast_like": "same(arr)",
    **{f"jax.numpy.{name}": name for name in _EXACT},
    **_each("", "jax.numpy.bitwise_count jax.numpy.packbits jax.numpy.uint jax.numpy.uint1 jax.numpy.uint2"),
    "jax.numpy.uint4": "",
    **_each("", "jax.numpy.float4_e2m1fn jax.numpy.float6_e2m3fn jax.numpy.float6_e3m2fn jax.numpy.float8_e3m4"),
    **_each("", "jax.numpy.float8_e4m3 jax.numpy.float8_e4m3b11fnuz jax.numpy.float8_e4m3fn"),
    **_each("", "jax.numpy.float8_e4m3fnuz jax.numpy.float8_e5m2 jax.numpy.float8_e5m2fnuz jax.numpy.float8_e8m0fnu"),
    "jax.numpy.bfloat16": "bfloat16",
    **_each("", "jax.scipy.linalg.block_diag jax.scipy.linalg.fiedler"),
    **_each("", "jax.scipy.fft.dctn jax.scipy.fft.idctn jax.numpy.take jax.numpy.piecewise"),
    **_each("", "jax.lax.select_n jax.numpy.from_dlpack"),
    "jax.lax.rng_uniform": "same(a)",
    "jax.numpy.fft.rfftn": "complex",
    "jax.numpy.fft.irfftn": "float",
    "jax.numpy.arange": "counted",
    "jax.numpy.astype": "param(dtype)",
    **_each("param(new_dtype)", "jax.lax.convert_element_type jax.lax.bitcast_convert_type"),
    "jax.numpy.array": "same(object)",
    "jax.numpy.full": "same(fill_value)",
    **_each("", "jax.random.permutation jax.random.choice jax.random.key jax.random.split"),
}

#: Data-dependent shapes that depend on the form of the call.
SIZE_WHEN: dict[str, tuple[str, str]] = {
    "jax.numpy.where": ("size", "args=1"),
    "jax.numpy.compress": ("size", "array=condition"),
    "jax.numpy.delete": ("assume_unique_indices", "traced=obj"),
}

_TREE = ["all", "flatten", "leaves", "map", "reduce", "structure", "transpose", "unflatten", "reduce_associative"]

#: Names that are other functions with the same meaning, or that older releases had.
ALIASES: dict[str, str] = {
    **{f"jax.tree_util.tree_{name}": f"jax.tree.{name}" for name in _TREE},
    **{f"jax.tree_{name}": f"jax.tree.{name}" for name in _TREE},
    "jax.tree_util.tree_map_with_path": "jax.tree.map_with_path",
    "jax.tree_util.tree_flatten_with_path": "jax.tree.flatten_with_path",
    "jax.tree_util.tree_leaves_with_path": "jax.tree.leaves_with_path",
    "jax.tree_util.tree_broadcast": "jax.tree.broadcast",
    "jax.tree_multimap": "jax.tree.map",
    "jax.tree_util.tree_multimap": "jax.tree.map",
    "jax.nn.normalize": "jax.nn.standardize",
    "jax.core.Tracer": "jax.core.Tracer",
    "jax.ops.index_update": "jax.ops.index_update",
    "jax.numpy.DeviceArray": "jax.Array",
    "jax.numpy.ndarray": "jax.Array",
    "jax.DeviceArray": "jax.Array",
    "jax.random.KeyArray": "jax.random.KeyArray",
    "jax.numpy.trapz": "jax.numpy.trapezoid",
    "jax.numpy.in1d": "jax.numpy.isin",
    "jax.numpy.row_stack": "jax.numpy.vstack",
    "jax.numpy.product": "jax.numpy.prod",
    "jax.numpy.cumproduct": "jax.numpy.cumprod",
    "jax.numpy.alltrue": "jax.numpy.all",
    "jax.numpy.sometrue": "jax.numpy.any",
    "jax.numpy.msort": "jax.numpy.sort",
    "jax.P": "jax.sharding.PartitionSpec",
    "jax.experimental.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.interpreters.pxla.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.maps.Mesh": "jax.sharding.Mesh",
    "jax.host_id": "jax.process_index",
    "jax.host_count": "jax.process_count",
    "jax.lax.tie_in": "jax.lax.tie_in",
    "jax.custom_transforms": "jax.custom_jvp",
    "numpy.typing.NDArray": "numpy.ndarray",
    "equinox.nn.inference_mode": "equinox.nn.inference_mode",
}
ALIASES = {alias: target for alias, target in ALIASES.items() if alias != target}

#: Modules under another name: everything below follows.
MODULE_ALIASES: dict[str, str] = {
    "jax.experimental.host_callback.callback": "jax.experimental.host_callback",
    "jax._src.numpy.lax_numpy": "jax.numpy",
    "jax.numpy.lax_numpy": "jax.numpy",
    "jax._src.random": "jax.random",
    "jax._src.lax.lax": "jax.lax",
    "jax._src.lax": "jax.lax",
    "jax.lax.lax": "jax.lax",
    "jax._src.tree_util": "jax.tree_util",
    "jax._src.tree": "jax.tree",
    "jax._src.nn.functions": "jax.nn",
    "jax._src.nn.initializers": "jax.nn.initializers",
    "jax._src.api": "jax",
    "jax.api": "jax",
    "jax.experimental.optimizers": "jax.example_libraries.optimizers",
    "jax.experimental.stax": "jax.example_libraries.stax",
    "jax.experimental.pallas.triton": "jax.experimental.pallas",
    "flax.nn": "flax.linen",
    "flax.experimental.nnx": "flax.nnx",
    "flax.linen.transforms": "flax.linen",
    "haiku.nets.": "haiku.nets",
    "hk": "haiku",
    "optax._src.loss": "optax.losses",
    "optimistix._root_find": "optimistix",
    "numpyro.infer.mcmc": "numpyro.infer",
    "typing_extensions": "typing",
    "jax.scipy.stats.distributions": "jax.scipy.stats",
}
MODULE_ALIASES.pop("haiku.nets.")
MODULE_ALIASES.pop("hk")
MODULE_ALIASES.pop("optimistix._root_find")
MODULE_ALIASES.pop("jax.experimental.host_callback.callback")
MODULE_ALIASES.pop("jax.scipy.stats.distributions")
