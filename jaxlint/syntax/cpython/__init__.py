"""The front end on CPython's own parser: the same intermediate representation and spans as libcst's, in less time.

It takes what it knows and leaves every other file to libcst, which is the reference.
"""
