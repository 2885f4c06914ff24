"""Observing: the user's command is run as it stands, with an observer in its Python processes."""
