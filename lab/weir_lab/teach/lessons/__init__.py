"""The six experiments, in the order in which they are told."""

from weir_lab.teach.lesson import Lesson
from weir_lab.teach.lessons import blocked_loop, idle, keep_alive, sleeping, slow_client, twice

LESSONS: tuple[Lesson, ...] = (
    slow_client.LESSON,
    sleeping.LESSON,
    idle.LESSON,
    keep_alive.LESSON,
    blocked_loop.LESSON,
    twice.LESSON,
)
