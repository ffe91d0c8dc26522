"""Requests streamed from a backend, and the tokens in the events."""

import threading

from spark_tui.backends.base import Request
from spark_tui.events import Token


def stream_request(backend, stop=None, **request):
    """All events of the answer."""
    return list(backend.stream(Request(**request), stop or threading.Event()))


def tokens_of(events):
    return [event for event in events if isinstance(event, Token)]


def token_ids(events):
    return [token.id for token in tokens_of(events)]


def token_text(events):
    return "".join(token.text for token in tokens_of(events))
