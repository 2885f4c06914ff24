def even(x):
    from shop.cycle_b import odd

    return x if x is None else odd(x)


def positive(x):
    return x > 0
