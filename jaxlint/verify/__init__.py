"""The dynamic verifier: runs the user's own program, or single functions of it, on the user's own JAX."""
