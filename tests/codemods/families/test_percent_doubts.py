"""What `text % values` may do that its f-string does not."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal

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
        (
            "def f(n: int):\n    n = n / 2\n    return '%d' % (n,)\n",
            ["n may be no whole number: %d cuts it, an f-string fails"],
        ),
        (
            "def f(n: int, a):\n    return [g('%d' % (n,)) for n in a]\n",
            ["n may be no whole number: %d cuts it, an f-string fails"],
        ),
        (
            "def f(a, len):\n    return '%d' % (len(a),)\n",
            ["len(a) may be no whole number: %d cuts it, an f-string fails"],
        ),
        (
            "from decimal import Decimal\n\n\ndef f(a, b):\n    return '%.1f of %s' % (a, b)\n",
            ["a may be a Decimal or the like: %f makes a float of it, an f-string does not"],
        ),
        (
            "def f(a):\n    try:\n        return '%.1f' % (a,)\n    except TypeError:\n        return ''\n",
            ["a may be expected to fail here: an f-string may raise ValueError for TypeError"],
        ),
    ],
)
def test_a_percent_is_doubted_where_its_f_string_may_differ(body: str, reasons: list[str]) -> None:
    found = plan("to_f_string 'in m.py'", {"m.py": HEAD + body})
    assert [one.reason for one in found.unfollowed] == reasons


@pytest.mark.parametrize("form", ["%05s", "%-05d", "%-08.2f", "%+-5d", "%0+5d", "%.2x"])
def test_a_form_that_means_something_else_in_an_f_string_is_refused(form: str) -> None:
    code = f"def f(a: int):\n    return '{form}' % (a,)\n"
    assert refusal("to_f_string 'in m.py'", {"m.py": code}).reason == f"{form} has no counterpart"
