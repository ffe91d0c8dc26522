# ruff: noqa: E501 - cases read better unbroken
"""Idioms on code where care is needed: what stays as it was, and where nothing may be made."""

from __future__ import annotations

import pytest

from spark_tui.refactor.known import PLAIN, known


def _made(code: str, order: str) -> str | None:
    """The new text of a plain edit."""
    lines = code.split("\n")[:-1]
    found = known(lines, order)
    if not found or found[0].plain != PLAIN:
        return None
    out = list(lines)
    for hunk in reversed(found[0].hunks):
        out[hunk.first : hunk.last] = hunk.new
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ("use a list comprehension", "def f(xs):\n    out = []\n    for x in xs:\n        out.append(x)\n    return out, x\n"),
        ("use a list comprehension", "def f(xs):\n    out = []\n    for x in xs:\n        if x not in out:\n            out.append(x)\n    return out\n"),
        ("use enumerate", "def f(xs):\n    i = 0\n    for x in xs:\n        if x:\n            continue\n        print(i)\n        i += 1\n"),
        ("use enumerate", "def f(xs):\n    i = 0\n    for x in xs:\n        print(i)\n        i += 1\n    return i\n"),
        ("inline a", "def f(d):\n    a = d.pop()\n    d.append(3)\n    return a\n"),
        ("inline a", "def f(d):\n    a = d + 1\n    d = 5\n    return a\n"),
        ("inline a", "def f(d):\n    a = g()\n    return [a for _ in d]\n"),
        ("inline t", "class A:\n    def b(self):\n        t = self.x\n        self.x = 3\n        return t\n"),
        ("use with", "def f(p):\n    fh = open(p)\n    x = fh.read()\n    fh.close()\n    return x, fh\n"),
        ("use an f-string", 'def f(a):\n    return "%s and %s" % a\n'),
        ("use an f-string", 'def f(a):\n    return "%s" % a["\\n"]\n'),
        ("use any()", "def f(xs):\n    for x in xs:\n        if x:\n            return True\n        log(x)\n    return False\n"),
        ("remove the else", "def f(a):\n    if a:\n        b()\n    else:\n        c()\n"),
        ("merge the nested ifs", "def f(a, b):\n    if a:\n        if b:\n            c()\n    else:\n        d()\n"),
        ("use a ternary", "def f(a):\n    if a:\n        x = 1\n    else:\n        y = 2\n"),
        ("use max", "def f(xs):\n    best = 5\n    for x in xs:\n        if x.a > best.a:\n            best = x\n    return best\n"),
        ("sort by name", "def f(xs):\n    return sorted(xs)\n"),
    ],
)  # fmt: skip
def test_where_the_code_would_do_something_else_nothing_is_made(order: str, code: str) -> None:
    assert _made(code, order) is None


@pytest.mark.parametrize(
    ("order", "code", "new"),
    [
        ("inline name", 'def f(d):\n    name = d["x"]\n    return f"hi {name}"\n', "def f(d):\n    return f\"hi {d['x']}\"\n"),
        ("inline t", "def f(a):\n    t = a + 1\n    return t * 2\n", "def f(a):\n    return (a + 1) * 2\n"),
        ("inline t", "def f(a):\n    t = (a + 1) * (a - 1)\n    return t + t\n", "def f(a):\n    return (a + 1) * (a - 1) + (a + 1) * (a - 1)\n"),
        ("use an f-string", 'def f(a, b):\n    return "%5.2f|%-10s|%03d|%%|%r|%x" % (a, b, a, b, a)\n', 'def f(a, b):\n    return f"{a:5.2f}|{b:<10}|{a:03d}|%|{b!r}|{a:x}"\n'),
        ("use an f-string", 'def f(d):\n    return "%(a)s {x}" % {"a": d["k"]}\n', "def f(d):\n    return f\"{d['k']} {{x}}\"\n"),
        ("make it an f-string", 'def f(d):\n    return "{0} {1[0]} {name!r:>10} {{}}".format(d, d, name=d["k"])\n', "def f(d):\n    return f\"{d} {d[0]} {d['k']!r:>10} {{}}\"\n"),
        ("early return", 'def f(a):\n    if a:\n        x = """\n        one\n          two\n        """\n        # why\n        return x\n    return None\n', 'def f(a):\n    if not a:\n        return None\n    x = """\n        one\n          two\n        """\n    # why\n    return x\n'),
        ("merge the ifs", "def f(a, b, c):\n    if a and b or c:\n        if b or a:\n            go()\n", "def f(a, b, c):\n    if (a and b or c) and (b or a):\n        go()\n"),
        ("use continue instead of nesting", "def f(xs):\n    for x in xs:\n        if x.ok:\n            a(x)\n            b(x)\n", "def f(xs):\n    for x in xs:\n        if not x.ok:\n            continue\n        a(x)\n        b(x)\n"),
        ("f-string", 'def f(é):\n    größe = "é" + str(é) + "ü"\n    return größe\n', 'def f(é):\n    größe = f"é{é}ü"\n    return größe\n'),
        ("list comprehension", "def f(xs):\n\tout = []\n\tfor x in xs:\n\t\tout.append(-x)\n\treturn out\n", "def f(xs):\n\tout = [-x for x in xs]\n\treturn out\n"),
        ("remove the else", "def f(x):\n    if x:\n        return 1\n    else:\n        # last\n        return 3\n", "def f(x):\n    if x:\n        return 1\n    # last\n    return 3\n"),
        ("use all", "def f(xs):\n    ok = True\n    for x in xs:\n        if x < 0:\n            ok = False\n            break\n    return ok\n", "def f(xs):\n    return all(x >= 0 for x in xs)\n"),
        ("use max", "def f(xs):\n    best = xs[0]\n    for x in xs:\n        if x.a > best.a:\n            best = x\n    return best\n", "def f(xs):\n    return max(xs, key=lambda x: x.a)\n"),
        ("use .items()", "d = {}\nfor k in d.keys():\n    print(k, d[k])\n", "d = {}\nfor k, value in d.items():\n    print(k, value)\n"),
        ("drop .keys()", "d = {}\nfor k in d.keys():\n    print(k, d[k])\n", "d = {}\nfor k in d:\n    print(k, d[k])\n"),
        ("sort descending", "def f(xs):\n    return sorted(xs, key=lambda x: x.age)\n", "def f(xs):\n    return sorted(xs, key=lambda x: x.age, reverse=True)\n"),
        (
            "f should be the other way round",
            "def f(xs):\n    return sorted(xs, key=len)[:3]\n",
            "def f(xs):\n    return sorted(xs, key=len, reverse=True)[:3]\n",
        ),
        (
            "f is sorted the wrong way round, reverse the sort",
            "def f(xs):\n    return sorted(xs, key=len, reverse=True)\n",
            "def f(xs):\n    return sorted(xs, key=len)\n",
        ),
        ("use not in", "def f(a):\n    if not a in (1, 2):\n        g()\n", "def f(a):\n    if a not in (1, 2):\n        g()\n"),
        ("make add a def", "add = lambda a, b: a + b\n", "def add(a, b):\n    return a + b\n"),
        ("turn the while into a for loop", "i = 0\nwhile i < len(xs):\n    print(xs[i])\n    i += 1\n", "for i in range(len(xs)):\n    print(xs[i])\n"),
        ("use enumerate", "def f(xs):\n    n = 1\n    for a, b in xs:\n        print(n, a, b)\n        n += 1\n", "def f(xs):\n    for n, (a, b) in enumerate(xs, 1):\n        print(n, a, b)\n"),
        ("use divmod", "def f(s):\n    m = s // 60\n    r = s % 60\n    return m, r\n", "def f(s):\n    m, r = divmod(s, 60)\n    return m, r\n"),
        ("use isinstance", "def f(x):\n    return type(x) == int\n", "def f(x):\n    return isinstance(x, int)\n"),
        ("swap without a temporary variable", "def f(a, b):\n    t = a\n    a = b\n    b = t\n    return a, b\n", "def f(a, b):\n    a, b = b, a\n    return a, b\n"),
        ("use contextlib.suppress", "import os\n\ntry:\n    os.remove(p)\nexcept OSError:\n    pass\n", "import os\nfrom contextlib import suppress\n\nwith suppress(OSError):\n    os.remove(p)\n"),
        ("use +=", 'def f(x, a):\n    x = x + 1\n    a["k"] = a["k"] * 2\n', 'def f(x, a):\n    x += 1\n    a["k"] = a["k"] * 2\n'),
    ],
)  # fmt: skip
def test_what_is_made_keeps_the_rest_of_the_text(order: str, code: str, new: str) -> None:
    assert _made(code, order) == new
