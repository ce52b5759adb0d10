"""Small things that parsers of the generators' output share."""

from __future__ import annotations

import math


def nonzero(errors: dict[str, int]) -> dict[str, int]:
    """Load.errors has no entry for what did not happen."""
    return {kind: count for kind, count in errors.items() if count > 0}


def whole_seconds(seconds: float) -> int:
    """For programs that know no part of a second: rather longer than asked."""
    return max(1, math.ceil(seconds))
