"""Which lines a plot shows that has room for only some of them."""

from weir_lab.drawing.lines import Series
from weir_lab.report.figures import ALL

LINES_MAX = 10  # in one plot; the small plots have all
TYPICAL_CONNECTIONS = 100


def chosen(every: list[Series], measure: str) -> list[Series]:
    """The floors, and some of our targets and of the peers, from the best to the worst."""
    if len(every) <= LINES_MAX:
        return every
    sign = 1 if ALL[measure].less_is_better else -1

    def order(one: Series) -> float:
        return sign * min(one.points, key=lambda point: abs(point.x - TYPICAL_CONNECTIONS)).y

    longest = max(len(one.points) for one in every)
    lines_of = {
        camp: sorted((one for one in every if _camp(one) == camp and 2 * len(one.points) > longest), key=order)
        for camp in ("floor", "weir", "peer")
    }
    kept = lines_of.pop("floor")
    peers = _spread(lines_of["peer"], (LINES_MAX - len(kept)) // 2)
    own = _spread(lines_of["weir"], LINES_MAX - len(kept) - len(peers))
    return [one for one in every if one in kept + own + peers]


def _camp(one: Series) -> str:
    return one.family if one.family in ("floor", "peer") else "weir"


def _spread(ranked: list[Series], count: int) -> list[Series]:
    """The first, the last, and others at even distances."""
    if len(ranked) <= count or count < 2:
        return ranked[:count]
    return [ranked[round(place * (len(ranked) - 1) / (count - 1))] for place in range(count)]
