"""What the tables say to check leaves does refuse a string, given or returned; measured on the installed libraries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

jax = pytest.importorskip("jax")

import jax.numpy as jnp  # noqa: E402

from jaxlint.jaxapi import Api  # noqa: E402

from .probes import resolve  # noqa: E402

pytestmark = [pytest.mark.jax, pytest.mark.filterwarnings("ignore")]

API = Api.load(jax.__version__)
Call = Callable[[Any, Any], Any]
_X: Final = jnp.ones(3)

#: How each kind of transform is called with a function and an argument for it.
_FORMS: Final[dict[str, Call]] = {
    "vjp": lambda transform, f: lambda x: transform(f, x),
    "linearize": lambda transform, f: lambda x: transform(f, x),
    "eval_shape": lambda transform, f: lambda x: transform(f, x),
    "jvp": lambda transform, f: lambda x: transform(f, (x,), (x,)),
    "scan": lambda transform, f: lambda x: transform(lambda c, _: (f(c), None), x, None, length=2),
    "fori_loop": lambda transform, f: lambda x: transform(0, 2, lambda _, c: f(c), x),
    "while_loop": lambda transform, f: lambda x: transform(lambda _: False, f, x),
    "cond": lambda transform, f: lambda x: transform(True, f, f, x),
    "switch": lambda transform, f: lambda x: transform(0, [f, f], x),
    "map": lambda transform, f: lambda x: transform(f, x),
    "pmap": lambda transform, f: lambda x: transform(f)(x if isinstance(x, str) else x[:1]),
}


def _called(name: str, function: Any) -> Any:
    transform = resolve(name)
    form = _FORMS.get(name.rpartition(".")[2])
    return transform(function) if form is None else form(transform, function)


def _names() -> list[str]:
    return sorted({name for name in API.names() if name.startswith("jax.") and API.has(name, "checks-leaves")})


@pytest.mark.parametrize("name", _names())
def test_a_string_is_refused(name: str) -> None:
    with pytest.raises((TypeError, ValueError)):  # `pmap` looks for the length of an axis first
        _called(name, lambda x: x)("text")
    with pytest.raises(TypeError):
        _called(name, lambda _: "text")(_X)
