"""What runs in the user's interpreter: depends on the standard library and the user's JAX alone, and on nothing of jaxlint."""
