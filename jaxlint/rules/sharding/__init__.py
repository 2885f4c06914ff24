"""Rules of the sharding family."""
