"""Collections, branches, loops, strings and scripts."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from codemods.repositories import after, plan, refusal, repository

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.plan import Plan

CASES = tomllib.loads(Path(__file__).with_name("block_cases.toml").read_text("utf-8"))["case"]


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ("add_item m.py:1 3", "A = [1, 2]\n", "A = [1, 2, 3]\n"),
        ("add_item m.py:1 3", "A = []\n", "A = [3]\n"),
        ("add_item m.py:1 3", "A = ()\n", "A = (3,)\n"),
        ("add_item m.py:1 3", "A = (1,)\n", "A = (1, 3)\n"),
        ("add_item m.py:1 3", "A = 1, 2\n", "A = 1, 2, 3\n"),
        (
            "add_item m.py:1-4 3",
            "A = {\n    1,\n    2,  # two\n}\n",
            "A = {\n    1,\n    2,  # two\n    3,\n}\n",
        ),
        (
            "add_item m.py:1-4 3",
            "A = {\n    1,\n    2  # two\n}\n",
            "A = {\n    1,\n    2,  # two\n    3\n}\n",
        ),
        ("add_item m.py:1-2 3 target=B", "A = [1]\nB = [1]\n", "A = [1]\nB = [1, 3]\n"),
        ("remove_item m.py:1 1", "A = [1, 2]\n", "A = [2]\n"),
        ("remove_item m.py:1 2", "A = [1, 2]\n", "A = [1]\n"),
        ("remove_item m.py:1 2", "A = (1, 2)\n", "A = (1,)\n"),
        ("remove_item m.py:1 1", "A = (1, 2)\n", "A = (2,)\n"),
        ("remove_item m.py:1-4 2", "A = [\n    1,\n    2,\n]\n", "A = [\n    1,\n]\n"),
        ("remove_item m.py:1 '\"a\"'", 'A = {"a": 1, "b": 2}\n', 'A = {"b": 2}\n'),
        ("set_entry m.py:1 '\"a\"' 3", 'A = {"a": 1, "b": 2}\n', 'A = {"a": 3, "b": 2}\n'),
        ("set_entry m.py:1 '\"c\"' 3", 'A = {"a": 1}\n', 'A = {"a": 1, "c": 3}\n'),
        ("set_entry m.py:1 '\"c\"' 3", "A = {}\n", 'A = {"c": 3}\n'),
    ],
)
def test_items_keep_the_layout_of_their_collection(call: str, old: str, new: str) -> None:
    assert after(call, old) == new


def test_an_item_that_is_there_is_not_added_again() -> None:
    found = refusal("add_item m.py:1 2", {"m.py": "A = [1, 2]\n"})
    assert (found.why, str(found)) == ("nothing", "2 is already in it")


@pytest.mark.parametrize("case", CASES, ids=[case["call"] for case in CASES])
def test_blocks_become_as_they_are_asked_for(case: dict[str, str]) -> None:
    assert after(case["call"], case["old"]) == case["new"]


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            "remove_else 'in f'",
            "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n",
        ),
        ("loop_items 'in f'", "def f(d):\n    for k in d:\n        d[k] = 1\n"),
        ("loop_zip 'in f'", "def f(a, b):\n    for i in range(len(a)):\n        print(i, a[i], b[i])\n"),
        ("leave_early 'in f'", "def f(x):\n    if x:\n        y = 1\n    print(2)\n"),
        ("replace_in_strings 'in f' a '{b}'", 'def f():\n    return f"a"\n'),
        ("show_error 'in f'", "def f(x):\n    try:\n        x()\n    except OSError:\n        pass\n"),
        (
            "show_error 'in f'",
            "def f(x):\n    try:\n        x()\n    except OSError:\n        print('%s %s' % x)\n",
        ),
        ("add_main_guard m.py", "A = 1\n"),
        (
            "loop_enumerate 'in f'",
            "def f(a):\n    i = 0\n    for x in a:\n        print(i)\n        i += 1  # c\n",
        ),
        ("extract_function m.py:3-3 made", "def f():\n    class A:\n        x = 1\n\n    return A\n"),
        ("add_main_guard m.py", "def main(argv):\n    return argv\n"),
        ("set_entry m.py:1 1 2", "A = [1]\n"),
        ("remove_else 'in f'", "def f(x):\n    if x:\n        y = 1\n    elif y:\n        return 2\n"),
        ("remove_comments m.py:1", "import re  # noqa: F401\n"),
        (
            "add_else m.py:2 'x = 1'",
            "def f():\n    try:\n        return 1\n    except OSError:\n        pass\n",
        ),
    ],
)
def test_what_would_not_be_the_same_is_refused(call: str, text: str) -> None:
    assert refusal(call, {"m.py": text}).reason


def test_an_else_that_is_needed_is_not_said_to_be_no_more_there() -> None:
    code = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n"
    assert refusal("remove_else 'in f'", {"m.py": code}).why == "unfit"
    assert refusal("remove_else 'in f'", {"m.py": "def f(x):\n    return x\n"}).why == "nothing"


@pytest.mark.parametrize(
    ("lines", "after_it"),
    [("1-2", "if b:\n    y = 2\nelse:\n    y = 3\n"), ("3-4", "if a:\n    y = 1\nelse:\n    y = 3\n")],
)
def test_a_branch_goes_without_those_below_it(lines: str, after_it: str) -> None:
    code = "if a:\n    y = 1\nelif b:\n    y = 2\nelse:\n    y = 3\n"
    call = f"delete_statements m.py:{lines}"
    assert after(call, code) == after_it
    assert [one.reason for one in plan(call, {"m.py": code}).unfollowed]
    assert after("delete_statements m.py:1-6", f"{code}z = 1\n") == "z = 1\n"


def test_an_attribute_that_an_extracted_function_sets_may_still_be_there() -> None:
    code = (
        "class A:\n    @classmethod\n    def load(cls):\n        cls.wait = read('a')\n"
        "        cls.size = read('b')\n\n    def show(self):\n        return self.wait\n"
    )
    repo = repository({"m.py": "def read(name): ...\n\n\n" + code})
    made = registry.parse("extract_function m.py:7-8 fill").plan(repo)
    assert isinstance(made, Plan), made
    assert [(finding.kind, finding.sure) for finding in checked(made, repo).findings] == [("members", False)]


@pytest.mark.parametrize(
    ("call", "text", "reason"),
    [
        (
            "loop_enumerate 'in f'",
            "def f(xs):\n    i = 0\n    for x in xs:\n        i += 1\n        g(x)\n    return i\n",
            "after",
        ),
        (
            "loop_enumerate 'in f'",
            "def f(xs):\n    i = 0\n    for x in xs:\n        if x:\n            continue\n        i += 1\n",
            "continue",
        ),
        ("open_with 'in f'", "def f(p):\n    h = open(p)\n    return h\n", "leaves"),
        ("remove_unreachable 'in f'", "def f():\n    return\n    yield\n", "generator"),
        ("make_sync f", "async def f(g):\n    return await g()\n", "awaits"),
        ("use_from_import m.py re", "import re\n\nsub = re.sub\n", "something else"),
        ("from_f_string 'in f'", "def f(x):\n    return f'{x:>3}'\n", "format"),
        ("document_parameter f x y", "def f(x):\n    return x\n", "no docstring"),
    ],
)
def test_what_would_mean_something_else_is_refused(call: str, text: str, reason: str) -> None:
    assert reason in str(refusal(call, {"m.py": text}))


MODULE = {
    "shop/__init__.py": "from . import m\n",
    "shop/m.py": """import re

WORD = re.compile("a+b")


class Prices:
    \"\"\"Of a thing.\"\"\"

    size: int | None = None

    def items(self):
        for name in self:
            yield name, self[name]


if WORD:
    SIZE = 1
else:
    SIZE = 2


def plain(prices):
    for name in prices:
        print(name, prices[name])
    return "a"
""",
}


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("loop_items 'in Prices.items'", "self is a Prices, whose items() may be something else"),
        (
            "add_elif shop/m.py:16 'SIZE' 'print(1)'",
            "it may run when the module is imported, which is not tried",
        ),
        ("replace_in_strings shop/m.py:3 + *", "it may run when the module is imported, which is not tried"),
        ("extract_variable shop/m.py:9 'int | None' Kind", "Prices gets the attribute Kind"),
    ],
)
def test_what_may_break_an_import_or_a_class_is_marked(call: str, reason: str) -> None:
    assert [unfollowed.reason for unfollowed in plan(call, MODULE).unfollowed] == [reason]


@pytest.mark.parametrize(
    "call",
    [
        "loop_items 'in plain'",
        "replace_in_strings shop/m.py:7 thing one",
        "replace_in_strings 'in plain' a b",
    ],
)
def test_what_runs_later_is_not_marked(call: str) -> None:
    assert plan(call, MODULE).unmarked


def test_an_attribute_that_another_object_gets_is_marked() -> None:
    code = "class A:\n    def __init__(self, other):\n        self.size = other.size\n"
    made = plan("replace_expression m.py:3 self other every=true", {"m.py": code})
    assert [(unfollowed.line, unfollowed.reason) for unfollowed in made.unfollowed] == [
        (3, "self.size becomes an attribute of something else")
    ]


def test_an_attribute_that_is_replaced_everywhere_is_replaced_where_it_is_set() -> None:
    code = "def f(a):\n    if a.old is None:\n        a.old = 1\n    del a.old\n    return a.old\n"
    assert after("replace_expression m.py:1-5 a.old a.new every=true", code) == code.replace("old", "new")
    assert after("replace_expression m.py:1-5 a.old f(a) every=true", code).count("f(a)") == 3


@pytest.mark.parametrize(
    ("lines", "why"),
    [("    with open(p) as f:\n        return f.read()\n", "nothing"), ("    return p.recv()\n", "unfit")],
)
def test_all_files_are_opened_in_a_with_only_where_one_is(lines: str, why: str) -> None:
    assert refusal("open_with 'in f'", {"m.py": f"def f(p):\n{lines}"}).why == why


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("'a,b'.split", "'a,b'.rsplit", '    x = ("a,b"  # all\n        .rsplit(","))\n'),
        ("'a,b'.split(',')", "'a,b'.rsplit(',')", '    x = ("a,b"  # all\n        .rsplit(","))\n'),
    ],
)
def test_of_another_method_only_the_name_is_written(old: str, new: str, wanted: str) -> None:
    code = 'def f():\n    x = ("a,b"  # all\n        .split(","))\n'
    assert after(f'replace_expression "in f" "{old}" "{new}"', code) == f"def f():\n{wanted}"


def test_a_value_is_written_in_another_form_where_the_old_one_stands() -> None:
    code = "a = 100000\nb = 100_000\n"
    assert after("replace_expression m.py:1-2 100000 100_000 every=true", code) == code.replace(
        "100000", "100_000"
    )
    again = refusal("replace_expression m.py:2 100000 100_000", {"m.py": code})
    assert again.why == "nothing" and "already there" in str(again)


def test_no_method_is_extracted_where_a_class_looks_up_its_members_itself() -> None:
    look = "    def __getattribute__(self, name):\n        return object.__getattribute__(self, name)\n\n"
    code = "class A:\n    def f(self, x):\n        x = self.y + x\n        return x\n"
    assert "self.made(x)" in after("extract_function m.py:3 made", code)
    found = refusal("extract_function m.py:6 made", {"m.py": code.replace("class A:\n", f"class A:\n{look}")})
    assert "__getattribute__" in str(found)
