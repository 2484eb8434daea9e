# browser.py - a headless Chromium, driven through a pipe; it takes nothing but Python's own library
# SPDX-License-Identifier: MIT
import json
import os
import shutil
import subprocess
import tempfile


class Browser:
    """One page. `said`: what it wrote to the console as a warning or error; `asked`: each address it loaded."""

    def __init__(self, program="chromium"):
        self.folder = tempfile.mkdtemp()
        command_out, self.write_to = os.pipe()
        self.read_from, answer_in = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
                 "--disable-extensions", "--disable-background-networking", "--disable-component-update",
                 "--disable-dev-shm-usage", f"--user-data-dir={self.folder}", "about:blank"]
        # The browser reads from descriptor 3 and writes to 4.
        words = ["sh", "-c", f'exec "$0" "$@" 3<&{command_out} 4>&{answer_in}', program, *flags]
        self.process = subprocess.Popen(words, pass_fds=(command_out, answer_in), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(command_out)
        os.close(answer_in)
        self.rest, self.number = b"", 0
        self.session, self.said, self.asked, self.loaded = None, [], [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.rest:
            piece = os.read(self.read_from, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, its):
        if method == "Runtime.exceptionThrown":
            details = its["exceptionDetails"]
            self.said.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and its["type"] in ("error", "warning", "assert"):
            self.said.append(" ".join(str(one.get("value", "")) for one in its["args"]))
        elif method == "Log.entryAdded" and its["entry"]["level"] in ("error", "warning"):
            self.said.append(its["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.asked.append(its["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, address):
        self.loaded = False
        self.call("Page.navigate", url=address)
        while not self.loaded:
            self.receive()

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def press(self, key, code=0):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text)

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (RuntimeError, OSError):
            pass  # it may end before it answers
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
