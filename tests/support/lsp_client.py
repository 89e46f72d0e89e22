"""A language client for tests that can also send what no client should: raw bytes."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

FAKES = Path(__file__).parents[1] / "server" / "fakes"
LIMIT = 30.0
"""Seconds after which anything awaited counts as missing."""


def frame(body: bytes, header: bytes = b"Content-Length", more: bytes = b"") -> bytes:
    return b"%s: %d\r\n%s\r\n%s" % (header, len(body), more, body)


def capabilities(**changes: Any) -> dict[str, Any]:
    """What a capable editor can do; `changes` replace or (None) remove parts, named by dotted path with __ for dots."""
    base: dict[str, Any] = {
        "general": {"positionEncodings": ["utf-16"]},
        "window": {"workDoneProgress": True, "showDocument": {"support": True}},
        "workspace": {
            "configuration": True,
            "applyEdit": True,
            "didChangeConfiguration": {"dynamicRegistration": True},
            "didChangeWatchedFiles": {"dynamicRegistration": True},
            "diagnostics": {"refreshSupport": True},
            "workspaceEdit": {"documentChanges": True},
        },
        "textDocument": {
            "diagnostic": {"dynamicRegistration": True},
            "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
            "hover": {"contentFormat": ["markdown"]},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
                "resolveSupport": {"properties": ["edit"]},
                "dataSupport": True,
            },
        },
    }
    for path, value in changes.items():
        *parents, last = path.split("__")
        node = base
        for key in parents:
            node = node[key]
        if value is None:
            node.pop(last)
        else:
            node[last] = value
    return base


class Client:
    """One server process and the conversation with it; every message it sends is kept in `seen`."""

    def __init__(
        self, *arguments: str, command: list[str] | None = None, env: dict[str, str] | None = None, **popen: Any
    ):
        self._cache = tempfile.TemporaryDirectory()
        environment = {**os.environ, "PYTHONPATH": str(FAKES), "ASSAY_CACHE_DIR": self._cache.name, **(env or {})}
        command = command or [sys.executable, "-P", "-m", "assay", "serve", *arguments]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, **popen
        )
        self.settings: Any = {}
        self.answers: dict[str, Any] = {}
        self.silent: set[str] = set()
        self.versions: dict[str, int] = {}
        self.seen: list[dict[str, Any]] = []
        self.errors = b""
        self._new = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._ended = False
        self._number = 0
        for work in (self._read, self._read_errors):
            threading.Thread(target=work, daemon=True).start()

    # The wire.

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            self._reading.wait()
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = stream.readline()
            self._receive(json.loads(stream.read(length)))
        with self._new:
            self._ended = True
            self._new.notify_all()

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def _receive(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message and message["method"] not in self.silent:
            self.send({"id": message["id"], "result": self._result(message)})
        with self._new:
            self.seen.append(message)
            self._new.notify_all()

    def _result(self, message: dict[str, Any]) -> Any:
        if message["method"] in self.answers:
            return self.answers[message["method"]]
        if message["method"] == "workspace/configuration":
            items = message["params"]["items"]
            by_scope = self.settings if callable(self.settings) else lambda scope: self.settings
            return [by_scope(item.get("scopeUri")) for item in items]
        if message["method"] == "workspace/applyEdit":
            return {"applied": True}
        if message["method"] == "window/showDocument":
            return {"success": True}
        return None

    def raw(self, data: bytes) -> None:
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError, ValueError):  # the server or the test closed it
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.raw(frame(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    def stop_reading(self) -> None:
        """Leave what the server writes in the pipe."""
        self._reading.clear()

    def go_on_reading(self) -> None:
        """Read again."""
        self._reading.set()

    # Waiting.

    def wait(self, wanted: Any, start: int = 0, seconds: float = LIMIT) -> dict[str, Any]:
        """Give the first message from `start` on for which `wanted(message)` holds."""
        end = time.monotonic() + seconds
        with self._new:
            while True:
                for message in self.seen[start:]:
                    if wanted(message):
                        return message
                left = end - time.monotonic()
                if left <= 0 or (self._ended and not self._new.wait(0.2)):
                    raise AssertionError(f"the message did not come; stderr: {self.errors.decode()}; seen: {self.seen}")
                self._new.wait(left)

    def all(self, method: str) -> list[dict[str, Any]]:
        return [message for message in list(self.seen) if message.get("method") == method]

    def note(self, method: str, start: int = 0, **parts: Any) -> dict[str, Any]:
        """Wait for a notification or request of the server whose params have these parts; give its params."""

        def wanted(message: dict[str, Any]) -> bool:
            params = message.get("params") or {}
            return message.get("method") == method and all(params.get(key) == value for key, value in parts.items())

        return self.wait(wanted, start).get("params") or {}

    # Calls.

    def begin(self, method: str, params: Any = None) -> int:
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, request: Any) -> dict[str, Any]:
        return self.wait(lambda message: "method" not in message and message.get("id") == request)

    def call(self, method: str, params: Any = None) -> dict[str, Any]:
        return self.answer(self.begin(method, params))

    def request(self, method: str, params: Any = None) -> Any:
        """Call and give the result; an error fails the test."""
        answer = self.call(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def notify(self, method: str, params: Any = None) -> None:
        self.send({"method": method, "params": params})

    # The protocol's ceremonies.

    def initialize(self, **params: Any) -> dict[str, Any]:
        defaults = {"processId": os.getpid(), "rootUri": None, "capabilities": capabilities()}
        result: dict[str, Any] = self.request("initialize", {**defaults, **params})
        self.notify("initialized", {})
        return result

    def open(self, uri: str, text: str, language: str = "script", version: int = 1) -> str:
        self.versions[uri] = version
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, uri: str, text: str, span: tuple[int, int, int, int] | None = None) -> int:
        self.versions[uri] += 1
        change: dict[str, Any] = {"text": text}
        if span is not None:
            change["range"] = lsp_range(*span)
        identifier = {"uri": uri, "version": self.versions[uri]}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
        return self.versions[uri]

    def pull(self, uri: str, previous: str | None = None) -> dict[str, Any]:
        params: dict[str, Any] = {"textDocument": {"uri": uri}}
        if previous is not None:
            params["previousResultId"] = previous
        result: dict[str, Any] = self.request("textDocument/diagnostic", params)
        return result

    def actions(self, uri: str, span: tuple[int, int, int, int], **context: Any) -> list[dict[str, Any]]:
        params = {"textDocument": {"uri": uri}, "range": lsp_range(*span), "context": {"diagnostics": [], **context}}
        result: list[dict[str, Any]] = self.request("textDocument/codeAction", params)
        return result

    def start_over(self) -> None:
        """Close every document, wait for quiet, and forget what was said."""
        for uri in self.versions:
            self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.notify("$/setTrace", {"value": "off"})
        self.versions.clear()
        self.settings, self.answers = {}, {}
        self.silent.clear()
        self.call("no/such")
        with self._new:
            self.seen.clear()

    def children(self) -> list[int]:
        """Give the process ids of the server's children."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = stat.read_text().rsplit(")", 1)[1].split()
                if int(fields[1]) == self.process.pid and fields[0] != "Z":
                    found.append(int(stat.parent.name))
        return found

    def close(self) -> None:
        self._reading.set()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                if stream is not None:
                    stream.close()
        self._cache.cleanup()


def lsp_range(line: int, character: int, end_line: int, end_character: int) -> dict[str, Any]:
    return {
        "start": {"line": line, "character": character},
        "end": {"line": end_line, "character": end_character},
    }


def gone(process_id: int, seconds: float = LIMIT) -> bool:
    """Wait until a process is no more (a zombie counts as gone)."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{process_id}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False
