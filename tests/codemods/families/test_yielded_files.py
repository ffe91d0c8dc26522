"""Files that a generator yields while they are open."""

from __future__ import annotations

import pytest
from codemods.repositories import after, plan, refusal

HELD = "from contextlib import contextmanager\n\n\n@contextmanager\n"
CLOSED = "f may be read here after it is closed"


def function(*lines: str) -> str:
    return "def lent(name):\n" + "".join(f"    {line}\n" for line in lines)


OPENED = function("with open(name) as f:", "    yield f")
GUARDED = ("f = open(name)", "try:", "    yield f", "finally:", "    f.close()")


@pytest.mark.parametrize(
    ("old", "marks"),
    [
        (HELD + function("f = open(name)", "yield f", "f.close()"), []),
        (HELD + function(*GUARDED), []),
        (function(*GUARDED), []),
        # `next(lent(name))` gives the generator up, which closes the file.
        (function("f = open(name)", "yield f", "f.close()"), [CLOSED]),
        (HELD + function("f = open(name)", "yield f"), [CLOSED]),
    ],
)
def test_a_yielded_file_is_open_as_long_as_the_generator_waits(old: str, marks: list[str]) -> None:
    new = old[: old.index("def")] + OPENED
    assert after("open_with 'in lent'", old) == new
    assert [one.reason for one in plan("open_with 'in lent'", {"m.py": old}).unfollowed] == marks


@pytest.mark.parametrize(
    "lines",
    [
        ("f = open(name)", "return f"),
        ("f = open(name)", "self.f = f", "yield f", "f.close()"),
        ("f = open(name)", "yield f, name", "f.close()"),
        ("f = open(name)", "answer = yield f", "f.close()"),
        ("f = open(name)", "g = f", "yield g", "f.close()"),
    ],
)
def test_a_file_that_is_kept_leaves_the_statements(lines: tuple[str, ...]) -> None:
    assert "leaves the statements" in str(refusal("open_with 'in lent'", {"m.py": HELD + function(*lines)}))


def test_a_file_that_is_kept_beside_a_yield_is_marked() -> None:
    old = HELD + function("f = open(name)", "KEPT.append(f)", "yield f", "f.close()")
    found = plan("open_with 'in lent'", {"m.py": old}).unfollowed
    assert [(one.line, one.reason) for one in found] == [(7, CLOSED)]
