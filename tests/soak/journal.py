"""What was asked and what came, and whether the access log agrees."""

import json
import re
import time
from collections import Counter
from dataclasses import dataclass, field

_ID = re.compile(r"[?&]n=(\d+)")


@dataclass
class Journal:
    asked: int = 0
    answered: dict = field(default_factory=dict)  # id -> status, of answers that came whole
    answered_at: dict = field(default_factory=dict)
    unanswered: set = field(default_factory=set)  # ids whose client left, or was cut
    outcomes: Counter = field(default_factory=Counter)  # what the peers met, in their own words
    bytes_compared: int = 0
    faults: list = field(default_factory=list)

    def next_id(self):
        self.asked += 1
        return self.asked

    def answer(self, number, status):
        self.answered[number] = status
        self.answered_at[number] = time.monotonic()

    def answered_around(self, instants, before, after):
        """The ids of the answers that came shortly before one of the instants, or after it."""
        return {n for n, at in self.answered_at.items() if any(-before <= at - when <= after for when in instants)}

    def fault(self, words):
        if len(self.faults) < 50:
            self.faults.append(words)


@dataclass
class Logged:
    """The lines of the access log."""

    seen: Counter = field(default_factory=Counter)  # by id
    status: dict = field(default_factory=dict)
    without_id: int = 0  # requests that could not be read have no target
    dropped: int = 0     # that the log says it dropped
    cut: int = 0         # lines without their end
    empty: int = 0       # lines behind those: two processes may both have ended one that was cut
    broken: list = field(default_factory=list)

    def take(self, text):
        for line in text.splitlines():
            self.take_line(line)

    def take_line(self, line):
        if not line and self.empty < self.cut:
            self.empty += 1
            return
        try:
            entry = json.loads(line)
        except ValueError:
            if line.startswith("{") and '{"' not in line[1:]:
                self.cut += 1
            else:
                self.broken.append(line[:200])
            return
        if "dropped_lines" in entry:
            self.dropped += entry["dropped_lines"]
        elif match := _ID.search(entry.get("target", "")):
            self.seen[int(match[1])] += 1
            self.status[int(match[1])] = entry["status"]
        else:
            self.without_id += 1


def account(journal, logged, lost_may_be, cut_may_be=0):
    """What the log has wrong, in words. `lost_may_be`: ids whose lines may have gone with a process that was killed;
    `cut_may_be`: so many lines may have been cut, by the end of such a process."""
    faults = [f"{logged.cut} lines of the log were cut"] if logged.cut > cut_may_be else []
    faults += [f"a line of the log is broken: {line}" for line in logged.broken[:5]]
    twice = [number for number, times in logged.seen.items() if times > 1]
    if twice:
        faults.append(f"{len(twice)} requests were logged more than once, such as n={twice[0]}")
    strange = [number for number in logged.seen if number > journal.asked]
    if strange:
        faults.append(f"{len(strange)} lines are of requests that nobody sent, such as n={strange[0]}")
    wrong = [n for n, status in journal.answered.items() if logged.status.get(n, status) != status]
    if wrong:
        faults.append(f"{len(wrong)} lines have another status than the answer, such as n={wrong[0]}")
    missing = [n for n in journal.answered if n not in logged.seen and n not in lost_may_be]
    if len(missing) > logged.dropped:
        faults.append(f"{len(missing)} answers are not in the log, such as n={missing[0]}, and it tells of {logged.dropped}")
    return faults
