"""The six experiments, in the order in which they are told."""

from weir_lab.course.teach import blocked_loop, idle, keep_alive, sleeping, slow_client, twice
from weir_lab.course.teach.lesson import Lesson

LESSONS: tuple[Lesson, ...] = (
    slow_client.LESSON,
    sleeping.LESSON,
    idle.LESSON,
    keep_alive.LESSON,
    blocked_loop.LESSON,
    twice.LESSON,
)
