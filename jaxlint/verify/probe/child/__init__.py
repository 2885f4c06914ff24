"""What runs in the user's interpreter: it knows the standard library and the user's JAX, and nothing of jaxlint."""
