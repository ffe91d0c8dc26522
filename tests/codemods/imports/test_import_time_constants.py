"""Constants that change outside of functions are marked where an import may not take them."""

from __future__ import annotations

import pytest
from codemods.repositories import plan

MARK = "it may run when the module is imported, which is not tried"


@pytest.mark.parametrize(
    ("line", "call", "marked"),
    [
        ("NAMES = ['f', 'b']", "add_item p/a.py 'c'", False),
        ("NAMES = ['f', 'b']", "add_item p/a.py 7", True),
        ("NAMES = [1, 'b']", "add_item p/a.py 7", False),
        ("NAMES = []", "add_item p/a.py 7", False),
        ("SIZE = 10; len([SIZE])", "replace_expression p/a.py 10 64*1024", False),
        ("SIZE = 10; len([SIZE])", "replace_expression p/a.py 10 64/1024", True),
        ("SIZE = 10; len([SIZE])", "replace_expression p/a.py 10 -1", False),
        ("RATE = 1/60; len([RATE])", "replace_expression p/a.py 1/60 1/120", False),
        ("RATE = 0.5; len([RATE])", "replace_expression p/a.py 0.5 1/0", True),
        ("NAMES = []; len(NAMES)", "add_item p/a.py 7", True),
        ("NAMES = [int, str]", "add_item p/a.py 7", True),
        ("SIZES = {'a': 1}", "set_entry p/a.py 'b' 2", False),
        ("SIZES = {'a': 1}", "set_entry p/a.py 'b' 'x'", True),
        ("__all__ = ['f', 'g']", "add_item p/a.py 7", True),
        ("__slots__ = ('f', 'g')", "add_item p/a.py 'x'", True),
    ],
)
def test_a_constant_of_a_kind_that_is_new_is_marked(line: str, call: str, marked: bool) -> None:
    files = {"p/__init__.py": "", "p/a.py": f"{line}\n\n\ndef f(): ...\n\n\ndef g(): ...\n"}
    operation, place, *values = call.split()
    quoted = " ".join(f'"{one}"' for one in values)
    found = plan(f"{operation} {place}:1 {quoted}", files)
    assert [one.reason for one in found.unfollowed] == [MARK] * marked


@pytest.mark.parametrize(("item", "marked"), [("'c'", False), ("7", True)])
def test_an_item_on_a_line_of_its_own_is_one_like_others(item: str, marked: bool) -> None:
    files = {"p/__init__.py": "", "p/a.py": "NAMES = (\n    'f',\n    'b',\n)\n"}
    found = plan(f"add_item 'in p/a.py' \"{item}\" target=NAMES", files)
    assert [one.reason for one in found.unfollowed] == [MARK] * marked


def _marks(call: str, files: dict[str, str]) -> list[str]:
    return [one.reason for one in plan(call, files).unfollowed]


def test_what_only_describes_a_function_on_import_does_not_call_it() -> None:
    code = "def f(x):\n    return 1\n\n\ndef g(x):\n    return f(x)\n\n\ng.__doc__ = f.__doc__\n"
    files = {"p/__init__.py": "from . import m\n", "p/m.py": code}
    assert MARK not in _marks("set_return f 2.5", files)
    files["p/m.py"] = code.replace("f.__doc__", "f(1)")
    assert MARK in _marks("set_return f 2.5", files)
    files["p/m.py"] = f"from __future__ import annotations\n\n\n{code}\n\nclass A:\n    x: 'f'\n"
    assert MARK not in _marks("set_return f 2.5", files)  # a text has no places in the code


@pytest.mark.parametrize(
    ("behind", "marked"),
    [
        ("", False),
        ("def f(rows: Rows):\n    return rows.step(), later(1)\n", False),
        ("FIRST = Rows().step()\n", True),
        ("for one in Rows():\n    print(one)\n", True),
    ],
)
def test_another_name_of_a_function_does_not_run_it(behind: str, marked: bool) -> None:
    code = "class Rows:\n    def _next(self):\n        return 1 + 1\n\n    __next__ = step = _next\n\n\n"
    files = {"shop/__init__.py": "", "shop/rows.py": f"{code}def later(x):\n    return x\n\n\n{behind}"}
    found = plan("replace_expression(in Rows._next, 1 + 1, 2 + 2)", files)
    assert (MARK in [one.reason for one in found.unfollowed]) == marked


def test_a_list_whose_name_only_functions_read_is_not_marked() -> None:
    files = {"shop/__init__.py": "", "shop/days.py": "DAYS = (1, 2)\n\n\ndef last():\n    return DAYS[-1]\n"}
    assert not plan("replace_expression(in shop/days.py, (1, 2), [1, 2])", files).unfollowed


@pytest.mark.parametrize(
    "behind",
    [
        "__getattr__ = f\n",
        "class Rows:\n    __hash__ = f\n\n\nSEEN = {Rows()}\n",
        "class Rows:\n    __init_subclass__ = f\n\n\nclass More(Rows):\n    pass\n",
    ],
)
def test_a_function_under_a_special_name_may_run_on_import(behind: str) -> None:
    files = {"shop/__init__.py": "", "shop/rows.py": f"def f(x=None):\n    return 1 + 1\n\n\n{behind}"}
    assert MARK in _marks("replace_expression(in f, 1 + 1, 2 + 2)", files)
