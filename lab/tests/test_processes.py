"""What is counted of processes that come and go while it is counted."""

import subprocess

from weir_lab.kernel import processes


def test_a_process_that_has_ended_has_nothing() -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
        assert processes.family(ended.pid) == [ended.pid]
        assert processes.context_switches(ended.pid) == 0
        assert processes.cpu(ended.pid).seconds == 0
        assert processes.resident_bytes(ended.pid) == 0


def test_children_are_counted() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 60 & echo; wait"], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        parent.stdout.readline()
        (child,) = processes.family(parent.pid)[1:]
        assert processes.context_switches(parent.pid) > 0
        subprocess.run(["kill", str(child)], check=True)
