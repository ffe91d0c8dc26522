"""Bytes from the terminal that are not UTF-8, as in a paste from an older file, become a mark."""

from __future__ import annotations

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable
from functools import partial

from textual.drivers import linux_driver


def take_all_bytes() -> None:
    """Textual's own decoder ends the workbench at the first of them."""
    vars(linux_driver)["getincrementaldecoder"] = _forgiving


def _forgiving(encoding: str) -> Callable[[], IncrementalDecoder]:
    return partial(getincrementaldecoder(encoding), "replace")
