"""Helpers of the parsers of the generators' output."""

from __future__ import annotations

import math


def nonzero(errors: dict[str, int]) -> dict[str, int]:
    """Load.errors has no entry for a kind that did not occur."""
    return {kind: count for kind, count in errors.items() if count > 0}


def whole_seconds(seconds: float) -> int:
    """For programs that take whole seconds only: rounds up."""
    return max(1, math.ceil(seconds))
