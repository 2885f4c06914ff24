"""Gives older releases of JAX what its modules use, before they run."""

import dataclasses

import jax

if not hasattr(jax.tree, "static"):

    def _static(**options):
        return dataclasses.field(metadata={"static": True}, **options)

    jax.tree.static = _static
