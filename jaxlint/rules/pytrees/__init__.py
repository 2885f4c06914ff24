"""Rules of the pytrees family."""
