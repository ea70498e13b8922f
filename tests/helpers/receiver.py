"""Somebody who receives posts, as the other end of a webhook."""

import contextlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["dripping", "receiver"]


@contextlib.contextmanager
def receiver(*answers):
    """Answer posts with these statuses, one after the other, and then with 204; give their headers and bodies."""
    posts, left, enough = [], list(answers), threading.Condition()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            with enough:
                posts.append((dict(self.headers), body))
                status = left.pop(0) if left else 204
                enough.notify_all()
            self.send_response(status)
            self.send_header("Location", "http://[")  # a redirect that nobody can even read
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_words):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()

    def wait(count):
        with enough:
            assert enough.wait_for(lambda: len(posts) >= count, 60)
        return posts

    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/hook?x=1", wait
    finally:
        server.shutdown()
        server.server_close()


@contextlib.contextmanager
def dripping():
    """Answer nothing but blanks, for as long as somebody listens; tell when one has gone away again."""
    server, gone = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def drip():
        with contextlib.suppress(OSError):
            line, _address = server.accept()
            with line, contextlib.suppress(OSError):
                line.settimeout(0.01)
                listens = True
                while listens:
                    line.sendall(b" ")
                    with contextlib.suppress(TimeoutError):
                        listens = bool(line.recv(4096))
            gone.set()

    threading.Thread(target=drip, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/hook", gone
    finally:
        server.close()
