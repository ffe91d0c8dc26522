"""Restricts the garbage collector, which is off while `spark` starts, to newer objects afterwards.

A full collection over everything that Textual and the model have loaded took 105 ms in the middle of a
stream.
"""

from __future__ import annotations

import gc

_THRESHOLDS = (10_000, 20, 20)
"""Batches of events make and drop thousands of small objects a second; few of them are in cycles."""


def resume_collection() -> None:
    """Everything is loaded: it stays for good, so it is not looked at again."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
