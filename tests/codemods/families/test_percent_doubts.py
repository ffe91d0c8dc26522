"""What `text % values` may do that its f-string does not."""

from __future__ import annotations

import pytest
from codemods.repositories import plan

HEAD = "class Own:\n    def __format__(self, spec):\n        return ''\n\n\n"


@pytest.mark.parametrize(
    ("body", "reasons"),
    [
        ("def f(a, b):\n    return '%s of %s' % (a, b)\n", []),
        ("def f(a):\n    return '%s' % a\n", ["a may be a tuple"]),
        ("def f(a: str):\n    return '%s' % a\n", []),
        ("def f():\n    try:\n        g()\n    except OSError as e:\n        return 'no: %s' % e\n", []),
        (
            "def f(a):\n    return '%s' % (Own(),)\n",
            ["Own() has a format of its own, which str() does not use"],
        ),
        ("def f(a, b):\n    return '%r: %d' % (a, len(b))\n", []),
        ("def f(a: int):\n    return '%05d' % a\n", []),
        (
            "def f(a):\n    return '%d%%, %.2f' % (a, a)\n",
            ["a may be no whole number: %d cuts it, an f-string fails"],
        ),
    ],
)
def test_a_percent_is_doubted_where_its_f_string_may_differ(body: str, reasons: list[str]) -> None:
    found = plan("to_f_string 'in m.py'", {"m.py": HEAD + body})
    assert [one.reason for one in found.unfollowed] == reasons
