"""Errors as clients know them: one exception with a status, a JSON body and headers."""

from __future__ import annotations

import logging
import math
import re
from typing import Any

from spark_tui.errors import Misfit, NoBackend, NoFileShown, Refused, SparkError

_LOG = logging.getLogger("spark.serve")
_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "conflict_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}

_ANSWERS: dict[type[SparkError], tuple[int, str]] = {
    NoFileShown: (400, "no_file_shown"),
    Misfit: (400, "context_length_exceeded"),
    Refused: (403, "refused"),
}
"""Status and code; the first kind that fits counts."""


_OF_COMMANDS = re.compile(r"--[a-z]|\bspark [a-z]")


class ApiError(Exception):
    """A refusal or a failure, as a client sees it. `extra` are further members of the error object."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        param: str | None = None,
        retry_after: float = 0.0,
        **extra: Any,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param
        self.retry_after = retry_after
        self.extra = extra

    def body(self) -> dict[str, Any]:
        """`{"message", "type", "param", "code"}`, the members that OpenAI's clients read."""
        kind = _TYPES.get(self.status, "server_error" if self.status >= 500 else "invalid_request_error")
        out = {"message": self.message, "type": kind, "param": self.param, "code": self.code, **self.extra}
        if self.retry_after:
            out["retry_after"] = round(self.retry_after, 3)
        return out

    def headers(self) -> dict[str, str]:
        out = {}
        if self.retry_after:
            out["retry-after"] = str(max(1, math.ceil(self.retry_after)))
        if self.status == 401:
            out["www-authenticate"] = "Bearer"
        return out


def from_spark_error(error: SparkError) -> ApiError:
    """The same facts for a client; where on this machine it happened stays here, and so does a hint that
    names a command or a flag of spark. What to do about a model that fails is told to the log: the key and
    the address in question are this server's, and not its client's."""
    if isinstance(error, NoBackend):
        _LOG.warning("the model failed: %s", " ".join(str(error).replace("\n  ", ". ").split()))
        return ApiError(503, "no_backend", f"the model failed: {error.what}")
    hint = "" if _OF_COMMANDS.search(error.hint) else error.hint
    text = f"{error.what}. {hint}" if hint else error.what
    found = (answer for kind, answer in _ANSWERS.items() if isinstance(error, kind))
    return ApiError(*next(found, (400, "invalid_request")), text)


def from_exception(error: Exception) -> ApiError:
    """What was not raised on purpose is told to the log in full, and to the client in a sentence."""
    if isinstance(error, ApiError):
        return error
    if isinstance(error, SparkError):
        return from_spark_error(error)
    _LOG.error("a turn failed", exc_info=error)
    return ApiError(500, "internal_error", "Internal error during this turn; see the server's log.")


def invalid(message: str, param: str | None = None, code: str = "invalid_value") -> ApiError:
    return ApiError(400, code, message, param=param)
