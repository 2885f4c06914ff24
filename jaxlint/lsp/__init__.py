"""The language server: what editors ask, answered by the same engine as the command line."""
