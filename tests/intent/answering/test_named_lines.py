"""Edits of lines that are named by their numbers, and of what an instruction shows or tells of the code."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.asking import answer_to, changed, edited
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import Answer, answer
from spark_tui.intent.planning.answers import Way
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

CODE = """\
class Store:
    limit = 10

    def close(self):
        self.flush()
        self.path = None
        return self.limit


def save(store, rows):
    store.begin()
    for at in range(len(rows) - 1):
        store.put(rows[at])
    store.commit()
    report(store, rows)
"""


@lru_cache(maxsize=1)
def reader() -> Reader:
    return Reader.load()


def asked(instruction: str, code: str = CODE) -> Answer:
    here = situation({PATH: code})
    return answer(instruction, reader(), here, repository_roles(here.repo.index, (PATH,)))


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("comment line 5 out", "        self.flush()", "        # self.flush()"),
        ("replace line 14 with `store.end()`", "store.commit()", "store.end()"),
        (
            "swap lines 5 and 6",
            "self.flush()\n        self.path = None",
            "self.path = None\n        self.flush()",
        ),
        ("get rid of L14", "    store.commit()\n", ""),
        (
            "add a todo above line 14 that says 'retry'",
            "    store.commit",
            "    # TODO: retry\n    store.commit",
        ),
        ("in `report(store, rows)` swap `store` and `rows`", "report(store, rows)", "report(rows, store)"),
        (
            "make close just return None",
            "self.flush()\n        self.path = None\n        return self.limit",
            "return None",
        ),
    ],
)
def test_an_edit_is_made_where_and_as_it_is_told(instruction: str, old: str, new: str) -> None:
    found = asked(instruction)
    assert found.kind == "edit"
    assert result(found, {PATH: CODE}) == CODE.replace(old, new)


def test_a_line_range_is_not_read_as_two_lines() -> None:
    found = asked("delete lines 5 to 6")
    assert result(found, {PATH: CODE}) == CODE.replace("        self.flush()\n        self.path = None\n", "")


def test_names_of_a_file_that_does_not_parse_are_not_lost() -> None:
    broken = "def load(path)\n    return parse(path)\n"
    found = asked("fix the syntax error", broken)
    assert result(found, {PATH: broken}) == broken.replace("path)\n", "path):\n", 1)


def test_a_method_gets_the_self_that_it_lacks() -> None:
    code = "class Store:\n    def close():\n        self.open = False\n"
    found = changed(code, "close has no self", "make_static", function="close")
    assert found == code.replace("close()", "close(self)")


def test_none_is_a_default_and_a_type_of_its_own() -> None:
    code = "def wait(seconds=5) -> int:\n    return seconds\n"
    default = changed(
        code, "make `None` the default of seconds", "set_default", default="None", parameter="seconds"
    )
    assert default == code.replace("seconds=5", "seconds=None")
    hint = changed(
        code, "change the return type of wait to `None`", "annotate_return", function="wait", type="None"
    )
    assert hint == code.replace("-> int", "-> None")


def test_every_use_of_a_dotted_name_is_replaced() -> None:
    code = "import os\n\nnames = os.path\nprint(os.path.join(names))\n"
    text = "change os.path to os.fs everywhere"
    slots = {"old": "os.path", "new": "os.fs"}
    assert edited(text, "replace_call", slots, code) == code.replace("os.path", "os.fs")


def test_an_attribute_that_is_set_too_is_renamed() -> None:
    code = (
        "class A:\n    def __init__(self):\n        self.n = 1\n\n    def get(self):\n        return self.n\n"
    )
    text = "replace `self.n` with `self.count` everywhere"
    assert changed(code, text, "replace_call", old="self.n", new="self.count") == code.replace(
        "self.n", "self.count"
    )


def test_an_argument_that_is_not_needed_goes() -> None:
    code = "def load(path):\n    return open(path, mode='r')\n"
    text = "call open without mode='r'"
    assert changed(code, text, "set_argument", call="open", argument="mode", value="'r'") == code.replace(
        ", mode='r'", ""
    )


def test_the_name_that_python_proposes_is_meant() -> None:
    code = "def add(items):\n    return sum(item)\n"
    found = answer_to(code, "fix NameError: name 'item' is not defined. Did you mean: 'items'?", "fix_error")
    assert found.kind == "edit"
    assert result(found, {PATH: code}) == code.replace("(item)", "(items)")


def marks(way: Way) -> str:
    return " ".join(way.marked)


def test_what_an_edit_touches_is_not_called_unused() -> None:
    code = "def load(path):\n    print(path)\n    return path\n"
    found = answer_to(code, "delete the prints in 'load()'", "delete_calls", function="load")
    assert "not used" not in marks(found.ways[0])
    other = answer_to(code, "delete the prints in 'load()' and keep `save`", "delete_calls", function="load")
    assert "not used: save" in marks(other.ways[0])
