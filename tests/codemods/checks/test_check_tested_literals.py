"""Messages and values that a change replaces and a test still expects."""

from __future__ import annotations

import pytest
from codemods.repositories import findings

CODE = """LIMIT = 3


class Job:
    def __init__(self, name, limit=None):
        self.limit = limit

    def run(self, other):
        if other is None:
            raise ValueError(f"unknown command {other}")
        if other == 1:
            raise KeyError("job is closed (one)")
        return f"{self.limit} of {other}"
"""
TESTS = """import pytest
from jobs import LIMIT, Job


def test_command():
    with pytest.raises(ValueError, match="unknown command jump"):
        Job("a").run(None)


def test_closed():
    with pytest.raises(KeyError, match=r"job is closed \\(one"):
        Job("a").run(1)


def test_limit():
    assert Job("a").limit is None
    assert Job("a").run(2) == "None of 2"


def test_given():
    assert Job("a", limit=None).limit is None
    assert LIMIT == 3
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("unknown command {", "no such command {", [(6, "the text 'unknown command jump'")]),
        ("is closed (", "was closed (", [(11, "the text 'job is closed \\\\(one'")]),
        ("closed (one)", "closed (one of them)", []),
        ("limit=None", "limit=30", [(16, "limit to be None")]),
        ("LIMIT = 3", "LIMIT = 4", [(22, "LIMIT to be 3")]),
        ("} of {", "} from {", []),
        ("    return f", "    print('done')\n        return f", []),
    ],
)
def test_a_test_that_still_expects_what_was_there(old: str, new: str, found: list[tuple[int, str]]) -> None:
    files = {"jobs.py": CODE, "test_jobs.py": TESTS}
    said = findings("tested literals", files, {"jobs.py": CODE.replace(old, new)})
    assert [(one.line, one.reason) for one in said] == [(line, f"expects {what}") for line, what in found]
    assert not any(one.sure for one in said)


def test_a_message_that_another_function_still_has_is_expected_of_that() -> None:
    more = CODE + '\n\ndef other(other):\n    raise ValueError(f"unknown command {other}")\n'
    files = {"jobs.py": more, "test_jobs.py": TESTS}
    changed = more.replace("unknown command", "no such command", 1)
    assert not findings("tested literals", files, {"jobs.py": changed})


def test_a_default_that_other_methods_of_the_class_have_too() -> None:
    more = CODE + "\n    def stop(self, limit=None):\n        self.limit = limit\n"
    files = {"jobs.py": more, "test_jobs.py": TESTS}
    changed = more.replace("name, limit=None", "name, limit=30")
    assert [one.line for one in findings("tested literals", files, {"jobs.py": changed})] == [16]


def test_a_long_text_of_a_test_is_looked_through_once() -> None:
    """A text of many fields would take a regular expression more than a lifetime."""
    told = "f'{a} {b} {c} {d} {e} remains, then again'"
    code = f"def tell(a, b, c, d, e):\n    return {told}\n"
    tests = f"def test_tell():\n    assert {'remains to be ' * 2_000!r}\n"
    files = {"jobs.py": code, "test_jobs.py": tests}
    changed = {"jobs.py": code.replace(told, "None")}
    assert not findings("tested literals", files, changed)
