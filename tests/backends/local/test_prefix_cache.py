"""What stays warm: the file and what was said before any instruction, until it is given up."""

import threading

from support.cache_integrity import check_pool
from support.tiny_models import spark_backend

from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.events import PrefillProgress

TEXT = "".join(f"def area_{n}(width):\n    return width * {n}\n\n" for n in range(12))
FILES = (FilePart("src/area.py", TEXT),)
HISTORY = (Exchange("rename width to breadth", "*** src/area.py\n@@ 1,2\n+x\n", "src/area.py:1: rejected"),)


def read(backend, instruction="double it", **more):
    request = Request(instruction, FILES, history=HISTORY, max_tokens=1, **more)
    found = [e for e in backend.stream(request, threading.Event()) if isinstance(e, PrefillProgress)]
    return found[-1].total - found[-1].reused if found else 0


def test_the_history_is_read_ahead_with_the_file():
    backend = spark_backend()
    assert read(backend, kind="warm", instruction="") > 100
    assert read(backend) < 12
    backend.close()


def test_what_is_forgotten_is_cold_also_where_it_begins_alike():
    backend = spark_backend()
    first = read(backend)
    assert read(backend, instruction="halve it") < 12
    backend.caches.forget()
    assert read(backend) == first
    backend.close()


def test_what_is_forgotten_is_cold_also_where_a_fork_had_made_it_findable():
    backend = spark_backend()
    first = read(backend)
    fork = backend.caches._caches[-1].fork()
    fork.close()
    backend.caches.forget()
    check_pool(backend.engine.pool)
    assert read(backend) == first
    backend.close()
