"""Which architecture wins where: a sweep of kinds of work and connections, as one map (`./run lab run map`)."""

from weir_lab.course.map.page import sections

__all__ = ["sections"]
