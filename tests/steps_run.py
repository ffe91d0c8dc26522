"""How often each function of a call runs a step, by which a test sees how the work grows."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType


def steps_run(call: Callable[..., object], *arguments: object) -> Counter[CodeType]:
    """The lines that each function ran during a call. Unlike seconds they are the same on each machine."""
    steps: Counter[CodeType] = Counter()

    def count(frame: FrameType, event: str, told: object) -> Callable[..., object]:
        steps[frame.f_code] += 1
        return count

    earlier = sys.gettrace()
    sys.settrace(count)
    try:
        call(*arguments)
    finally:
        sys.settrace(earlier)
    return steps


def grown(few: Counter[CodeType], many: Counter[CodeType], least: int = 1_000) -> dict[str, float]:
    """How many times as many steps each function runs that ran at least so many before."""
    return {code.co_qualname: many[code] / steps for code, steps in few.items() if steps >= least}
