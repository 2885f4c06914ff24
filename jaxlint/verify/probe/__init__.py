"""Probing: one function at a time is traced on abstract inputs, in a process of its own that the user's Python runs."""
