"""HAProxy with deploy/haproxy/haproxy.cfg, and what it says of its servers."""

import csv
import io
import os
import socket
import subprocess

from served import PATIENCE_SECONDS, SOURCE, die_with_parent, wait_until

CONFIGURATION = SOURCE / "deploy" / "haproxy" / "haproxy.cfg"
SERVERS = ("one", "two", "three")


class Balancer:
    """A master process and its worker, on the host of the balancer."""

    def __init__(self, host, addresses, folder):
        self.host = host
        self.socket, self.master = folder / "haproxy.sock", folder / "master.sock"
        self.log = (folder / "haproxy.log").open("a+", encoding="utf-8")
        named = {f"WEIR_{name.upper()}": address for name, address in zip(SERVERS, addresses, strict=True)}
        self.process = subprocess.Popen(
            [*host.within, "haproxy", "-W", "-db", "-S", self.master, "-f", CONFIGURATION],
            env=os.environ | named | {"SITE_ADDRESS": f"{host.address}:8000", "HAPROXY_SOCKET": str(self.socket)},
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, preexec_fn=die_with_parent)

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE_SECONDS)
        self.log.close()

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def asked(self, command):
        """The answer of the worker that serves; empty while there is none."""
        return self.answer_of(self.socket, command)

    def answer_of(self, path, command):
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(PATIENCE_SECONDS)
            try:
                asking.connect(str(path))
                asking.sendall(f"{command}\n".encode())
                asking.shutdown(socket.SHUT_WR)
                return b"".join(iter(lambda: asking.recv(1 << 16), b"")).decode()
            except (FileNotFoundError, ConnectionError):
                return ""

    def rows(self):
        """{server: {column: value}}."""
        table = csv.DictReader(io.StringIO(self.asked("show stat").removeprefix("# ")))
        return {row["svname"]: row for row in table if row["svname"] in SERVERS}

    def uses_all(self):
        """After the first check, or after `rise` of them. A state such as "UP 1/2" means that checks have begun to fail."""
        rows = self.rows()
        return len(rows) == len(SERVERS) and all(row["status"] == "UP" and row["check_status"] == "L7OK" for row in rows.values())

    def wait_until_it_uses_all(self):
        wait_until(self.uses_all)

    def at_work(self):
        """For each server, how many requests it has now."""
        rows = self.rows()
        return [int(rows[name]["scur"]) for name in SERVERS if name in rows]

    def wait_until_it_leaves_out(self, number):
        """The server of that number, from 0."""
        wait_until(lambda: self.rows().get(SERVERS[number], {}).get("status") == "DOWN")

    def worker(self):
        found = [line.split()[1] for line in self.asked("show info").splitlines() if line.startswith("Pid:")]
        return found[0] if found else ""

    def reload(self):
        """As SIGUSR2 does, which a master loses that still starts. Ends when another worker answers."""
        wait_until(lambda: self.answer_of(self.master, "show proc"))
        before = self.worker()
        self.answer_of(self.master, "reload")
        wait_until(lambda: self.worker() not in ("", before))
