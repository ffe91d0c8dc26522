"""A chat server on a real socket that gives one answer after the other, and keeps what it was asked."""

import contextlib
import http.server
import json
import threading


class ChatServer:
    """The last answer is given again and again."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_error(404)

            def do_POST(self):
                length = int(self.headers.get("content-length") or 0)
                server.asked.append(json.loads(self.rfile.read(length)))
                answer = server.answers.pop(0) if len(server.answers) > 1 else server.answers[0]
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                for at in range(0, len(answer), 7):
                    row = {"choices": [{"index": 0, "delta": {"content": answer[at : at + 7]}}]}
                    self.wfile.write(f"data: {json.dumps(row)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *args):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01})
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@contextlib.contextmanager
def chat_server(*answers):
    server = ChatServer(*answers)
    try:
        yield server
    finally:
        server.close()
