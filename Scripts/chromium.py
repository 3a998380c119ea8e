"""Drives headless Chromium over its DevTools' websocket, with nothing but Python's own library."""

import base64
import json
import os
import pathlib
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request


class WebSocket:
    """The part of RFC 6455 that DevTools need: text messages, in pieces or whole, from a server on this machine."""

    def __init__(self, port, path):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        status = self.stream.readline()
        assert b"101" in status, status
        while self.stream.readline().strip():
            pass

    def send(self, text, opcode=1):
        data = text.encode()
        size = len(data)
        # A client masks what it sends; a mask of zeros is one as well.
        if size < 126:
            head = struct.pack(">BB", 0x80 | opcode, 0x80 | size)
        elif size < 65536:
            head = struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 0x80 | 127, size)
        self.socket.sendall(head + bytes(4) + data)

    def receive(self):
        message = b""
        while True:
            first, size = self.stream.read(2)
            if size == 126:
                size, = struct.unpack(">H", self.stream.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.stream.read(8))
            data = self.stream.read(size)
            if first & 15 == 9:
                self.send(data.decode(), opcode=10)
            elif first & 15 < 3:
                message += data
                if first & 128:
                    return message.decode()


class Browser:
    """One page in a Chromium of its own. What the page complains about is collected in `complaints`."""

    def __init__(self, width, height):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.downloads = pathlib.Path(self.folder.name, "downloads")
        self.downloads.mkdir()
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                   f"--user-data-dir={self.folder.name}/profile", f"--window-size={width},{height}",
                   "--remote-debugging-port=0", "--remote-allow-origins=*", "about:blank"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder.name, "profile", "DevToolsActivePort")
        deadline = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().count("\n") >= 1):
            assert time.monotonic() < deadline and self.process.poll() is None, "Chromium did not start"
            time.sleep(0.05)
        port = int(port_file.read_text().splitlines()[0])
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list") as reply:
            page = next(target for target in json.load(reply) if target["type"] == "page")
        self.socket = WebSocket(port, page["webSocketDebuggerUrl"].split(str(port), 1)[1])
        self.count = 0
        self.complaints = []
        self.requests = []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def call(self, method, **parameters):
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.count:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self.note(message)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"]["exception"].get("description", "")[:300])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(parameters["args"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def run(self, script):
        """The value of a JavaScript expression, awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, (script, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, script, seconds=10):
        """Waits until the expression is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < deadline, f"still not so: {script}"
            time.sleep(0.02)
        return value

    def frame(self):
        """Waits until two frames were painted."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def resize(self, width, height, scale=1, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=mobile)

    def screenshot(self, path):
        self.frame()
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def downloaded(self, name):
        """The bytes of the file that the page saved, which is then removed."""
        path = self.downloads / name
        deadline = time.monotonic() + 10
        while not path.exists():
            assert time.monotonic() < deadline, f"{name} was not saved, but {os.listdir(self.downloads)}"
            self.run("0")
            time.sleep(0.05)
        data = path.read_bytes()
        path.unlink()
        return data
