"""A rolling restart and a rolling upgrade under load lose nothing; a node that dies or hangs costs at most its answers under way.

Run only where WEIR_LIVE is set and network namespaces can be made: the load balancer is HAProxy."""

import json
import os
import signal
import sys
import unittest
from contextlib import closing
from http.client import HTTPConnection, IncompleteRead
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "end_to_end"))
from fleet import HUGE, NODES, Fleet, on  # noqa: E402
from served import PATIENCE_SECONDS, SKIPPED, exchange, is_missing, wait_until  # noqa: E402

ANSWERS = 20  # of each client between two steps


class Planned(Fleet):
    """Nothing is lost."""

    def test_a_rolling_restart(self):
        with self.load() as load:
            for node in self.nodes:
                load.wait_for_answers(ANSWERS)
                node.restart()
                self.balancer.wait_until_it_uses_all()
            load.wait_for_answers(ANSWERS)
        self.nothing_was_lost(load)

    def test_a_rolling_upgrade(self):
        with self.load() as load:
            load.wait_for_answers(ANSWERS)
            self.install(self.versions[1])
            for node in self.nodes:
                self.assertEqual(node.versions(), {self.versions[0]})
                node.upgrade()
                load.wait_for_answers(ANSWERS)
            for node in self.nodes:
                wait_until(lambda node=node: node.versions() == {self.versions[1]})
        self.nothing_was_lost(load)

    def test_a_reload_of_the_balancer(self):
        with self.load() as load:
            for _ in range(3):
                load.wait_for_answers(ANSWERS)
                self.balancer.reload()
            load.wait_for_answers(ANSWERS)
        self.nothing_was_lost(load)

    def test_a_fleet_shares_the_clients_and_knows_their_addresses(self):
        with self.load() as load:
            load.wait_for_answers(ANSWERS)
        self.nothing_was_lost(load)
        for node in self.nodes:
            self.end(node.server)
            lines = [json.loads(line) for line in node.log.read_text(encoding="ascii").splitlines()]
            asked = [line["remote"] for line in lines if line["method"] == "GET"]
            self.assertGreater(len(asked), sum(load.answered) / NODES / 4)
            self.assertEqual(set(asked), {self.clients.address})

    def test_a_download_goes_on_while_its_node_leaves(self):
        response, node = self.begin_download()
        node.server.signal(signal.SIGTERM)
        self.balancer.wait_until_it_leaves_out(self.nodes.index(node))
        self.assertEqual(response.read(), HUGE[1000:])
        self.assertEqual(node.server.wait(), 0)

    def nothing_was_lost(self, load):
        self.report(load)
        self.assertEqual(load.lost, [])


class Unplanned(Fleet):
    """Each client loses at most the answer that it was receiving: a request without a byte of an answer goes to another node."""

    def test_a_node_is_killed(self):
        with self.load() as load:
            load.wait_for_answers(ANSWERS)
            self.nodes[1].kill()
            load.wait_for_answers(ANSWERS)
            self.balancer.wait_until_it_leaves_out(1)
            self.later_ones_are_answered(load)
            self.nodes[1].start()
            self.balancer.wait_until_it_uses_all()
            self.later_ones_are_answered(load)
        self.few_were_lost(load)

    def test_a_node_hangs(self):
        self.hangs(self.nodes[1].freeze)

    def test_the_serving_process_hangs_and_the_probes_answer(self):
        self.hangs(self.nodes[1].freeze_the_serving_process)

    def test_a_download_from_a_node_that_dies_goes_on_at_another(self):
        response, node = self.begin_download()
        node.kill()
        with self.assertRaises(IncompleteRead) as ended:
            response.read()
        got = HUGE[:1000] + ended.exception.partial
        self.assertEqual(got, HUGE[:len(got)])
        connection = HTTPConnection(self.balancer.host.address, 8000, timeout=PATIENCE_SECONDS)
        with closing(connection), on(self.clients):
            fields = {"Range": f"bytes={len(got)}-", "If_Range": response.headers["ETag"]}
            rest, content = exchange(connection, "/huge.bin", **fields)
        self.assertEqual((rest.status, got + content), (206, HUGE))

    def hangs(self, freeze):
        with self.load() as load:
            load.wait_for_answers(ANSWERS)
            self.addCleanup(self.nodes[1].thaw)
            freeze()
            self.balancer.wait_until_it_leaves_out(1)
            self.later_ones_are_answered(load)
            self.nodes[1].thaw()
            self.balancer.wait_until_it_uses_all()
            self.later_ones_are_answered(load)
        self.few_were_lost(load)

    def later_ones_are_answered(self, load):
        """Each client may first have to hear of the answer that it was receiving."""
        load.wait_for_answers(1)
        before = len(load.lost)
        load.wait_for_answers(ANSWERS)
        self.assertEqual(load.lost[before:], [])

    def few_were_lost(self, load):
        self.report(load)
        self.assertLessEqual(len(load.lost), len(load.threads), load.lost)


if __name__ == "__main__":
    reason = is_missing("haproxy", "ip") or ("" if os.geteuid() == 0 else "network namespaces need root")
    if reason:
        print(reason)
        sys.exit(SKIPPED)
    unittest.main()
