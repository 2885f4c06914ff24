"""Rules of the arrays family."""
