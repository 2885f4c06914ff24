"""A model, and how it is trained."""
