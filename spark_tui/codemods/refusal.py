"""Refusing from within helpers: they raise, and the operation returns why."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar, cast

from spark_tui.codemods.plan import Plan, Refused, Why

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")


class Refusal(Exception):
    """Ends the planning of an operation. `refused` is the answer."""

    def __init__(self, reason: str, nearest: tuple[str, ...] = (), why: Why = "unfit") -> None:
        super().__init__(reason)
        self.refused = Refused(reason, nearest, why)


def refusing(plan: Callable[Concatenate[S, P], Plan]) -> Callable[Concatenate[S, P], Plan | Refused]:
    """Let a `plan` method answer with the reason of a `Refusal` that is raised in it."""

    @functools.wraps(plan)
    def answered(self: S, *args: P.args, **more: P.kwargs) -> Plan | Refused:
        try:
            return plan(self, *args, **more)
        except Refusal as error:
            return error.refused

    return cast(Callable[Concatenate[S, P], Plan | Refused], answered)


def need(found: T | Refused) -> T:
    """What was found, or the refusal raised."""
    if isinstance(found, Refused):
        raise Refusal(found.reason, found.nearest, found.why)
    return found
