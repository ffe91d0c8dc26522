"""Raw strings, loops over a range, tuples with types and attributes of objects: where they would not do the
same, and where that is not known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from codemods.repositories import plan, refusal, texts_after

LOOP = "def f(n: int, xs=()):\n    i = 0\n    while i < n:\n        {body}\n        i += 1\n"
NAMED = "from collections import namedtuple\n\n\n"


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        ("to_raw_string m.py:1", 'x = "\\\\d\\n"\n', "\\n in a string there would not mean the same"),
        ("to_raw_string m.py:1", 'x = "\\\\"\n', "can neither end in a single backslash"),
        ("to_raw_string m.py:1", 'x = "\\n" + r"\\d"\n', "no string there has a backslash that"),
        ("loop_range 'in f'", LOOP.format(body="n -= xs"), "the loop changes n"),
        ("loop_range 'in f'", LOOP.format(body="i += n(xs)"), "the loop sets i elsewhere"),
        (
            "loop_range 'in f'",
            LOOP.format(body="if xs:\n            continue"),
            "continue leaves the counting",
        ),
        ("loop_range 'in f'", LOOP.format(body="xs.append(lambda: i)"), "a function may read i later"),
        ("loop_range 'in f'", LOOP.format(body="print(i)") + "    return i\n", "i is read on line 6 too"),
        (
            "loop_range 'in f'",
            LOOP.format(body="n()") + "    else:\n        print(i)\n",
            "i is read on line 7 too",
        ),
        (
            "loop_range 'in f'",
            LOOP.format(body="ys.pop()").replace("i = 0", "ys = xs\n    i = 0").replace("< n", "< len(xs)"),
            "the loop changes xs",
        ),
        ("loop_range 'in f'", LOOP.format(body="range = n"), "range means something else"),
        ("loop_range 'in f'", LOOP.format(body="# why\n        i += 1"), "the loop sets i elsewhere"),
        (
            "loop_range 'in f'",
            LOOP.format(body="n()").replace("i = 0", "i = 0  # why"),
            "'# why' would be lost",
        ),
        ("loop_range 'in f'", LOOP.format(body="n()").replace("i = 0", "i = 0.0"), "0.0 is no whole number"),
        ("loop_range 'in f'", LOOP.format(body="n()").replace("< n", "< n / 2"), "n / 2 is no whole number"),
        ("loop_range 'in f'", LOOP.format(body="n()").replace("< n", "< n()"), "n() may give another value"),
        (
            "loop_range 'in f'",
            LOOP.format(body="xs.pop()").replace("< n", "< len(xs)"),
            "the loop changes xs",
        ),
        (
            "loop_range 'in f'",
            "def f(i, n):\n    while i < n:\n        n()\n        i += 1\n",
            "no while loop",
        ),
        (
            "loop_range m.py:4",
            "def f(n: int):\n    for k in 'ab':\n        i = k\n        while n > 0:\n            n -= 1\n",
            "no while loop",
        ),
        (
            "loop_range m.py:5",
            "def f(n, k=0):\n    while n():\n        print(k)\n        k = 0\n        while k < 3:\n"
            "            n(k)\n            k += 1\n",
            "k is read on line 3 too",
        ),
        ("to_typed_tuple m.py:4", f'{NAMED}P = namedtuple("Q", "x")\n', "its name is 'Q'"),
        ("to_typed_tuple m.py:4", f'{NAMED}P = namedtuple("P", "x", module="m")\n', "cannot be read"),
        ("to_typed_tuple m.py:4", f'{NAMED}P = namedtuple("P", names)\n', "its fields cannot be read"),
        ("to_typed_tuple m.py:4", f'{NAMED}P = namedtuple("P", "x class")\n', "class cannot be the name"),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}P = namedtuple("P", "x y", defaults=[x])\n',
            "x would mean something",
        ),
        ("to_typed_tuple m.py:4", f'{NAMED}P = namedtuple("P", "x")\nP = 1\n', "P is set more than once"),
        (
            "to_typed_tuple m.py:2",
            'namedtuple = print\nP = namedtuple("P", "x")\n',
            "not that of the library",
        ),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}class P(namedtuple("P", "x")):\n    def __new__(cls):\n        return 1\n',
            "P sets __new__ itself",
        ),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}class P(namedtuple("P", "x")):\n    def go(self):\n        return super().go()\n',
            "super needs a class of its own",
        ),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}class P(namedtuple("P", "x")):\n    pass\n\n\np = P(1)\np.y = 2\n',
            "m.py:9 sets p.y",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\nprint(A.x)\n",
            "m.py:5 uses A.x, without an object",
        ),
        ("to_instance_attribute A.x", "class A:\n    x = []\n    y = x\n", "the body of A uses x"),
        ("to_instance_attribute A.x", "class A:\n    y = 1\n    x = [y]\n", "its value uses y of A"),
        ("to_instance_attribute A.x", "class A:\n    x = lambda self: 1\n", "x is a method of the objects"),
        ("to_instance_attribute A.x", "from enum import Enum\n\n\nclass A(Enum):\n    x = 1\n", "is a field"),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\nclass B(A):\n    x = [1]\n",
            "B has x of its own",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\ndef f():\n    class B(A):\n        x = 1\n",
            "B has x of its own",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\nclass B(A):\n    def __init__(self):\n        self.y = 1\n",
            "__init__ of B does not call that of A",
        ),
        (
            "to_instance_attribute A.x",
            "class B(metaclass=M):\n    pass\n\n\nclass A(B):\n    x = []\n",
            "the metaclass of A may read x",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n    @classmethod\n    def go(cls):\n        return cls.x\n",
            "uses cls.x, without an object",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\nclass B(A):\n    def __init__(self):\n        self.f()\n"
            "        super().__init__()\n\n    def f(self):\n        self.x.append(1)\n",
            "__init__ of B uses x first",
        ),
        ("to_instance_attribute A.x", "class A(str):\n    x = []\n", "__new__ takes what A is made of"),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n    def __init__(self, x):\n        self.x = x\n",
            "__init__ sets x for each object already",
        ),
        (
            "to_instance_attribute A.x",
            "y = 1\n\n\nclass A:\n    x = [y]\n\n    def __init__(self, y):\n        print(y)\n",
            "y means something else in __init__",
        ),
    ],
)
def test_what_would_do_something_else_is_refused(call: str, code: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": code}))


@pytest.mark.parametrize(
    ("call", "code", "mark"),
    [
        ("to_raw_string 'in m.py'", 'x = "\\\\d\\n" + "\\\\w"\n', "\\n in a string there would not mean"),
        ("loop_range 'in f'", LOOP.format(body="n()").replace("n: int", "n"), "n was assumed to be a whole"),
        (
            "loop_range 'in f'",
            LOOP.format(body="xs[i]()\n        n(xs)").replace("< n", "< len(xs)"),
            "n(…) may change xs, which is read only once now",
        ),
        (
            "loop_range 'in f'",
            LOOP.format(body="xs.print(i)").replace("< n", "< len(xs)"),
            "xs.print(…) may change xs",
        ),
        (
            "loop_range 'in f'",
            LOOP.format(body="yield xs[i]").replace("< n", "< len(xs)"),
            "may change while the loop waits",
        ),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}P = namedtuple("P", "x", defaults=[3])\n\n\ndef f(x):\n    return P(x)\n',
            "the type of x was read from the default",
        ),
        (
            "to_typed_tuple m.py:4",
            f'{NAMED}class P(namedtuple("P", "x")):\n    pass\n\n\ndef f(o):\n    o.y = 1\n',
            "o.y is set: objects of P take that no more",
        ),
        (
            "to_instance_attribute A.x",
            "class A(B):\n    x = []\n\n\nclass C(A, D):\n    pass\n",
            "B may read x",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = Field()\n",
            "what Field gives may work in a class only",
        ),
        ("to_instance_attribute A.x", "class A:\n    x = []\n\n\nprint(a_cls.x)\n", "a_cls.x may be read of"),
        ("to_instance_attribute A.x", "class A:\n    x = []\n\n\ngetattr(A, 'x')\n", "getattr(…) may read x"),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n\ndef f(k):\n    return k.x\n\n\nf(A)\n",
            "k may be the class A itself",
        ),
        (
            "to_instance_attribute A.x",
            "Y = 1\n\n\nclass A:\n    x = Y\n\n\nY = 2\n",
            "Y may be another value",
        ),
        (
            "to_instance_attribute A.x",
            "class A:\n    x = []\n\n    def __new__(cls):\n        return cls.one\n",
            "an object that has x already",
        ),
    ],
)
def test_what_cannot_be_known_of_them_is_marked(call: str, code: str, mark: str) -> None:
    assert any(mark in one.reason for one in plan(call, {"m.py": code}).unfollowed)


def _run(code: str) -> dict[str, Any]:
    scope: dict[str, Any] = {"__name__": "m"}
    exec(code, scope)
    return scope


def test_a_text_is_as_long_in_the_end() -> None:
    code = LOOP.format(body="n(xs)\n        yield xs[i]").replace("xs=()", "xs: str").replace("n: int", "n")
    assert not plan("loop_range 'in f'", {"m.py": code.replace("< n", "< len(xs)")}).unfollowed


def test_a_counter_that_all_names_may_show_keeps_its_name() -> None:
    new = texts_after("loop_range 'in f'", {"m.py": LOOP.format(body="print(locals())")})["m.py"] or ""
    assert "for i in range(n)" in new


@pytest.mark.parametrize("sign", ["<", "<="])
@pytest.mark.parametrize("bound", ["n", "n - 1", "n + 2", "n | 1", "-n", "max(n, 2)"])
@pytest.mark.parametrize("by", [1, 3, -1, -2])
def test_a_range_counts_as_the_loop_did(sign: str, bound: str, by: int) -> None:
    shown = sign.replace("<", ">") if by < 0 else sign
    code = f"def f(n: int):\n    out = []\n    i = 2\n    while i {shown} {bound}:\n"
    code += f"        out.append(i)\n        i {'+-'[by < 0]}= {abs(by)}\n    return out\n"
    new = texts_after("loop_range 'in f'", {"m.py": code})["m.py"] or ""
    assert "while" not in new
    old_one: Callable[[int], list[int]] = _run(code)["f"]
    assert [old_one(n) for n in range(-7, 9)] == [_run(new)["f"](n) for n in range(-7, 9)]


def test_a_typed_tuple_is_what_the_tuple_was() -> None:
    code = (
        f'{NAMED}P = namedtuple("P", "x y", defaults=(None,) * 2)\nshown = (repr(P(1)), P(1, 2) == (1, 2))\n'
    )
    new = texts_after("to_typed_tuple m.py:4", {"m.py": code})["m.py"] or ""
    assert "class P(NamedTuple)" in new and _run(new)["shown"] == _run(code)["shown"]


@pytest.mark.parametrize("does", ["self.go()", "self.x += [1]"])
def test_a_base_that_needs_the_attribute_finds_it(does: str) -> None:
    code = (
        f"class A:\n    x = [2]\n\n    def __init__(self):\n        {does}\n\n\nclass B(A):\n    x = []\n\n"
    )
    code += "    def go(self):\n        self.x.append(1)\n\n\nshown = B().x\n"
    new = texts_after("to_instance_attribute B.x", {"m.py": code})["m.py"] or ""
    assert "self.x = []\n        super()" in new and _run(new)["shown"] == [1]
