from shop.cycle_a import even, positive


def odd(x):
    if positive(x):  # expect: traced-branch
        return even(None)
    return x
