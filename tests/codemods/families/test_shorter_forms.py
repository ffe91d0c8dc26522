"""Generators in place of lists, `:=` in conditions, and calls that go: what is refused or marked."""

from __future__ import annotations

import pytest
from codemods.repositories import plan, refusal, repository


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        ("pass_generator m.py:1", "x = f([y for y in z])\n", "no list there"),
        ("pass_generator m.py:1", "x = max([y for y in z], [1])\n", "no list there"),
        ("pass_generator m.py:3", "def sum(x):\n    return x\nx = sum([y for y in z])\n", "something else"),
        ("pass_generator m.py:2", "async def f(z):\n    return sum([await y for y in z])\n", "async"),
        ("pass_generator m.py:1", "x = list([next(y) for y in z])\n", "another error"),
        ("pass_generator m.py:1", "x = all([(w := y) for y in z])\n", "w may not be set"),
        ("pass_generator m.py:2", "def f(z):\n    return sum([super().a for y in z])\n", "super()"),
        ("pass_generator m.py:1", "x = sum(\n    [  # a\n        y for y in z\n    ]\n)\n", "comments"),
        ("assign_in_condition m.py:1", "m = f()\nif a and m:\n    pass\n", "no condition there"),
        ("assign_in_condition m.py:1", "m = f()\nif g() < m:\n    pass\n", "no condition there"),
        ("assign_in_condition m.py:1", "m = f()\nif a.b < m:\n    pass\n", "no condition there"),
        ("assign_in_condition m.py:1", "m: int = f()\nif m:\n    pass\n", "no condition there"),
        ("assign_in_condition m.py:1", "m = f()  # noqa\nif m:\n    pass\n", "about this line"),
        ("assign_in_condition m.py:1", f"m = f({'a' * 90})\nif m is None:\n    pass\n", "too long"),
        ("assign_in_condition m.py:1", "m = f(  # a\n    1)\nif m == 1:\n    pass\n", "on one line"),
        ("assign_in_condition m.py:1", "m = f(); n = 1\nif m:\n    pass\n", "no condition there"),
        ("assign_in_condition m.py:1", "n = 1; m = f()\nif m:\n    pass\n", "other code"),
        (
            "assign_in_condition m.py:1",
            "m = f()\nwhile m:\n    if a:\n        continue\n    m = f()\n",
            "no condition there",
        ),
        (
            "assign_in_condition m.py:2",
            "while True:\n    m = f()\n    if m < 4 or b:\n        break\n    g(m)\n",
            "not as plain",
        ),
        (
            "assign_in_condition m.py:2",
            "while True:\n    m = f()\n    if not m:\n        break  # end\n    g(m)\n",
            "comment would be lost",
        ),
        ("assign_in_condition m.py:2", "n = 1\nm = (n := 2)\nif n == m:\n    pass\n", "n may be another one"),
        (
            "assign_in_condition m.py:4",
            "def f():\n    global n\n    n = 2\nm = f()\nif n == m:\n    pass\n",
            "n may be another one",
        ),
        ("unwrap_call m.py:1 print", "print(x)\n", "nothing uses its value"),
        ("unwrap_call m.py:1 f", "y = f(a, b)\n", "is not clear"),
        ("unwrap_call m.py:2 os.getcwd", "import os\ny = os.getcwd()\n", "is not clear"),
        ("unwrap_call m.py:1 enumerate", "for i, x in enumerate(y):\n    pass\n", "takes apart"),
        ("unwrap_call m.py:1 d", "@d(f)\ndef g():\n    pass\n", "head of a definition"),
        ("unwrap_call m.py:1-3 list", "y = list(  # a\n    z\n)\n", "comment inside"),
    ],
)
def test_what_would_not_do_the_same_is_refused(call: str, code: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": code}))


def test_an_old_python_has_no_assignment_in_conditions() -> None:
    files = {"m.py": "m = f()\nif m:\n    pass\n", "setup.cfg": "python_requires = >=3.7"}
    assert "asks for Python 3.7" in str(refusal("assign_in_condition m.py:1", files))


@pytest.mark.parametrize(
    ("call", "code", "mark"),
    [
        ("pass_generator m.py:1", "x = any([f(y) for y in z])\n", "f(y) is not called for those"),
        ("pass_generator m.py:1", "x = any([y.isdigit() for y in z])\n", ""),
        ("pass_generator m.py:1", "x = s.join([y for y in z])\n", "s was taken for a text"),
        ("pass_generator m.py:2", "s = ','\nx = s.join([y for y in z])\n", ""),
        ("pass_generator m.py:2", "def f(s: str):\n    return s.join([y for y in z])\n", ""),
        ("pass_generator m.py:1", "x = ('-' * n).join([y for y in z])\n", ""),
        ("pass_generator m.py:3", "s = ''\ndef f(s):\n    return s.join([y for y in z])\n", "for a text"),
        ("pass_generator m.py:1", "x = all([d.setdefault(y, y) for y in z])\n", "not called"),
        ("pass_generator m.py:2", "z = iter(a)\nx = [any([y for y in z]), next(z)]\n", "stays in z"),
        ("pass_generator m.py:2", "z = iter(a)\nx = any([y for y in z])\n", ""),
        ("pass_generator m.py:2", "from numpy import *\nx = sum([y for y in z])\n", "an import of all"),
        ("unwrap_call m.py:1 list", "for x in list(y):\n    y.remove(x)\n", "the loop changes y"),
        ("unwrap_call m.py:1 list", "for x in list(y):\n    print(x)\n", ""),
        ("unwrap_call m.py:1 list", "x = list(y)\nx.append(1)\n", "in place of a copy"),
        ("unwrap_call m.py:1 list", "x = list(map(f, y))\n", "only once"),
        ("unwrap_call m.py:1 str", "x = 'a' + str(y)\n", "y has to be a str"),
        ("unwrap_call m.py:1 str", "x = str(y)\nprint(x.lower())\n", "y has to be a str"),
        ("unwrap_call m.py:1 str", "x = str(y)\nprint(x)\n", ""),
        ("unwrap_call m.py:1 str", "x = f'{str(y)}'\n", ""),
        ("unwrap_call m.py:1 str", "x = f'{str(y):>9}'\n", "its format does not fit"),
        ("unwrap_call m.py:1 str", "x = '%s' % str(y)\n", ""),
        ("unwrap_call m.py:1 str", "x = ','.join(str(y) for y in z)\n", "y has to be a str"),
        ("unwrap_call m.py:1 y.encode", "f.write(y.encode())\n", "y has to be a bytes"),
        ("unwrap_call m.py:1 list", "x = len(list(p.glob('*')))\n", "may have no length"),
        ("unwrap_call m.py:1 list", "x = {'a': list(y)}\n", "in place of a copy"),
        ("unwrap_call m.py:1 int", "x = int(input()) + 1\n", "has to be a number"),
        ("unwrap_call m.py:1 int", "x = int(len(y)) + 1\n", ""),
        ("unwrap_call m.py:1 int", "x = int(y / 2)\nprint(z[x])\n", "y / 2 has to be an int"),
        ("unwrap_call m.py:1 int", "x = int(y / 2) + 1\n", ""),
        ("unwrap_call m.py:1 int", "x = '-' * int(y)\n", "y has to be an int"),
        ("unwrap_call m.py:1 len", "if len(x) > 1:\n    pass\n", "x has to be a number"),
        ("unwrap_call m.py:1 len", "if len(x):\n    pass\n", ""),
        ("unwrap_call m.py:1 tuple", "x = {tuple(y)}\n", "y has to be a tuple"),
        ("unwrap_call m.py:1 tuple", "x = tuple(y) in z\n", "y has to be a tuple"),
        ("unwrap_call m.py:1 str", "x[str(y)] = 1\n", "y has to be a str"),
        ("unwrap_call m.py:1 str", "x += str(y)\n", "y has to be a str"),
        ("unwrap_call m.py:1 list", "for x in list(y):\n    if x > 1:\n        print(x)\n", ""),
        ("unwrap_call m.py:2 str", "def f(y: str):\n    return 'a' + str(y)\n", ""),
        ("unwrap_call m.py:1 list", "for x in list(self.y):\n    self.drop(x)\n", "self.drop(x) may change"),
        ("unwrap_call m.py:1 list", "for x in list(y):\n    drop(y, x)\n", "drop(y, x) may change y"),
        ("unwrap_call m.py:2 list", "y = map(f, z)\nx = list(y)\n", "only once"),
        (
            "unwrap_call m.py:1 list",
            "for i, x in enumerate(list(y)):\n    y.append(x)\n",
            "the loop changes y",
        ),
        ("unwrap_call m.py:1 dict", "for x in dict(y):\n    y.pop(x)\n", "the loop changes y"),
        ("unwrap_call m.py:2 int", "y = '3'\nx = max(int(y), 2)\n", "y is a str, not a number"),
        ("unwrap_call m.py:2 int", "y = '3'\nx = int(y)\nprint(x)\n", ""),
        ("unwrap_call m.py:1 str", "x = 'a' + (str(y) if y else 'b')\n", "has to be a str"),
        ("unwrap_call 'in m.py' int every=true", "x = int(int(y))\n", "stands in another one"),
        ("unwrap_call m.py:2 str", "def f(y) -> str:\n    return str(y)\n", "y has to be a str"),
        ("unwrap_call m.py:1 zip", "x = list(zip(y))\n", "not what zip() gives"),
        ("unwrap_call m.py:1 iter", "x = iter(y)\n", "no iterator"),
        ("unwrap_call m.py:1 dict", "x = dict(y, a=1)\n", "what else it is given goes"),
        ("unwrap_call m.py:1 d.keys", "f(d.keys())\n", "d itself is there"),
        ("unwrap_call m.py:1 d.values", "f(d.values())\n", "gives its keys"),
        ("unwrap_call m.py:1 closing", "with closing(x):\n    pass\n", "context manager"),
        ("unwrap_call m.py:1 list", "x = list(y) + [1]\n", "y has to be a list"),
        ("unwrap_call m.py:1 list", "x = list([1]) + [1]\n", ""),
    ],
)
def test_what_may_differ_is_marked(call: str, code: str, mark: str) -> None:
    marks = [one.reason for one in plan(call, {"m.py": code}).unfollowed]
    assert any(mark in one for one in marks) if mark else not marks


@pytest.mark.parametrize(
    "code",
    [
        "out = [3, 0, 1]\nwhile 1:\n    n = out.pop(0)\n    if not n:\n        break\n    out += [n - 1]\n",
        "out = []\nit = iter([3, 2, 0])\nn = next(it)\nwhile n:\n    out.append(n)\n    n = next(it)\n",
        "out = []\nfor x in (1, 0, 3):\n    n = x\n    if n > 1:\n        out.append(n)\nout.append(n)\n",
    ],
)
def test_a_value_set_in_a_condition_is_worked_out_as_often(code: str) -> None:
    results = []
    for text in (
        code,
        plan("assign_in_condition 'in m.py'", {"m.py": code}).texts(repository({"m.py": code}))["m.py"],
    ):
        scope: dict[str, object] = {}
        exec(str(text), scope)
        results.append((scope["out"], scope["n"]))
    assert results[0] == results[1]
