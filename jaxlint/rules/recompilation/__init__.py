"""Rules of the recompilation family."""
