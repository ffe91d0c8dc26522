"""Of each kind of slip, the right code is among what may have been meant."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from spark_tui.intent.slips.finding import applied, find_slips
from spark_tui.intent.slips.place import FINDERS
from spark_tui.pysource.source import Source

# code, a piece of it, and what that has to become
CASES = [
    ("def f(a, b):\n    return a < b", "a < b", "a <= b"),
    ("def f(a, b):\n    return a <= b and b <= 9", "a <= b and b <= 9", "a < b and b < 9"),
    ("def f(a):\n    return a + 1 > 2", "a + 1 > 2", "a + 1 >= 2"),
    ("def f(xs):\n    return [x for x in xs if x]", "if x]", "if x is not None]"),
    ("def f(a, b):\n    if a and b:\n        return 1", "a and b", "a or b"),
    ("def f(y):\n    return y and y % 2 and y % 3", "y and y % 2 and y % 3", "y and (y % 2 or y % 3)"),
    ("def f(xs):\n    if xs:\n        return 1", "if xs", "if not xs"),
    ("def f(a, b):\n    return a + b / 2", "a + b / 2", "(a + b) / 2"),
    ("def f(a, b):\n    return a - b", "a - b", "b - a"),
    ("def f(a):\n    return a // 100", "a // 100", "(a + 50) // 100"),
    ("def f(xs, n):\n    return xs[n]", "xs[n]", "xs[n - 1]"),
    ("def f(xs, n):\n    return xs[:n]", "xs[:n]", "xs[:n + 1]"),
    ("def f(n):\n    return list(range(n))", "range(n)", "range(1, n + 1)"),
    ("def f(low, high):\n    return low * 2", "low * 2", "high * 2"),
    ("def f(x):\n    return x == 10", "10", "11"),
    ("LIMIT = 3\ndef f(x):\n    return x > LIMIT", "LIMIT = 3", "LIMIT = 4"),
    ("def f(day):\n    return day.strftime('%Y-%M')", "'%Y-%M'", "'%Y-%m'"),
    ("def f(x):\n    return f'{x:.1f}'", "{x:.1f}", "{x:.2f}"),
    ("def f(x):\n    return x", "return x", "return x.strip()"),
    ("def f(a, b):\n    return max(b)", "max(b)", "min(b)"),
    ("def f(s):\n    return s.lstrip()", "s.lstrip()", "s.strip()"),
    ("def f(a, b):\n    return g(a, b)", "g(a, b)", "g(b, a)"),
    ("def f(a, b):\n    return (a - b).days", "(a - b).days", "(a - b).seconds"),
    ("def f(d, k):\n    return d.get(k)", "d.get(k)", "d.get(k, 0)"),
    ("def f(xs):\n    return sorted(xs)", "sorted(xs)", "sorted(xs, reverse=True)"),
    (
        "def f(xs):\n    return sorted(xs, key=lambda x: (x[1], x[0]), reverse=True)",
        "sorted(xs, key=lambda x: (x[1], x[0]), reverse=True)",
        "sorted(xs, key=lambda x: (-x[1], x[0]))",
    ),
    ("def f(x):\n    try:\n        g(x)\n    except KeyError:\n        pass", "KeyError", "OSError"),
    ("def f(xs):\n    total = 0\n    for x in xs:\n        total = x\n    return total", "= x", "+= x"),
    (
        "def f(xs):\n    for x in xs:\n        g(x)\n        return x",
        "        return x",
        "    return x",
    ),
    (
        "def f(xs):\n    for x in xs:\n        n = g(x)\n    h(n)\n    return 1",
        "    h(n)",
        "        h(n)",
    ),
    (
        "def f(a):\n    a = g(a)\n    a = h(a)\n    return a",
        "a = g(a)\n    a = h(a)",
        "a = h(a)\n    a = g(a)",
    ),
    ("def f(xs):\n    xs.pop()\n    return xs", "    xs.pop()\n", ""),
    (
        "def f(xs):\n    part = []\n    for x in xs:\n        if x:\n            g(part)\n    return 1",
        "            g(part)\n",
        "            g(part)\n    if part:\n        g(part)\n",
    ),
    ("def f(xs):\n    found = 1", "    found = 1\n", "    found = 1\n    return found\n"),
    (
        "def f(xs):\n    return xs[0]",
        "    return xs[0]",
        "    if not xs:\n        return None\n    return xs[0]",
    ),
    ("def f(xs):\n    return sum(xs) / len(xs)", "    return", "    xs = list(xs)\n    return"),
    (
        "def f(d, a, b):\n    if a in d:\n        return d[a]",
        "a in d:\n        return d[a]",
        "(a, b) in d:\n        return d[(a, b)]",
    ),
    ("NAMES = [\n    'a'\n    'b',\n]\ndef f():\n    return NAMES", "'a'\n", "'a',\n"),
    (
        "class A:\n    def __init__(self):\n        self.seen = []\n    def f(self):\n        self.n = 1",
        "        self.n = 1\n",
        "        self.n = 1\n        self.seen.clear()\n",
    ),
    ("def f(a, b):\n    return a ** b", "a ** b", "a ** (b - 1)"),
    ("def f(a, b, c):\n    return a / b - c", "a / b - c", "(a - c) / b"),
    ("def f(a, b, c):\n    return (a + b) * c", "(a + b) * c", "a * c + b"),
    ("def f(a):\n    seen = True\n    return seen", "= True", "= not seen"),
    ("def f(d, k):\n    if not d.get(k):\n        return 1", "not d.get(k)", "k not in d"),
    ("def f(d, k):\n    return 1 if d[k] else 2", "if d[k]", "if k in d"),
    (
        "class A:\n    def f(self):\n        for one in self.ones:\n            one()",
        "self.ones:",
        "list(self.ones):",
    ),
    ("def f(a):\n    b = a\n    return b", "b = a", "b = a.copy()"),
    ("import copy\ndef f(a):\n    return a", "return a", "return copy.deepcopy(a)"),
    (
        "def f(xs):\n    for x in xs:\n        g(x)\n        h(x)\n    return 1",
        "        h(x)",
        "    for x in xs:\n        h(x)",
    ),
    ("def f(a):\n    if a:\n        g()\n    else:\n        h()", "    else:\n        h()", "    h()"),
    (
        "def f(self, a):\n    if a:\n        self.n += 1\n    return 1",
        "        self.n += 1\n",
        "        self.n += 1\n    else:\n        self.n = 0\n",
    ),
    ("def f(a, b):\n    if a > b.end:\n        b = g(a)", "g(a)", "g(max(b.end, a))"),
    (
        "class A:\n    def f(self):\n        now = g()\n        return now - self.last",
        "        return",
        "        self.last = now\n        return",
    ),
    (
        "class A:\n    def f(self):\n        self.a()\n    def g(self):\n        self.b.clear()",
        "        self.a()\n",
        "        self.a()\n        self.b.clear()\n",
    ),
]


def slips(code: str) -> set[str]:
    source = Source(dedent(code) + "\n", "a.py")
    lines = dict.fromkeys(range(1, len(source.lines) + 1), 1.0)
    return {one.text for one in find_slips(source, lines, [])}


@pytest.mark.parametrize(("code", "old", "new"), CASES, ids=[new for _, _, new in CASES])
def test_the_right_code_is_among_them(code: str, old: str, new: str) -> None:
    text = dedent(code) + "\n"
    assert text.count(old) >= 1
    assert text.replace(old, new, 1) in slips(code)


@pytest.mark.parametrize("code", sorted({code for code, _, _ in CASES}))
def test_nearly_all_of_them_are_code(code: str) -> None:
    found = slips(code)
    parsed = 0
    for text in found:
        try:
            ast.parse(text)
        except SyntaxError:
            continue
        parsed += 1
    assert parsed >= 0.9 * len(found)


def test_only_what_ran_is_looked_at() -> None:
    source = Source("def f(a):\n    if a:\n        return a < 1\n    return a > 2\n", "a.py")
    texts = {one.text for one in find_slips(source, {2: 1.0, 4: 1.0}, [])}
    assert any("a >= 2" in text for text in texts)
    assert not any("a <= 1" in text for text in texts)


def test_lines_that_fail_more_come_first() -> None:
    source = Source("def f(a):\n    b = a < 1\n    return b and a < 2\n", "a.py")
    first = find_slips(source, {2: 0.3, 3: 1.0}, [])[0]
    assert "b = a < 1" in first.text


def test_a_wanted_value_is_returned_for_nothing_behind_the_checks() -> None:
    source = Source("def f(a):\n    check(a)\n    return str(a)\n", "a.py")
    texts = {one.text for one in find_slips(source, {2: 1.0, 3: 1.0}, [], wanted=["'zero'"])}
    assert "def f(a):\n    check(a)\n    if not a:\n        return 'zero'\n    return str(a)\n" in texts


def test_keys_that_are_written_out_stay() -> None:
    assert not any("'b': 1, 'b'" in text for text in slips("def f():\n    return {'a': 1, 'b': 2}"))


def test_changes_that_overlap_make_no_text() -> None:
    assert applied("abc", ((0, 2, "x"), (1, 3, "y"))) is None
    assert applied("abc", ((0, 1, "a"),)) is None
    assert applied("abc", ((0, 1, "x"), (2, 3, "y"))) == "xby"


def test_every_finder_is_registered_once() -> None:
    assert len({one.__name__ for one in FINDERS}) == len(FINDERS) > 20
