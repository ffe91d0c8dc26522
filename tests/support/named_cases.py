"""Which of the cases of one test failed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def case_named(*case: object) -> Iterator[None]:
    """Whatever fails within says the case, errors of the code, too."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"in the case {', '.join(map(str, case))}")
        raise
