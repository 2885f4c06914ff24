"""Rules of the tracing family."""
