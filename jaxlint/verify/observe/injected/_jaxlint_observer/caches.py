"""Functions with a cache of Python's, whose results are looked at when they go into it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from . import frames, twins

_Cached = type(functools.lru_cache(lambda: None))


def watched(cache: Any, tell: Callable[[Any], None]) -> Any:
    """A decorator that makes a cache, or a function that has one: its new results are told as they are computed."""
    if isinstance(cache, _Cached):
        return functools.lru_cache(**cache.cache_parameters())(_told(cache.__wrapped__, tell))
    if not callable(cache):
        return cache
    return functools.update_wrapper(lambda function: cache(_told(function, tell)), cache, updated=())


def _told(function: Any, tell: Callable[[Any], None]) -> Any:
    """`function`, whose results are told; nothing but a function can be replaced unnoticed."""
    if not callable(function):
        return function

    def compute(*args: Any, **kwargs: Any) -> Any:
        try:
            result = function(*args, **kwargs)
        except BaseException as error:
            frames.leave_out(error)
            raise
        tell(result)
        return result

    return functools.update_wrapper(twins.disguised(compute), function)
