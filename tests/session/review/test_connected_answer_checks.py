"""The answer of a connected model is checked like any other: over a socket, in a format that it chose."""

import threading

import pytest
from support.chat_server import chat_server
from support.open_sessions import open_sessions
from support.small_repositories import written

from spark_tui import events
from spark_tui.backends.remote.backend import RemoteBackend

CART = "def add(item, qty):\n    return item * qty\n\n\ndef total(items):\n    return sum(items)\n"
USES = "from shop.cart import add, total\n\nassert add(2, 3) == 6\nassert total([1]) == 1\n"
SUM = "    return sum(items)\n"


def replace(old, new, path="shop/cart.py"):
    return f"{path}\n<<<<<<< SEARCH\n{old}=======\n{new}>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    ("answer", "breaks"),
    [
        pytest.param(
            replace("def add(item, qty):\n    return item * qty\n\n\n", ""),
            [(1, "shop/tests.py", 1)],
            id="a function in use that it removes",
        ),
        pytest.param(
            replace(SUM, "    return sum(items) + add(1)\n"),
            [(1, "shop/cart.py", 6)],
            id="a call that it adds and that does not fit",
        ),
        pytest.param(
            replace("def add(item, qty):\n", "def add(item, qty, price):\n"),
            [(1, "shop/tests.py", 3)],
            id="a parameter that callers do not pass",
        ),
        pytest.param(replace(SUM, "    return sum(items\n"), [(1, "shop/cart.py", 6)], id="a syntax error"),
        pytest.param(replace(SUM, "    return sum(list(items))\n"), [], id="a clean edit"),
        pytest.param(
            replace("def add(item, qty):\n", "def put(item, qty):\n")
            + replace(
                "from shop.cart import add, total\n", "from shop.cart import put, total\n", "shop/tests.py"
            )
            + replace("assert add(2, 3) == 6\n", "assert put(2, 3) == 6\n", "shop/tests.py"),
            [],
            id="an edit of two files that fit together",
        ),
    ],
)
def test_what_its_hunks_would_break_is_found(answer, breaks, tmp_path):
    files = {"shop/__init__.py": "", "shop/cart.py": CART, "shop/tests.py": USES}
    root = written(tmp_path / "root", files)
    with chat_server(answer) as server, open_sessions(root, tmp_path / "state") as open_one:
        session = open_one(RemoteBackend(server.url, "m", key="", api="chat"))
        *_, end = session.turn("change it", files=["shop/cart.py"], stop=threading.Event())
        assert isinstance(end, events.Finished), end
        assert session.decisions.offered()
        checked, *doubts = session.check_answer(stop=threading.Event())
    assert checked.note == ""
    assert [(doubt.hunk_id, doubt.path, doubt.line) for doubt in doubts] == breaks
