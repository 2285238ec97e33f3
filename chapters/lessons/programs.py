"""Programs around the service: applications that use it, and a website that is both."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import psutil

from chapters.course.live import LiveServer
from chapters.lessons.asking import ask

APPLICATION = Path(__file__).with_name("application.py")


def application(server: LiveServer, question: str) -> dict:
    """Run application.py as a program of its own; its "answer", and its "megabytes"."""
    command = [sys.executable, str(APPLICATION), server.url, question]
    done = subprocess.run(command, capture_output=True, check=True, encoding="utf-8")
    return json.loads(done.stdout)


def megabytes(process: int | None = None) -> float:
    """Memory that a process has for itself, without what it shares; None: this one."""
    return psutil.Process(process).memory_full_info().uss / 1e6


class Website:
    """A server of web pages that asks the inference service for the words on them.

    `port` is where it listens; `told`: what it did, line by line. Use it in a `with` block.
    """

    def __init__(self, service: LiveServer):
        self.service, self.told = service, []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.port = self._server.server_port
        self._thread = threading.Thread(target=self._server.serve_forever, args=[0.02])

    def __enter__(self) -> Website:
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        website = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                website.told.append(f"as a server: took GET {self.path} on port {website.port}")
                page = f"<h1>{website.words()}</h1>".encode()
                website.told.append(f"as a server: sent a page of {len(page)} bytes")
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                """It tells in `told`, not on standard error."""

        return Handler

    def words(self) -> str:
        """What the service says to the website's own request."""
        self.told.append(f"as a client: sent POST to port {self.service.port}")
        answer = ask(self.service, [{"role": "user", "content": "Say hello."}], max_tokens=6)
        self.told.append(f"as a client: got status {answer.status}")
        return answer.text
