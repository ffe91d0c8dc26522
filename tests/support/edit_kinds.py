"""Cases of one kind of edit, and what their code does when it is run."""

from random import Random

from spark_tui.train import kind_cases
from spark_tui.train.cases import Case
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.source_windows import SourceWindow


def cases(name: str, text: str, want: int = 12) -> list[Case]:
    """The first `want` cases that four times as many seeds give."""
    found = (
        kind_cases.edit(KINDS[name], SourceWindow("shop.py", text), Draw(Random(seed)))
        for seed in range(4 * want)
    )
    out = [case for case in found if case is not None][:want]
    assert out
    return out


def value_of(text: str, call: str, **names: object) -> object:
    """The value of a call after the code has run."""
    scope: dict[str, object] = dict(names)
    exec(text, scope)
    return eval(call, scope)
