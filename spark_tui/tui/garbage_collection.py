"""When Python looks for garbage: not while `spark` starts, and afterwards only among what came since.

A look at everything that Textual and the model have loaded took 105 ms, in the middle of a stream. Comes in:
nothing. Goes out: nothing. Must not know: what is loaded.
"""

from __future__ import annotations

import gc

_THRESHOLDS = (10_000, 20, 20)
"""Batches of events make and drop thousands of small objects a second; few of them are in cycles."""


def pause_collection() -> None:
    """Before the imports."""
    gc.disable()


def resume_collection() -> None:
    """Everything is loaded: it stays for good, so it is not looked at again."""
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
