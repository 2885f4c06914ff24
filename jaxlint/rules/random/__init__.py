"""Rules of the random family."""
