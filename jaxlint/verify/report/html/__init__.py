"""The report of `verify` as one page: no script, nothing fetched, and every text from outside escaped."""
