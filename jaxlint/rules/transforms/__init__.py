"""Rules of the transforms family."""
