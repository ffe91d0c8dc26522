"""Turns run on a remote backend."""

import threading

from spark_tui.backends.base import FilePart, Request
from spark_tui.events import Waited

FILE = FilePart("a.py", "x = 1\n" * 50, 1, 50)


def run(backend, stop=None, **request):
    request.setdefault("instruction", "count")
    request.setdefault("max_tokens", 5)
    return without_waits(backend.stream(Request(**request), stop or threading.Event()))


def without_waits(events):
    return [event for event in events if not isinstance(event, Waited)]
