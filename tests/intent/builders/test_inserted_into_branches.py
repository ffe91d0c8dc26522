"""Statements go into the branch that is named, not to an end of the function."""

from __future__ import annotations

import pytest
from intent.asking import edited

CODE = """\
def load(path, force):
    f = open(path)
    try:
        data = f.read()
    except OSError:
        data = None
        raise
    finally:
        f.close()
    if force:
        data = None
    elif data is None:
        return 0
    else:
        use(data)
    for row in data:
        use(row)
    return data
"""


@pytest.mark.parametrize(
    ("said", "intent", "old", "new"),
    [
        ("in the finally of load call stop()", "insert_at_end", "f.close()\n", "f.close()\n        stop()\n"),
        ("stop() at the end of the try in load", "insert_at_end", "f.read()\n", "f.read()\n        stop()\n"),
        (
            "stop() in load's except",
            "insert_at_start",
            "= None\n        raise",
            "= None\n        stop()\n        raise",
        ),
        (
            "add stop() to the elif of load",
            "insert_at_end",
            "        return 0",
            "        stop()\n        return 0",
        ),
        ("add stop() to the else branch in load", "add_else", "use(data)\n", "use(data)\n        stop()\n"),
        (
            "at the start of the else of load stop()",
            "insert_at_start",
            "    use(data)",
            "    stop()\n        use(data)",
        ),
    ],
)
def test_code_stands_in_the_branch(said: str, intent: str, old: str, new: str) -> None:
    assert edited(said, intent, {"code": "stop()", "function": "load"}, CODE) == CODE.replace(old, new)


@pytest.mark.parametrize(
    "said", ["stop() last in load", "add stop() to load, or else it waits", "stop() in load to try it"]
)
def test_without_a_branch_it_stands_at_the_end(said: str) -> None:
    new = edited(said, "insert_at_end", {"code": "stop()", "function": "load"}, CODE)
    assert new == CODE.replace("    return data\n", "    stop()\n    return data\n")


def test_an_else_that_is_not_there_is_added() -> None:
    new = edited("an else in load: stop()", "add_else", {"code": "stop()", "function": "load"}, CODE) or ""
    assert new.count("else:") == 2
