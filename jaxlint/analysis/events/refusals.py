"""Events that stand for an immediate error, for which a `try` around the operation may be meant."""

from __future__ import annotations

from jaxlint.analysis.events import arrays, contracts, frameworks, kernels, optimizers, pytrees, sharding, tracing

REFUSALS = frozenset(
    {
        arrays.SequenceArgument, arrays.PatternMismatch, tracing.Dimension, kernels.UnreadReference,
        kernels.KernelResult, pytrees.InvalidLeaf, pytrees.UnsortableKeys, pytrees.TreeMismatch,
        contracts.ValueAsFunction, contracts.Differentiation, contracts.DifferentiatedArgument,
        contracts.MissingArgument, contracts.BodyContract, contracts.CarryType, contracts.AxesMismatch,
        contracts.UnboundAxis, contracts.ReverseThroughLoop, contracts.DerivativeRules, optimizers.UpdateWithoutParams,
        frameworks.MissingKey, frameworks.MissingStream, frameworks.ImmutableCollection, frameworks.UnwrappedCollection,
        sharding.UnknownAxis, sharding.SpecMismatch, sharding.UnevenSplit, sharding.DeviceGrid,
    }
)  # fmt: skip
