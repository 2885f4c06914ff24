"""Functions by name."""

STEPS = {}


def register(name):
    def add(function):
        STEPS[name] = function
        return function

    return add


@register("double")
def double(x):
    return 2 * x if x > 0 else x  # expect: traced-branch


@register("half")
def half(x):
    return x / 2


TABLE = {"double": double, "half": half}
PAIR = (half, lambda x: bool(x))  # expect: concretization
