"""Rules of the effects family."""
