"""Curves over two logarithmic axes as an SVG picture, readable on light and dark ground."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Final

WIDTH: Final = 720
HEIGHT: Final = 420
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
COLOURS: Final = ("#d62728", "#ff7f0e", "#1f77b4", "#17a2b8", "#2ca02c", "#9467bd", "#8c564b", "#7f7f7f")

Points = Sequence[tuple[float, float]]


def svg(curves: Mapping[str, Points], x_title: str, y_title: str) -> str:
    """The picture; the legend stands in the order in which curves end, each in the colour of its place in `curves`."""
    ordered = sorted(curves.items(), key=lambda item: (-item[1][-1][1], item[0]))
    colours = {name: COLOURS[number % len(COLOURS)] for number, name in enumerate(curves)}
    xs = _decades([x for _, points in ordered for x, _ in points])
    ys = _decades([y for _, points in ordered for _, y in points])
    body = [*_grid(xs, ys), *_curves(ordered, colours, xs, ys), *_titles(x_title, y_title)]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
    return "\n".join([f'{head}font-size="12" fill="#777">', *body, "</svg>", ""])


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around values."""
    least, greatest = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return least, max(greatest, least + 1)


def _x(value: float, decades: tuple[int, int]) -> float:
    return LEFT + (math.log10(value) - decades[0]) / (decades[1] - decades[0]) * (WIDTH - LEFT - RIGHT)


def _y(value: float, decades: tuple[int, int]) -> float:
    return HEIGHT - BOTTOM - (math.log10(value) - decades[0]) / (decades[1] - decades[0]) * (HEIGHT - TOP - BOTTOM)


def _grid(xs: tuple[int, int], ys: tuple[int, int]) -> Iterator[str]:
    for power in range(xs[0], xs[1] + 1):
        x = _x(10.0**power, xs)
        yield f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#8884"/>'
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{_number(power)}</text>'
    for power in range(ys[0], ys[1] + 1):
        y = _y(10.0**power, ys)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#8884"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{_number(power)}</text>'


def _number(power: int) -> str:
    return f"{10**power:,}" if power >= 0 else f"{10.0**power:.{-power}f}"


def _curves(
    curves: Sequence[tuple[str, Points]], colours: Mapping[str, str], xs: tuple[int, int], ys: tuple[int, int]
) -> Iterator[str]:
    below = 0.0
    for name, points in curves:
        colour = colours[name]
        places = [(_x(x, xs), _y(y, ys)) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
        below = max(places[-1][1] + 4, below + 15)  # names may not stand on each other
        yield f'<text x="{WIDTH - RIGHT + 10}" y="{below:.1f}" fill="{colour}">{escape(name)}</text>'


def _titles(x_title: str, y_title: str) -> Iterator[str]:
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield f'<text x="{middle:.1f}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_title)}</text>'
    height = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'transform="rotate(-90 14 {height:.1f})"'
    yield f'<text x="14" y="{height:.1f}" text-anchor="middle" {turned}>{escape(y_title)}</text>'
