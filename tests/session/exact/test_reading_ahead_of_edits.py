"""The repository is read in the background, before the first edit needs it."""

from __future__ import annotations

import threading

from spark_tui import events
from spark_tui.pysource.inference.calls import RepositoryCalls
from spark_tui.session.exact.edit_cursor import Cursor


def test_the_index_tells_how_far_it_is_and_ends_when_it_is_stopped(open_in_shop):
    exact = open_in_shop().exact
    stop = threading.Event()
    stop.set()
    exact.load(stop)
    assert exact.done == 0
    exact.load(threading.Event())
    assert exact.done == exact.total > 0


def test_what_is_called_is_found_before_an_edit_asks_for_it(open_in_shop, monkeypatch):
    looked = []
    look = RepositoryCalls._look
    monkeypatch.setattr(
        RepositoryCalls, "_look", lambda calls, path: looked.append(path) or look(calls, path)
    )
    session = open_in_shop()
    session.exact.load(threading.Event())
    assert "shop/cart.py" in looked
    looked.clear()
    planned = session.exact.plan("/signature add Cart.add note default=None", Cursor())
    found = list(session.exact.run(planned, stop=threading.Event()))
    assert any(isinstance(event, events.HunkClosed) for event in found)
    assert "shop/cart.py" not in looked
