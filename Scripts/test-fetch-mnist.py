#!/usr/bin/env python3
"""Tests fetch-mnist.sh against a server on the loopback interface that misbehaves in every way seen in mirrors.

The files are small stand-ins with a table of sums of their own, so that nothing is fetched from outside.
"""

import gzip
import hashlib
import http.server
import os
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fetch-mnist.sh")
NAMES = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"]
CONTENT = {name: name.encode() + bytes(range(256)) * 40 for name in NAMES}
FIRST = NAMES[0] + ".gz"
# Seconds after which the script gives up a silent server; curl counts in whole ones.
PATIENCE = 1
# Far above the longest case; a script that hangs fails its test instead of stopping everything.
DEADLINE = 30


class Mirrors(http.server.BaseHTTPRequestHandler):
    """One mirror for each way to misbehave: /WAY/FILE."""

    # Names of the files asked for, by way.
    requests = []
    # Set when the test is over, to end the answers that hang.
    over = threading.Event()

    def do_GET(self):
        way, _, file = self.path[1:].partition("/")
        Mirrors.requests.append((way, file))
        content = CONTENT[file.removesuffix(".gz")]
        good = gzip.compress(content, 6)
        if way == "missing":
            return self.send_error(404)
        if way == "broken":
            return self.send_error(500)
        if way == "moved":
            self.send_response(302)
            self.send_header("Location", f"/good/{file}")
            return self.end_headers()
        if way == "looping":
            self.send_response(302)
            self.send_header("Location", self.path)
            return self.end_headers()
        if way == "silent":
            return Mirrors.over.wait()
        body = {
            "good": good,
            "repacked": gzip.compress(content, 1),
            "html": b"<!DOCTYPE html>\n<html><body>Please log in</body></html>",
            "empty": b"",
            "raw": content,
            "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9912422\n",
            "cut-file": good[:-20],
            "damaged": good[:-8] + bytes(8),
            "trailing": good + b"<html>",
            "other-content": gzip.compress(content[:-1] + b"!"),
        }.get(way, good)
        self.send_response(200)
        self.send_header("Content-Length", str(10**12 if way == "huge" else len(body)))
        self.end_headers()
        if way in ("cut-transfer", "stalling"):
            self.wfile.write(body[:-20])
            self.wfile.flush()
            if way == "stalling":
                Mirrors.over.wait()
        else:
            self.wfile.write(body)

    def log_message(self, *_):
        pass


# What is said about each way that fails.
FAULTS = {
    "missing": "404",
    "broken": "500",
    "looping": "redirects",
    "silent": "too slow",
    "stalling": "too slow",
    "cut-transfer": "transfer closed",
    "huge": "file size",
    "html": 'it begins with "<!DOCTYPE html>',
    "pointer": 'it begins with "version https://git-lfs',
    "raw": "not a gzip file",
    "empty": "an empty file",
    "cut-file": "truncated or damaged",
    "damaged": "truncated or damaged",
    "trailing": "truncated or damaged",
    "other-content": "SHA-256 of its content is wrong",
    "refused": "connect",
}


class FetchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Mirrors)
        cls.server.daemon_threads = True
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        Mirrors.over.set()
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        Mirrors.requests.clear()
        root = tempfile.TemporaryDirectory(prefix="fetch mnist ")
        self.addCleanup(root.cleanup)
        self.root = root.name
        self.folder = os.path.join(self.root, "the data")
        self.table = os.path.join(self.root, "sums")
        with open(self.table, "w") as file:
            for name, content in CONTENT.items():
                print(hashlib.sha256(content).hexdigest(), name, sep="  ", file=file)

    def address(self, way):
        if way == "refused":
            # A port that was free a moment ago, with nobody behind it.
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                return f"http://127.0.0.1:{probe.getsockname()[1]}/refused/"
        return f"http://127.0.0.1:{self.server.server_port}/{way}/"

    def start(self, *ways, patience=PATIENCE):
        environment = dict(
            os.environ,
            MNIST_MIRRORS=" ".join(map(self.address, ways)),
            MNIST_PATIENCE=str(patience),
            MNIST_SHA256=self.table,
            no_proxy="127.0.0.1",
        )
        return subprocess.Popen(
            [SCRIPT, self.folder],
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Where this test runs in the background SIGINT is ignored, and a shell cannot undo that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            start_new_session=True,
        )

    def finish(self, process):
        """Returns the exit status and the lines on standard error."""
        try:
            _, errors = process.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.fail("the script hangs")
        return process.returncode, errors.splitlines()

    def fetch(self, *ways):
        return self.finish(self.start(*ways))

    def files(self):
        return sorted(os.listdir(self.folder)) if os.path.exists(self.folder) else None

    def assert_all_right(self):
        self.assertEqual(self.files(), sorted(name + ".gz" for name in NAMES))
        for name in NAMES:
            with gzip.open(os.path.join(self.folder, name + ".gz")) as file:
                self.assertEqual(file.read(), CONTENT[name])

    def put(self, name, content):
        os.makedirs(self.folder, exist_ok=True)
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def test_good_mirrors(self):
        for way in ("good", "repacked", "moved"):
            with self.subTest(way):
                self.setUp()
                self.assertEqual(self.fetch(way), (0, []))
                self.assert_all_right()

    def test_each_bad_mirror_is_named_and_the_next_one_tried(self):
        status, errors = self.fetch(*FAULTS, "good")
        self.assertEqual(status, 0)
        self.assert_all_right()
        # Once each: the mirror that worked is the first one asked for the other files.
        self.assert_faults(errors)

    def test_nothing_is_left_when_every_mirror_fails(self):
        status, errors = self.fetch(*FAULTS)
        self.assertNotEqual(status, 0)
        self.assertIsNone(self.files())
        self.assert_faults(errors[:-1])
        self.assertIn(f"no mirror gave {FIRST}", errors[-1])

    def assert_faults(self, errors):
        self.assertEqual(len(errors), len(FAULTS), errors)
        for (way, fault), error in zip(FAULTS.items(), errors):
            self.assertIn(f"/{way}/{FIRST}: ", error)
            self.assertIn(fault.lower(), error.lower())

    def test_a_folder_that_was_there_stays(self):
        os.makedirs(self.folder)
        self.assertNotEqual(self.fetch("missing")[0], 0)
        self.assertEqual(self.files(), [])

    def test_right_files_are_kept_and_not_asked_for(self):
        right = gzip.compress(CONTENT[NAMES[0]], 9, mtime=1)
        self.put(FIRST, right)
        self.assertEqual(self.fetch("good"), (0, []))
        self.assert_all_right()
        with open(os.path.join(self.folder, FIRST), "rb") as file:
            self.assertEqual(file.read(), right)
        self.assertEqual([file for _, file in Mirrors.requests], [name + ".gz" for name in NAMES[1:]])

    def test_a_wrong_file_is_replaced_by_a_right_one_only(self):
        wrong = b"somebody's notes"
        self.put(FIRST, wrong)
        status, errors = self.fetch("html", "missing")
        self.assertNotEqual(status, 0)
        self.assertIn("not a gzip file", errors[0])
        self.assertEqual(self.files(), [FIRST])
        with open(os.path.join(self.folder, FIRST), "rb") as file:
            self.assertEqual(file.read(), wrong)
        self.assertEqual(self.fetch("good")[0], 0)
        self.assert_all_right()

    def test_an_interruption_leaves_nothing(self):
        for name, send in {
            "Ctrl-C": lambda process: os.killpg(process.pid, signal.SIGINT),
            "SIGTERM": lambda process: process.terminate(),
            "hang-up": lambda process: os.killpg(process.pid, signal.SIGHUP),
        }.items():
            with self.subTest(name):
                self.setUp()
                process = self.start("stalling", patience=DEADLINE)
                self.wait_for_a_part(process)
                send(process)
                status, errors = self.finish(process)
                self.assertGreater(status, 128)
                # No word about the mirror: it did not wait for the server. (A shell may say "Hangup".)
                self.assertFalse(any(error.startswith("fetch-mnist") for error in errors), errors)
                self.assertIsNone(self.files())

    def wait_for_a_part(self, process):
        """Waits until curl has the first bytes (it makes the file then, and fills it later)."""
        while process.poll() is None:
            if any(FIRST in files for _, _, files in os.walk(self.folder)):
                return
            time.sleep(0.01)
        self.fail("the script ended before it was interrupted")


if __name__ == "__main__":
    unittest.main()
