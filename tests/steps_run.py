"""How often each function of a call runs a step, by which a test sees how the work grows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType

Tracer = Callable[[FrameType, str, object], object]


def steps_run(call: Callable[..., object], *arguments: object) -> Counter[CodeType]:
    """The lines that each function ran during a call. Unlike seconds they are the same on each machine."""
    # By identity: the hash of code is taken anew each time and would cost more than the step.
    seen: dict[int, tuple[CodeType, list[int], Tracer]] = {}

    def count(frame: FrameType, event: str, told: object) -> object:
        code = frame.f_code
        if id(code) not in seen:
            seen[id(code)] = (code, *_counter())
        return seen[id(code)][2](frame, event, told)

    earlier = sys.gettrace()
    sys.settrace(count)
    try:
        call(*arguments)
    finally:
        sys.settrace(earlier)
    steps: Counter[CodeType] = Counter()
    for code, counted, _ in seen.values():
        steps[code] += counted[0]
    return steps


def _counter() -> tuple[list[int], Tracer]:
    counted = [0]

    def step(frame: FrameType, event: str, told: object) -> object:
        counted[0] += 1
        return step

    return counted, step


def grown(few: Counter[CodeType], many: Counter[CodeType], least: int = 1_000) -> dict[str, float]:
    """How many times as many steps each function runs that ran at least so many before."""
    return {code.co_qualname: many[code] / steps for code, steps in few.items() if steps >= least}
