"""Nobody can download the access log or a key: weir does not start where the site would serve one, and withholds it later."""

import os
import shutil
import signal
import subprocess
import unittest

from authority import Authority
from served import PATIENCE_SECONDS, InAFolder, environment, binary, for_each_engine, run, wait_until

OWN_MOUNTS = ("unshare", "--map-root-user", "--mount", "--")
MAY_MOUNT = shutil.which("unshare") and subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode == 0
HAS_TLS = "openssl" in run("--version")[1]


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        (self.site / "sub").mkdir(parents=True)
        (self.site / "index.html").write_text("hello", encoding="ascii")
        (self.top / "logs").mkdir()

    def assert_refused(self, sentence, root, *options, **added):
        status, said, error = run("serve", root, "--port", 0, *options, **added)
        self.assertEqual((status, said, error), (1, "", f"weir serve: {sentence}\n"))

    def refused(self, what, path, real=None, root=None):
        named = path if real is None else f"{path} ({real})"
        return f"{what} {named} is below {root or self.site}, which is served: anyone could download it. Keep it in another folder"


class AtTheStart(InASite):
    def log(self, path, real=None, root=None):
        return self.refused("the access log", path, real, root)

    def test_a_log_below_the_root(self):
        for path in (self.site / "log", self.site / "sub" / "log", self.site / ".well-known" / "log"):
            self.assert_refused(self.log(path), self.site, "--access-log", path)
            self.assertFalse(path.exists())
        self.assert_refused(self.log(self.top / "logs" / "log", root="/"), "/", "--access-log", self.top / "logs" / "log", "--dotfiles")

    def test_a_log_to_which_links_lead(self):
        real = self.site / "sub" / "log"
        (self.top / "folder").symlink_to("site/sub")
        (self.top / "log").symlink_to("folder/log")  # its target is made when it is opened
        (self.top / "current").symlink_to("site")
        for path in (self.top / "folder" / "log", self.top / "log"):
            self.assert_refused(self.log(path, real), self.site, "--access-log", path)
        self.assert_refused(self.log(real), self.top / "current", "--access-log", real)
        self.assert_refused(self.log(self.top / "current" / "sub" / "log", real), self.site, "--access-log", self.top / "current" / "sub" / "log")

    def test_a_log_on_standard_error(self):
        path = self.site / "log"
        for option in (["-v"], ["--access-log", "-"]):
            with path.open("wb") as log:
                status = subprocess.run([binary(), "serve", self.site, "--port", "0", *option], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=log, env=environment(), timeout=PATIENCE_SECONDS, check=False).returncode
            self.assertEqual((status, path.read_text(encoding="utf-8")), (1, f"weir serve: {self.log('standard error', path)}\n"))

    def test_a_name_that_is_not_served(self):
        for path in (self.site / ".log", self.site / "sub" / ".logs" / "log"):
            path.parent.mkdir(exist_ok=True)
            self.serve(self.site, "--access-log", path)
            self.assert_refused(self.log(path), self.site, "--access-log", path, "--dotfiles")

    def test_a_log_elsewhere(self):
        (self.site / "out").symlink_to(self.top / "logs")  # a link that leads out is not followed
        os.mkfifo(self.site / "fifo")
        for path in (self.top / "logs" / "log", self.top / "site-log", self.site / "out" / "log", "/dev/null"):
            self.serve(self.site, "--access-log", path)
        reader = os.open(self.site / "fifo", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.serve(self.site, "--access-log", self.site / "fifo")

    def test_a_single_file(self):
        self.serve(self.site / "index.html", "--access-log", self.site / "log")
        (self.top / "link").symlink_to("site/index.html")
        self.assert_refused(f"the access log {self.top}/link ({self.site}/index.html) is the file to serve: anyone could download it",
                            self.site / "index.html", "--access-log", self.top / "link")

    @unittest.skipUnless(MAY_MOUNT, "no namespace of mounts can be made here")
    def test_mounts(self):
        for source, point, log in ((self.top / "logs", self.site / "sub", self.top / "logs" / "log"),
                                   (self.site / "sub", self.top / "logs", self.top / "logs" / "log")):
            with self.subTest(point):
                script = f"mount --bind '{source}' '{point}' && exec '{binary()}' serve '{self.site}' --port 0 --access-log '{log}'"
                done = subprocess.run([*OWN_MOUNTS, "sh", "-c", script], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                      env=environment(), timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"weir serve: {self.log(log)}\n"))

    @unittest.skipUnless(MAY_MOUNT, "no namespace of mounts can be made here")
    def test_layers_of_an_overlay(self):
        """The layers are on a file system of their own, because an overlay can't be the upper layer of another."""
        layers = self.top / "logs"
        upper, lower, work = layers / "up, per:1", layers / "low: er", layers / "work"
        options = f"lowerdir={lower}:{layers}/none,upperdir={upper},workdir={work}".replace(", ", "\\, ").replace(": ", "\\: ")
        mounted = (*OWN_MOUNTS, "sh", "-c", f"mount -t tmpfs none '{layers}' && mkdir -p '{upper}/docs' '{lower}' '{layers}/none' '{work}' && "
                   f"mount -t overlay none -o '{options}' '{self.site}' && exec \"$@\"", "sh")
        for root, log in ((self.site, upper / "log"), (self.site, lower / "log"), (self.site / "docs", upper / "docs" / "log")):
            with self.subTest(log):
                done = subprocess.run([*mounted, binary(), "serve", root, "--port", "0", "--access-log", log], stdin=subprocess.DEVNULL,
                                      capture_output=True, text=True, env=environment(), timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"weir serve: {self.log(log, root=root)}\n"))
        for root, log in ((self.site / "docs", upper / "log"), (self.site, layers / "log")):
            self.serve(root, "--access-log", log, prefix=mounted)

    @unittest.skipUnless(HAS_TLS, "built without OpenSSL")
    def test_keys(self):
        chain, key = Authority(self.site).issue("a", "localhost")
        both, secret, folder = self.site / "both.pem", self.site / "secret", self.site / "sub"
        both.write_bytes(chain.read_bytes() + key.read_bytes())
        secret.write_bytes(bytes(64))
        outside = self.top / "certificates"
        outside.mkdir()
        shutil.copy(chain, outside / "a.crt")
        (outside / "a.key").symlink_to(key)
        self.assert_refused(self.refused("the key", key), self.site, "--tls-cert", chain, "--tls-key", key)
        self.assert_refused(self.refused("the certificate with its key", both), self.site, "--tls-cert", both)
        self.assert_refused(self.refused("the key", outside / "a.key", key), self.site, "--tls-cert", outside)
        shutil.move(chain, folder / "a.crt")
        shutil.move(key, folder / "a.key")
        self.assert_refused(self.refused("the folder of keys", f"{folder}/", folder), self.site, "--tls-cert", folder)
        hidden = self.site / ".keys"
        shutil.move(folder, hidden)
        options = ["--tls-cert", hidden / "a.crt", "--tls-key", hidden / "a.key"]
        self.assert_refused(self.refused("the secret of session tickets", secret), self.site, *options, "--tls-tickets", secret)
        self.assert_refused(self.refused("the key", hidden / "a.key"), self.site, *options, "--dotfiles")
        self.serve(self.site, *options)
        state = self.site / "state"
        self.assert_refused(self.refused("the key", state / "weir" / "weir.key"), self.site, "--tls", XDG_STATE_HOME=str(state))

    @unittest.skipUnless(HAS_TLS, "built without OpenSSL")
    def test_a_kept_key_as_the_only_file(self):
        key = self.top / "weir" / "local-ca.key"
        key.parent.mkdir()
        key.write_text("key", encoding="ascii")
        status, _, error = run("serve", key, "--port", 0, XDG_STATE_HOME=str(self.top))
        self.assertEqual((status, error), (1, f"weir serve: the key {key} is the file to serve: anyone could download it\n"))


@for_each_engine
class WhileItServes(InASite):
    def status(self, path):
        return self.fetch(self.server, path)[0].status

    def test_a_log_is_never_served(self):
        log = self.top / "logs" / "log"
        log.write_text("old\n", encoding="ascii")
        os.link(log, self.site / "linked")
        self.server = self.serve(self.site, "--access-log", log)
        self.assertEqual([self.status("/linked"), self.status("/index.html")], [404, 200])

    def test_kept_keys_of_another_start_are_never_served(self):
        state = self.site / "weir"
        ca = state / "acme" / "ca.example"
        (ca / "certificates").mkdir(parents=True)
        keys = (state / "weir.key", state / "local.key", state / "local-ca.key", ca / "account.key", ca / "certificates" / "localhost.pem")
        for file in (*keys, state / "local-ca.crt"):
            file.write_text("key", encoding="ascii")
        for root, folder in ((self.site, "/weir"), (state, "")):
            self.server = self.serve(root, XDG_STATE_HOME=str(self.site))
            self.assertEqual([self.status(f"{folder}/{key.relative_to(state)}") for key in keys], [404] * len(keys))
            self.assertEqual(self.status(f"{folder}/local-ca.crt"), 200)

    def test_nor_where_the_root_leads_to_its_folder(self):
        log = self.top / "logs" / "log"
        (self.top / "logs" / "page").write_text("page", encoding="ascii")
        (self.top / "current").symlink_to("site")
        self.server = self.serve(self.top / "current", "--access-log", log)
        (self.top / "new").symlink_to("logs")
        (self.top / "new").rename(self.top / "current")
        wait_until(lambda: self.status("/page") == 200)
        self.assertEqual(self.status("/log"), 404)
        log.rename(self.top / "logs" / "log.1")
        self.server.signal(signal.SIGUSR1)
        wait_until(lambda: self.status("/page") == 200 and log.exists())
        self.assertEqual([self.status("/log"), self.status("/log.1"), self.status("/page")], [404, 404, 200])


class Output(InASite):
    def test_a_file_to_which_weir_writes_is_not_served(self):
        path = self.site / "nohup.out"
        with path.open("wb") as output:
            process = subprocess.Popen([binary(), "serve", self.site, "--bind", f"unix:{self.top}/socket"], stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=output, env=environment())
        try:
            wait_until(lambda: b"Ctrl-C" in path.read_bytes())
            got = subprocess.run(["curl", "-s", "-w", "%{http_code}", "-o", self.top / "got", "--unix-socket", self.top / "socket",
                                  "http://localhost/nohup.out"], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        finally:
            process.terminate()
            process.wait(PATIENCE_SECONDS)
        self.assertEqual(got.stdout, "404")


if __name__ == "__main__":
    unittest.main()
