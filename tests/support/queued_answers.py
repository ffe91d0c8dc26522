"""A server that gives whole HTTP answers from a queue, whatever it is asked."""

import http.server
import json
import threading


class Scripted:
    """A server that answers each request with the next of its answers, and keeps what it was asked."""

    def __init__(self, *answers):
        self.answers, self.asked, self.ports = list(answers), [], []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.do_POST()

            def do_POST(self):
                data = self.rfile.read(int(self.headers.get("content-length") or 0))
                outer.ports.append(self.client_address[1])
                outer.asked.append((self.path, dict(self.headers), json.loads(data) if data else None))
                status, headers, body = outer.answers.pop(0) if outer.answers else (500, {}, b"")
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "transfer-encoding" not in headers and "x-no-length" not in headers:
                    self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                if "x-no-length" in headers:
                    self.close_connection = True

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def sse(*events, done=True):
    """Chat chunks as a streamed answer."""
    rows = [event if isinstance(event, str) else json.dumps(event) for event in events]
    text = "".join(f"data: {row}\n\n" for row in rows) + ("data: [DONE]\n\n" if done else "")
    return 200, {"content-type": "text/event-stream"}, text.encode()


def chunk(text):
    return {"choices": [{"index": 0, "delta": {"content": text}}]}
