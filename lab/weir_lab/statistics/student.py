"""Student's t distribution, and the derivatives of the gamma function that pairs.py needs, by scipy."""

import os
from functools import cache
from typing import Any


@cache
def _special() -> Any:
    """It takes most of a second to import, and most commands compute nothing. Its threads would stay idle, and the lab
    enters namespaces that belong to a thread."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from scipy import special  # noqa: PLC0415

    return special


@cache
def quantile(probability: float, degrees: float) -> float:
    """The t that a part `probability` of the distribution lies below."""
    return float(_special().stdtrit(degrees, probability))


def digamma(x: float) -> float:
    """The derivative of the logarithm of the gamma function."""
    return float(_special().digamma(x))


def trigamma(x: float) -> float:
    """The derivative of digamma()."""
    return float(_special().zeta(2, x))


def trigamma_inverse(value: float, low: float = 0.01, high: float = 1e4) -> float:
    """Between these two. Halves their distance until it is that of two neighbouring numbers."""
    while low < (middle := (low * high) ** 0.5) < high:
        low, high = (middle, high) if trigamma(middle) > value else (low, middle)
    return low
