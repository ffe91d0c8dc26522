"""Spark's errors as errors of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from acp import RequestError

from spark_tui.errors import NoPlace, Refused, SparkError, UsageError

INVALID_REQUEST, INVALID_PARAMS, INTERNAL, NOT_FOUND = -32600, -32602, -32603, -32002
_INVALID = (UsageError, Refused, NoPlace)
T = TypeVar("T")


def invalid(what: str, where: str = "") -> RequestError:
    return RequestError(INVALID_PARAMS, f"{where}: {what}" if where else what)


def protocol_error(error: SparkError) -> RequestError:
    """An error of the protocol is one line; hint and place are in its data."""
    code = INVALID_PARAMS if isinstance(error, _INVALID) else INTERNAL
    return RequestError(code, " ".join(str(error).split()), error.as_dict())


def checked(work: Callable[[], T]) -> T:
    """Run something whose refusals are errors of the protocol."""
    try:
        return work()
    except SparkError as error:
        raise protocol_error(error) from error
