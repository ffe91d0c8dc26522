"""`ulimit -v`: threads take their memory from one heap, so that a limit is spent on what is used."""

import subprocess
import sys
from pathlib import Path

import pytest

_GROWTH = """
import resource, threading
from spark_tui.engine.runtime.machine import share_one_heap
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, resource.RLIM_INFINITY))
{call}
def pages():
    return int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()
ready, done = threading.Barrier(9), threading.Barrier(9)
def work():
    held = [bytearray(20_000) for _ in range(20)]
    ready.wait()
    done.wait()
threads = [threading.Thread(target=work) for _ in range(8)]
before = pages()
for thread in threads:
    thread.start()
ready.wait()
print((pages() - before) >> 20)
done.wait()
for thread in threads:
    thread.join()
"""


def megabytes_of_eight_threads(call):
    words = [sys.executable, "-c", _GROWTH.format(call=call)]
    return int(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="/proc says how many addresses are taken")
def test_a_thread_does_not_reserve_a_heap_of_its_own():
    plain = megabytes_of_eight_threads("")
    if plain < 400:
        pytest.skip("this C library reserves no heap for each thread")
    assert megabytes_of_eight_threads("share_one_heap()") <= plain - 8 * 48
