"""Turns run on a backend, alone or all at once, and the ids of what they said."""

import threading

from support.event_streams import token_ids

from spark_tui.backends.base import FilePart, Request

FILE = FilePart("a.py", "".join(f"def part_{n}(width):\n    return width * {n}\n\n" for n in range(8)), 1, 24)


def run(backend, stop=None, **request):
    request.setdefault("max_tokens", 12)
    return list(
        backend.stream(Request(request.pop("instruction", "go on"), **request), stop or threading.Event())
    )


def together(backend, requests):
    """All at once, each on a thread; what each said, in order."""
    found = [None] * len(requests)
    started = threading.Barrier(len(requests))

    def one(place, request):
        started.wait()
        found[place] = token_ids(backend.stream(request, threading.Event()))

    threads = [threading.Thread(target=one, args=item) for item in enumerate(requests)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
