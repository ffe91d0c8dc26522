"""The answer of a connected model is checked like any other: over a socket, in a format that it chose."""

import http.server
import json
import threading

import pytest

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session

CART = "def add(item, qty):\n    return item * qty\n\n\ndef total(items):\n    return sum(items)\n"
USES = "from shop.cart import add, total\n\nassert add(2, 3) == 6\nassert total([1]) == 1\n"


class ChatServer:
    """Streams one answer, whatever it is asked."""

    def __init__(self, answer):
        chunks = [answer[at : at + 7] for at in range(0, len(answer), 7)]
        rows = [{"choices": [{"index": 0, "delta": {"content": text}}]} for text in chunks]
        body = "".join(f"data: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_error(404)

            def do_POST(self):
                self.rfile.read(int(self.headers.get("content-length") or 0))
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                self.wfile.write(body.encode())

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


@pytest.fixture
def breaks(tmp_path):
    """What the hunks of an answer would break, as (hunk, path, line)."""
    shop = tmp_path / "root" / "shop"
    shop.mkdir(parents=True)
    for name, text in (("__init__.py", ""), ("cart.py", CART), ("tests.py", USES)):
        (shop / name).write_text(text)

    def breaks(answer):
        server = ChatServer(answer)
        backend = RemoteBackend(server.url, "m", key="", api="chat")
        session = Session(shop.parent, backend, Settings(), tmp_path / "state")
        try:
            *_, end = session.turn("change it", files=["shop/cart.py"], stop=threading.Event())
            assert isinstance(end, events.Finished), end
            assert session.decisions.offered()
            checked, *doubts = session.check_answer(stop=threading.Event())
        finally:
            session.close()
            server.close()
        assert checked.note == ""
        return [(doubt.hunk_id, doubt.path, doubt.line) for doubt in doubts]

    return breaks


def replace(path, old, new):
    return f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


def test_a_function_in_use_that_it_removes(breaks):
    gone = "def add(item, qty):\n    return item * qty\n\n\n"
    assert breaks(replace("shop/cart.py", gone, "")) == [(1, "shop/tests.py", 1)]


def test_a_call_that_it_adds_and_that_does_not_fit(breaks):
    answer = replace("shop/cart.py", "    return sum(items)\n", "    return sum(items) + add(1)\n")
    assert breaks(answer) == [(1, "shop/cart.py", 6)]


def test_a_parameter_that_callers_do_not_pass(breaks):
    answer = replace("shop/cart.py", "def add(item, qty):\n", "def add(item, qty, price):\n")
    assert breaks(answer) == [(1, "shop/tests.py", 3)]


def test_a_syntax_error(breaks):
    answer = replace("shop/cart.py", "    return sum(items)\n", "    return sum(items\n")
    assert breaks(answer) == [(1, "shop/cart.py", 6)]


def test_a_clean_edit(breaks):
    assert breaks(replace("shop/cart.py", "    return sum(items)\n", "    return sum(list(items))\n")) == []


def test_an_edit_of_two_files_that_fit_together(breaks):
    answer = replace("shop/cart.py", "def add(item, qty):\n", "def put(item, qty):\n")
    answer += replace(
        "shop/tests.py", "from shop.cart import add, total\n", "from shop.cart import put, total\n"
    )
    answer += replace("shop/tests.py", "assert add(2, 3) == 6\n", "assert put(2, 3) == 6\n")
    assert breaks(answer) == []
