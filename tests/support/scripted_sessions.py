"""Sessions over a small folder, with a scripted backend, that are closed at the end of the test."""

import contextlib

from support.open_sessions import open_sessions
from support.scripted_backend import Scripted, after, run
from support.small_repositories import written

from spark_tui.session.storage import journal

SEVEN_LINES = "".join(f"line {n}\n" for n in range(1, 8))
FOUR_LINES = "one\ntwo\nthree\nfour\n"
FIRST = "*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n\n@@ 5,6\n+third\n"
ANSWERS = {
    "do it": FIRST,
    "no, other": "*** cart.py\n@@ 3,3\n+other\n",
    "and more": "*** cart.py\n@@ 6,6\n+more\n",
}
"""Answers about `SEVEN_LINES`."""
IN_SHOP = {
    "do it": FIRST.replace("cart.py", "shop/cart.py"),
    "no, other": "*** shop/cart.py\n@@ 3,3\n+other\n",
}
"""Answers about the cart of the example repository."""
INDEXED = {
    "do it": "Well then.\n*** cart.py\n@@ 1,2\n+first\n\n@@ 3,3\n+second\n",
    "no, other": "*** cart.py\n@@ 3,3\n+other\n",
    "do \udcff it": "*** cart\udcff.py\n@@ 1,1\n+first\n",
    "divide": "*** cart.py\n@@ 2,2\n+first\n+\n+second\n",
}
"""Answers for the tests of the index."""


@contextlib.contextmanager
def scripted_sessions(folder, answers, text, **scripted):
    """A function that opens a session over `folder/plain/cart.py`; its state is in `folder/state`."""
    root = written(folder / "plain", {"cart.py": text})
    with open_sessions(root, folder / "state") as open_one:
        yield lambda session_id="", **kwargs: open_one(
            Scripted(answers, **{**scripted, **kwargs}), session_id=session_id
        )


def entries(session):
    """The events in the journal of a session."""
    return [entry.event for entry in journal.read(session.folder / "journal.jsonl")]


def steered_and_written(open_indexed):
    """The id of a closed session: a turn stopped and steered, and one hunk of it written. Needs `INDEXED`."""
    session = open_indexed()
    (session.root / "cart.py").write_text(FOUR_LINES)
    run(session.turn, "do it", until=after(48))
    run(session.turns.steer, "no, other")
    session.decisions.decide(1, "accepted")
    session.changes.write()
    session.close()
    return session.id
