"""Student's t distribution: Python's library has the normal distribution only."""

from __future__ import annotations

import math
from functools import cache


@cache
def quantile(probability: float, degrees: float) -> float:
    """The t that a part `probability` of the distribution lies below; `probability` is above a half."""
    low, high = 0.0, 1.0
    while cumulative(high, degrees) < probability:
        high *= 2
    for _ in range(50):  # halves the distance each time
        middle = (low + high) / 2
        low, high = (middle, high) if cumulative(middle, degrees) < probability else (low, middle)
    return high


def cumulative(t: float, degrees: float) -> float:
    """The part of the distribution below t."""
    tail = _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return 1 - tail if t >= 0 else tail


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Regularised. The continued fraction converges fast on one side of the middle, and symmetry gives the other."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    return front / a / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """From the last term to the first."""
    value = 1.0
    for m in range(80, 0, -1):
        odd = -(a + m - 1) * (a + b + m - 1) * x / ((a + 2 * m - 2) * (a + 2 * m - 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        value = 1 + odd / (1 + even / value)
    return value


# --- for the moderated variance of pairs.py -----------------------------------------------------------------------

LARGE = 8.0  # from there on, a few terms of the asymptotic series are exact enough


def digamma(x: float) -> float:
    """The derivative of the logarithm of the gamma function."""
    if x < LARGE:
        return digamma(x + 1) - 1 / x
    square = 1 / (x * x)
    return math.log(x) - 1 / (2 * x) - square * (1 / 12 - square * (1 / 120 - square / 252))


def trigamma(x: float) -> float:
    """The derivative of digamma()."""
    if x < LARGE:
        return trigamma(x + 1) + 1 / (x * x)
    square = 1 / (x * x)
    return 1 / x + square / 2 + square / x * (1 / 6 - square * (1 / 30 - square / 42))


def trigamma_inverse(value: float) -> float:
    """Between a hundredth and ten thousand."""
    low, high = 0.01, 1e4
    for _ in range(60):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if trigamma(middle) > value else (low, middle)
    return low
