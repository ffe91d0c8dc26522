"""Signature changes take their calls along."""

from __future__ import annotations

import pytest
from codemods.repositories import changed_lines, plan, refusal, repository

from spark_tui.codemods.checks.harm import checked

FILES = {
    "m.py": (
        "def f(a, b=1, *, c=2):\n    return a, b\n\n\nclass A:\n    def go(self, x, y=0):\n        return x\n"
    ),
    "n.py": (
        "import functools\nfrom m import A, f\n\nf(1)\nf(1, 2)\nf(f(3, 4), b=5)\nA().go(1, 2)\n"
        "functools.partial(f, 1)\n"
    ),
}


def lines(call: str) -> list[str]:
    return [line for path in ("m.py", "n.py") for line in changed_lines(call, FILES).get(path, [])]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("add_parameter f d default=3", ["def f(a, b=1, *, c=2, d=3):"]),
        ("add_parameter A.go z value=9", ["def go(self, x, y=0, *, z):", "A().go(1, 2, z=9)"]),
        ("remove_parameter f c", ["def f(a, b=1):"]),
        ("remove_parameter A.go y", ["def go(self, x):", "A().go(1)"]),
        ("set_default f b 7", ["def f(a, b=7, *, c=2):"]),
        ("make_keyword_only f b", ["def f(a, *, b=1, c=2):", "f(1, b=2)", "f(f(3, b=4), b=5)"]),
        (
            "remove_default f b",
            ["def f(a, b, *, c=2):", "f(1, b=1)"],
        ),
    ],
)
def test_calls_follow_the_signature(call: str, expected: list[str]) -> None:
    assert lines(call) == expected
    assert checked(plan(call, FILES), repository(FILES)).findings == ()


def test_reordered_parameters_take_positional_arguments_along_in_nested_calls() -> None:
    files = {"m.py": "def f(a, b, c=0): ...\nf(1, 2)\nf(f(1, 2, 3), b=4)\nf(1, *x)\n"}
    found = plan("reorder_parameters f b,a,c", files)
    text = found.texts(repository(files))["m.py"]
    assert text == "def f(b, a, c=0): ...\nf(2, 1)\nf(a=f(2, 1, 3), b=4)\nf(1, *x)\n"
    assert [unfollowed.line for unfollowed in found.unfollowed] == [4]
    assert "in that order already" in str(refusal("reorder_parameters f a,b,c", files))


def test_a_parameter_that_only_overridden_methods_get_is_removed_in_all() -> None:
    files = {
        "m.py": (
            "class A:\n    def go(self, x, n): ...\nclass B(A):\n    def go(self, x, n):\n"
            "        super().go(x, n=n)\nB().go(1, n=2)\n"
        )
    }
    assert changed_lines("remove_parameter B.go n", files)["m.py"] == [
        "def go(self, x): ...",
        "def go(self, x):",
        "super().go(x)",
        "B().go(1)",
    ]


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("add_parameter f b default=2", "f already has the parameter b, with the default 1"),
        ("add_parameter f b value=3", "already has the parameter b"),
        ("add_parameter f d", "calls need a value"),
        ("add_parameter f d default=(", "not a valid expression"),
        ("remove_parameter f b", "uses b"),
        ("remove_parameter f q", "no parameter q"),
        ("remove_parameter A.go self", "called on"),
        ("reorder_parameters f b,a", "no default"),
        ("set_default f b 1", "already"),
        ("remove_default f a", "no parameter a with a default"),
        ("make_keyword_only f c", "c of f (m.py:1) is keyword-only"),
    ],
)
def test_what_would_break_is_refused_with_its_reason(call: str, reason: str) -> None:
    assert reason in str(refusal(call, FILES))


GENERATORS = {
    "one.py": "def flat(items):\n    return list(items)\n\n\nx = flat(a for a, b in {}.items())\n",
    "two.py": "def apply(act, count):\n    return act(count, 0)\n\n\ny = apply(lambda a, b: a, 2)\n",
}


def test_a_bare_generator_gets_brackets_when_its_argument_is_named() -> None:
    changed = changed_lines("make_keyword_only flat items", GENERATORS)
    assert changed["one.py"] == ["def flat(*, items):", "x = flat(items=(a for a, b in {}.items()))"]


def test_a_lambda_with_commas_is_one_argument() -> None:
    changed = changed_lines("reorder_parameters apply count,act", GENERATORS)
    assert changed["two.py"] == ["def apply(count, act):", "y = apply(2, lambda a, b: a)"]


def test_the_calls_of_a_partial_are_named() -> None:
    code = "from functools import partial\n\n\ndef f(a, b=1):\n    return a\n\n\n"
    code += "half = partial(f, b=2)\nhalf(1)\n"
    for call in ("make_keyword_only f a", "add_parameter f c value=1"):
        assert [
            (unfollowed.line, unfollowed.reason[:9]) for unfollowed in plan(call, {"m.py": code}).unfollowed
        ] == [(8, "the calls")]


def test_overloads_and_the_stub_change_with_their_function() -> None:
    files = {
        "pair.py": "from typing import overload\n\n\n@overload\ndef get(key: int): ...\n@overload\n"
        "def get(key: str): ...\ndef get(key):\n    return key\n",
        "pair.pyi": "def get(key: int | str) -> object: ...\n",
    }
    changed = changed_lines("rename pair.py::get.key@8 name", files)
    assert changed["pair.pyi"] == ["def get(name: int | str) -> object: ..."]
    assert changed["pair.py"][:3] == ["def get(name: int): ...", "def get(name: str): ...", "def get(name):"]
    added = changed_lines("add_parameter pair.py::get extra default=None", files)
    assert added["pair.pyi"] == ["def get(key: int | str, extra=None) -> object: ..."]
    assert len(added["pair.py"]) == 3


def test_a_default_in_brackets_is_replaced_and_removed_with_them() -> None:
    files = {"m.py": "def f(a=(\n    1\n), b=(2)):\n    return a + b\n"}
    assert changed_lines("set_default f b 3", files)["m.py"] == ["), b=3):"]
    assert changed_lines("set_default f a 3", files)["m.py"] == ["def f(a=3, b=(2)):"]
    one = {"m.py": "def f(b=(2)):\n    return b\n\n\nf()\n"}
    assert changed_lines("remove_default f b", one)["m.py"] == ["def f(b):", "f(b=2)"]


@pytest.mark.parametrize(
    ("was", "new", "said", "says"),
    [
        ("58", "40", "rows - lines (default: 58)", "rows - lines (default: 40)"),
        ("True", "False", ":param rows: lines.\n        Defaults to ``True``.", "Defaults to ``False``."),
        ("log.INFO", "log.DEBUG", "rows: it defaults to 'INFO'.", "rows: it defaults to 'DEBUG'."),
        ("'a'", "'b'", "rows (str): by default 'a', a.", "rows (str): by default 'b', a."),
        ("'a'", "'\\n'", "rows: Defaults to a.", ""),
        ("5", "7", "more: Defaults to 5.\n    rows: Defaults to 50.", ""),
        (
            "5",
            "-7",
            "rows: how many, 5 by default, default of 5",
            "rows: how many, 5 by default, default of -7",
        ),
        ("-1", "2", "rows: default -1", "rows: default 2"),
        ("0", "1", "rows: defaults to 0.0", ""),
        ("5", "7", "rows: defaults to 2.5", ""),
        ("2", "3", "rows: default 2-3 days", ""),
        ("'a'", "'w'", "rows: by default a file is appended", ""),
        ("'a'", "'w'", "rows: by default a", "rows: by default w"),
        ("5", "7", "rows, more : int, default 5", ""),
        ("'a'", '"it\'s"', "rows: Defaults to 'a'.", ""),
    ],
)
def test_a_docstring_says_the_new_default(was: str, new: str, said: str, says: str) -> None:
    files = {"m.py": f'def f(rows={was}):\n    """Do.\n\n    {said}\n    """\n    return rows\n'}
    changed = changed_lines(f"set_default(f, rows, {new})", files)["m.py"]
    assert [line.strip() for line in changed[1:]] == ([says] if says else [])


def test_a_docstring_says_the_new_default_wherever_it_says_the_old_one() -> None:
    text = "rows : int, default 5\n        Rows, it defaults to 5."
    files = {"m.py": f'def f(rows=5):\n    """Do.\n\n    {text}\n    """\n    return rows\n'}
    changed = changed_lines("set_default(f, rows, 7)", files)["m.py"]
    assert [line.strip() for line in changed[1:]] == ["rows : int, default 7", "Rows, it defaults to 7."]


@pytest.mark.parametrize(
    "call", ["add_parameter A.x n value=1", "remove_parameter A.x v", "reorder_parameters A.x v,self"]
)
def test_the_parameters_of_a_property_stay(call: str) -> None:
    code = (
        "class A:\n    @property\n    def x(self):\n        return 1\n\n"
        "    @x.setter\n    def x(self, v):\n        self.y = v\n"
    )
    assert "A.x is a property" in str(refusal(call, {"m.py": code}))


METHODS = (
    "class A:\n    def __init__(self, x):\n        pass\n\n    def __call__(self, x):\n        return x\n\n"
    "    def __getitem__(self, x):\n        return x\n\n    def copy(self):\n"
    "        return self.__class__(1)\n\n\na = A(1)\na(2)\n"
)


def test_the_calls_of_objects_and_of_their_classes_follow() -> None:
    files = {"m.py": METHODS}
    assert changed_lines("add_parameter A.__init__ n value=3", files)["m.py"] == [
        "def __init__(self, x, n):",
        "return self.__class__(1, n=3)",
        "a = A(1, n=3)",
    ]
    called = "add_parameter A.__call__ n value=3"
    assert changed_lines(called, files)["m.py"] == ["def __call__(self, x, n):", "a(2, n=3)"]
    assert [unfollowed.reason for unfollowed in plan(called, files).unfollowed] == [
        "where objects of A are called is not known"
    ]
    assert "Python calls __getitem__" in str(refusal("add_parameter A.__getitem__ n value=3", files))


@pytest.mark.parametrize("call", ["add_parameter {} n value=1", "remove_parameter {} x", "make_async {}"])
@pytest.mark.parametrize(
    ("name", "reason"), [("run", "the decorator command may call it"), ("Loud.update", "may call update")]
)
def test_callers_that_cannot_be_seen_are_named(call: str, name: str, reason: str) -> None:
    code = (
        "import click\n\n\n@click.command()\ndef run(x):\n    return 1\n\n\n"
        "class Loud(dict):\n    def update(self, x):\n        return 1\n\n"
        "    @staticmethod\n    def _own(x):\n        return 1\n"
    )
    assert any(
        reason in unfollowed.reason for unfollowed in plan(call.format(name), {"m.py": code}).unfollowed
    )
    assert not plan(call.format("Loud._own"), {"m.py": code}).unfollowed


def test_an_overload_whose_parameter_is_keyword_only_already_stays() -> None:
    code = "from typing import overload\n\n\n@overload\ndef get(key, deep=True): ...\n@overload\n"
    code += "def get(key, *, deep): ...\ndef get(key, deep=False):\n    return key\n"
    changed = changed_lines("make_keyword_only get deep", {"pair.py": code})["pair.py"]
    assert changed == ["def get(key, *, deep=True): ...", "def get(key, *, deep=False):"]


FAMILY = """\
class Base:
    def send(self, text, tries=3):
        return text


class Mail(Base):
    def send(self, text):
        return text


class Sms(Base):
    def send(self, tries=3, text=""):
        return text
"""


def test_methods_of_a_family_without_the_parameter_get_it() -> None:
    made = plan("add_parameter Mail.send tries default=3", {"m.py": FAMILY})
    after = made.texts(repository({"m.py": FAMILY}))["m.py"]
    assert after == FAMILY.replace("class Mail(Base):\n    def send(self, text)", MAIL)
    assert [(one.line, one.reason) for one in made.unfollowed if "last" in one.reason] == [
        (12, "tries is not the last parameter of send here")
    ]


MAIL = "class Mail(Base):\n    def send(self, text, tries=3)"


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("add_parameter Mail.send tries default=4", "unfit"),
        ("add_parameter Mail.send tries", "unfit"),
        ("add_parameter Base.send tries default=3", "nothing"),
        ("add_parameter Base.send tries default=3 keyword_only=yes", "unfit"),
    ],
)
def test_what_others_of_a_family_have_decides_whether_it_can_be_added(call: str, why: str) -> None:
    code = FAMILY if "Mail" in call else FAMILY.replace("def send(self, text):", "def send(self, tries=3):")
    assert refusal(call, {"m.py": code}).why == why
