"""Another one: `normal` of this module draws nothing."""


def normal(key):
    return hash(str(key)) % 7
