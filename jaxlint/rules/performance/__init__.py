"""Rules of the performance family."""
