"""Turns run on a backend, alone or all at once, and the ids of what they said."""

import threading
from concurrent.futures import ThreadPoolExecutor

from support.event_streams import token_ids

from spark_tui.backends.base import FilePart, Request

FILE = FilePart("a.py", "".join(f"def part_{n}(width):\n    return width * {n}\n\n" for n in range(8)), 1, 24)


def run(backend, stop=None, **request):
    request.setdefault("max_tokens", 12)
    return list(
        backend.stream(Request(request.pop("instruction", "go on"), **request), stop or threading.Event())
    )


def at_once(work, items):
    """The work for all items at once, each on a thread; what came of each, in order."""
    started = threading.Barrier(len(items))

    def one(item):
        started.wait(60)
        return work(item)

    with ThreadPoolExecutor(len(items)) as pool:
        return list(pool.map(one, items))


def together(backend, requests):
    """What each said where all are asked at once."""
    return at_once(lambda request: token_ids(backend.stream(request, threading.Event())), requests)
