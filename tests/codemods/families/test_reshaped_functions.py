"""Generators in place of lists and functions of the module in place of methods: what is refused or marked."""

from __future__ import annotations

from typing import Any

import pytest
from codemods.repositories import plan, refusal, repository, texts_after

from spark_tui.codemods.checks.harm import checked

F = "class C:\n    def f(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (
            "def f(x):\n    out = []\n    if x:\n        return out\n    out.append(1)\n",
            "gives None where it ends",
        ),
        ("def f(x):\n    out = []\n    out.sort()\n    return out\n", "out is used in another way: line 3"),
        ("def f(x):\n    out = []\n    g(out)\n    return out\n", "out is used in another way: line 3"),
        ("def f(x):\n    out = []\n    add = out.append\n    return out\n", "used in another way"),
        ("def f(x):\n    if x:\n        return None\n    return [x]\n", "gives no list there: line 3"),
        (
            "def f(x):\n    out = [x]\n    if x:\n        return []\n    return out\n",
            "another list there: line 4",
        ),
        ("def f(x):\n    out = g()\n    out.append(x)\n    return out\n", "out is no new list"),
        ("def f(x):\n    return [] if x else [1]\n", "gives no list"),
        ("def f(x):\n    return []\n", "collects nothing"),
        ("def f(x):\n    yield x\n", "a generator already"),
        ("async def f(x):\n    return [x]\n", "its callers await"),
        ("from functools import cache\n\n\n@cache\ndef f(x):\n    return [x]\n", "its decorator cache"),
        ("def f(x) -> set:\n    return [x]\n", "is annotated to return set"),
        (
            "from functools import partial\n\n\ndef f(x):\n    return [x]\n\n\ng = partial(f, 1)\n",
            "cannot be edited",
        ),
        (
            "def list():\n    pass\n\n\ndef f(x):\n    return [x]\n\n\nlen(f(1))\n",
            "list means something else",
        ),
    ],
)
def test_a_list_that_is_more_than_collected_stays(code: str, reason: str) -> None:
    assert reason in str(refusal("to_generator f", {"m.py": code}))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def f(x):\n    with lock:\n        return [x]\n", "lock is held between the items"),
        (
            "def f(x):\n    try:\n        return [x]\n    finally:\n        x.close()\n",
            "what finally does waits",
        ),
        ("def f(x):\n    try:\n        return [x()]\n    except:\n        return []\n", "catches what ends"),
        ("def f(x):\n    print(x)\n    return [x]\n", "print(x) runs only when the items are asked for"),
        ("def f(x):\n    return [x]\n\n\ng(f)\n", "f is used as a value"),
        (
            "def f(a):\n    o = []\n    for y in a:\n        o.append(y)\n        y.z = 1\n    return o",
            "y is changed here after it is yielded",
        ),
        (
            "def f(a):\n    o = []\n    for y in a:\n        o.append((1, y))\n        y.z = 1\n    return o",
            "y is changed here after it is yielded",
        ),
        (
            "def f(a):\n    y = []\n"
            + "    o = []\n    for x in a:\n        y.append(x)\n        o.append(y)\n    return o\n",
            "y is changed here after it is yielded",
        ),
        (
            "def f(a):\n    o = []\n    for x in a:\n        o.append(lambda: x)\n    return o\n",
            "x is changed here after it is yielded",
        ),
        (
            "def f(a):\n    o = []\n    for x in a:\n        o.append(x)\n        x['k'].pop()\n    return o",
            "x is changed here after it is yielded",
        ),
        (
            "def f(a):\n    o = []\n    for x in a:\n        o.append(x)\n        x.go(1)\n    return o",
            "x is changed here after it is yielded",
        ),
        ("def f(x):\n    return [x.pop() for _ in x]", "return [x.pop() for _ in x] runs only when"),
        ("def f(x, g):\n    return [g(y) for y in x]", "return [g(y) for y in x] runs only when"),
        (
            "def g(y):\n    print(y)\n\n\ndef f(x):\n    return [g(y) for y in x]",
            "return [g(y) for y in x] runs only when",
        ),
        ("def f(x):\n    return [next(x)]\n", "a generator raises RuntimeError"),
        ("def f(x):\n    return [x]\n\n\ndef g(o):\n    return o.f(1)\n", "what it calls is not known"),
    ],
)
def test_what_a_generator_does_later_is_marked(code: str, reason: str) -> None:
    found = [one.reason for one in plan("to_generator f", {"m.py": code}).unfollowed]
    assert any(reason in one for one in found)


PROGRAM = """
def parts(text):
    out = []
    for word in text.split():
        if word == "stop":
            return out
        out.append((word, len(word)))
        out.extend([letter for letter in word if letter > "m"])
    return out


def run():
    first = parts("some words")
    again = parts("more words stop here")
    both = parts("a") + parts("b")
    for one in again:
        both.append(one)
    a, b = parts("x")
    parts("y")
    return first[0], len(first), both, "x" in parts("x"), a, b, not parts(""), [*parts("z")]
"""


def test_callers_of_a_generator_get_what_they_got() -> None:
    after = str(texts_after("to_generator parts", {"m.py": PROGRAM})["m.py"])
    results = []
    for text in (PROGRAM, after):
        scope: dict[str, Any] = {}
        exec(text, scope)
        results.append(scope["run"]())
    assert results[0] == results[1]
    assert "yield word, len(word)" in after


@pytest.mark.parametrize("items", ["rows = f(xs)\n    for x in rows", "for x in f(xs)"])
def test_what_a_loop_takes_out_is_listed_before(items: str) -> None:
    code = f"def f(xs):\n    return [x for x in xs]\n\n\ndef g(xs):\n    {items}:\n        xs.remove(x)\n"
    assert "list(f(xs))" in str(texts_after("to_generator f", {"m.py": code})["m.py"])


@pytest.mark.parametrize(
    "use",
    [
        "for x in self.f():\n            self.drop(x)",
        "sum(self.drop(x) for x in self.f())",
        "list(map(self.drop, self.f()))",
        "self.xs.extend(self.f())",
    ],
)
def test_what_a_called_method_changes_is_listed_before(use: str) -> None:
    code = "class C:\n    def f(self):\n        return [x for x in self.xs]\n\n    def drop(self, x):\n"
    code += f"        self.xs.remove(x)\n\n    def g(self):\n        {use}\n"
    assert "list(self.f())" in str(texts_after("to_generator C.f", {"m.py": code})["m.py"])
    code = code.replace("self.xs.remove(x)", "print(x)")
    lazy = str(texts_after("to_generator C.f", {"m.py": code})["m.py"])
    assert ("list(self.f())" in lazy) == ("extend" in use)


@pytest.mark.parametrize(
    ("call", "code", "reason"),
    [
        ("C.f", "class C:\n    def f(self):\n        return self.x\n", "f uses its object: line 3"),
        ("C.f", "class C:\n    def f(self):\n        return super().f()\n", "f uses super"),
        (
            "C.f",
            "class C:\n    L = 1\n\n    def f(self, x=L):\n        return x\n",
            "f uses L of what is around",
        ),
        (
            "C.f",
            "class C:\n    @property\n    def f(self):\n        return 1\n",
            "has the decorator property",
        ),
        (
            "C.f",
            F + "\n\ndef f():\n    pass\n",
            "f means something else",
        ),
        (
            "C.f",
            F + "\n\nC.f(C())\n",
            "m.py:6 calls it on the class",
        ),
        ("C.f", F + "\n    def __init__(self):\n        print()\n\n\nC().f()\n", "C() would no longer run"),
        ("C.f", F + "\n    g = f\n", "the class itself uses f"),
        ("C.f", "class C:\n    def f(self, o):\n        return o.__x\n", "__x, which is private"),
        ("C.__len__", "class C:\n    def __len__(self):\n        return 1\n", "Python calls __len__"),
        (
            "C.f",
            F + "\n    def g(self):\n        f = self.f()\n        return f\n",
            "f means something else in m.py:6",
        ),
        (
            "C.f",
            F + "\n\nclass D(C):\n    def f(self):\n        return 2\n",
            "other classes or objects have f too",
        ),
        ("C.f", F + "\n\nclass D(C):\n    f = len\n", "other classes or objects have f too"),
        ("C.f", F + "\n\nc = C()\nc.f = len\n", "f is set or changed there"),
        ("C.f", F.replace("return 1", "return eval('self')"), "f uses eval"),
        (
            "f.g",
            "def f(x):\n    def g():\n        return x\n\n    return g()\n",
            "g uses x of what is around it",
        ),
        (
            "f.g",
            "def f(x):\n    def g(y=[]):\n        return y\n\n    return g()\n",
            "would be made only once",
        ),
        ("f.g", "def f(x):\n    def g():\n        pass\n\n    print(locals())\n", "locals may show g"),
        (
            "f.g",
            "K = 1\n\n\ndef f(x):\n    def g(y=K):\n        return y\n\n    return g()\n\n\nK = 2\n",
            "would be made only once",
        ),
        ("f.g", "def f(x):\n    @h\n    def g():\n        pass\n\n    g()\n", "its decorator h would run"),
        (
            "f.g",
            "def f(x):\n    def g():\n        pass\n\n    g.x = 1\n    g()\n",
            "g is set or changed there",
        ),
        ("f.g", "def f(x):\n    def g(y=B):\n        pass\n\n    g()\n\n\nB = 1\n", "B is not there yet"),
        (
            "f.g@3",
            "def f(x):\n    if x:\n        def g():\n            pass\n    return g\n",
            "under a condition",
        ),
        ("f", "def f(x):\n    pass\n", "a function of the module already"),
        ("f.g h", "def f(h):\n    def g(x):\n        return x\n\n    return g(h)\n", "h is used in f"),
    ],
)
def test_a_function_that_needs_what_is_around_it_stays(call: str, code: str, reason: str) -> None:
    assert reason in str(refusal(f"to_module_level {call}", {"m.py": code}))


def test_callers_in_other_files_import_the_function() -> None:
    files = {
        "p/__init__.py": "",
        "p/m.py": "class C:\n    def f(self, x):\n        return x\n",
        "p/n.py": "from .m import C\n\n\ndef g(c: C):\n    return c.f(1)\n",
    }
    made = texts_after("to_module_level C.f", files)
    assert made["p/n.py"] == "from .m import C, f\n\n\ndef g(c: C):\n    return f(1)\n"
    assert made["p/m.py"] == "def f(x):\n    return x\n\n\nclass C:\n    pass\n"


def test_an_object_that_is_made_only_for_the_call_is_made_no_more() -> None:
    made = texts_after("to_module_level C.f", {"m.py": F + "\n\nx = C().f()\n"})["m.py"]
    assert "\nx = f()\n" in str(made)


def test_a_list_may_be_begun_in_a_with() -> None:
    code = "def f(p):\n    with open(p) as lines:\n        out = []\n        for one in lines:\n"
    made = texts_after("to_generator f", {"m.py": f"{code}            out.append(one)\n    return out\n"})[
        "m.py"
    ]
    assert made == code.replace("        out = []\n", "") + "            yield one\n"


def test_files_that_would_import_each_other_are_left() -> None:
    files = {
        "m.py": "import n\n\n\nclass C:\n    x = n.g\n\n    def h(self):\n        pass\n",
        "n.py": "def g(c: 'm.C'):\n    from m import C\n    c = C()\n    return c.h()\n",
    }
    assert "would import each other" in str(refusal("to_module_level C.h", files))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("class C:\n    def f(self, x):\n        return x + 1\n", "nothing here names f"),
        (
            "class C:\n    def f(self):\n        pass\n\n    def g(self):\n        self.f()\n",
            "classes to override",
        ),
        (
            F + "\n    def g(self, o):\n        return self.f() + o.f()\n",
            "o.f(…): what it calls is not known",
        ),
        (F + "\n\ndef g(o):\n    o.f = 1\n", "o.f may be another method from there on"),
        (
            "from functools import cache\n\n\n" + F.replace("    def", "    @cache\n    def"),
            "what its cache keeps lives on",
        ),
    ],
)
def test_what_may_look_for_a_method_is_marked(code: str, reason: str) -> None:
    found = [one.reason for one in plan("to_module_level C.f", {"m.py": code}).unfollowed]
    assert any(reason in one for one in found)


@pytest.mark.parametrize("call", ["to_module_level C.f", "to_generator C.f"])
def test_the_plain_case_is_unmarked(call: str) -> None:
    code = "class C:\n    def f(self, x):\n        return [y for y in x]\n"
    code += "\n    def g(self):\n        return sum(self.f(1))\n"
    repo = repository({"m.py": code})
    assert checked(plan(call, {"m.py": code}), repo).unmarked
