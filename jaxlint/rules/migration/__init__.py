"""Rules of the migration family."""
