"""Edits that words narrow down: what of Python 2 goes, which methods are sorted, how a time is shown."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, result

OLD = "# coding: utf-8\nfrom __future__ import division\n\nx = u'a'\n\n\nclass A(object):\n    pass\n"


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("drop the u prefixes", ["u'"]),
        ("no more (object)", ["(object)"]),
        ("the coding line can go", ["# coding: utf-8\n"]),
        ("remove the __future__ imports", ["from __future__ import division\n"]),
        ("no coding line and no object base", ["# coding: utf-8\n", "(object)"]),
    ],
)
def test_only_the_kinds_that_are_named_go(text: str, gone: list[str]) -> None:
    wanted = OLD
    for one in gone:
        wanted = wanted.replace(one, "'" if one == "u'" else "")
    assert changed(OLD, text, "drop_python2") == wanted


def test_the_methods_of_the_one_class_are_sorted_if_methods_are_named() -> None:
    functions = "def b():\n    pass\n\n\ndef a():\n    pass\n\n\n"
    methods = "class C:\n    def b(self):\n        pass\n\n    def a(self):\n        pass\n"
    done = changed(functions + methods, "sort the methods", "sort_definitions")
    assert done.startswith(functions) and done.index("def a(self)") < done.index("def b(self)")
    assert changed(functions, "sort the functions", "sort_definitions").startswith("def a")


def test_a_time_is_printed_if_that_is_said() -> None:
    code = "import time\n\n\ndef f(x):\n    x()\n"
    assert 'print(f"f took {time.perf_counter() - start:.3f} s")' in changed(
        code, "print how long f takes", "log_duration", function="f"
    )


@pytest.mark.parametrize(
    ("code", "mark"),
    [
        ("log = logging.getLogger()", "the logger of all modules"),
        ("log = logging.getLogger('shop')", "log.ini names 'shop' too"),
    ],
)
def test_another_name_of_a_logger_is_marked_where_the_old_one_counts(code: str, mark: str) -> None:
    files = {PATH: f"import logging\n\n{code}\n", "log.ini": "[logger_shop]\nqualname='shop'\n"}
    found = answer_to(files, "name the logger by __name__", "name_logger")
    assert result(found, files).endswith("log = logging.getLogger(__name__)\n")
    assert any(mark in one for one in found.ways[0].marked)


def test_what_stands_there_already_is_said() -> None:
    code = "def a():\n    pass\n\n\ndef b():\n    pass\n"
    for intent, name in (("move_to_top", "a"), ("move_to_bottom", "b")):
        found = answer_to(code, f"move {name}", intent, symbol=name)
        assert not found.ways and "stands there already" in found.reason


def test_one_of_several_chains_is_a_choice() -> None:
    chain = "    if {0} == 1:\n        y()\n    elif {0} == 2:\n        z()\n"
    code = f"def f(a, b, y, z):\n{chain.format('a')}{chain.format('b')}"
    ways = answer_to(code, "use match in f", "if_to_match", function="f").ways
    assert [len(way.calls) for way in ways] == [1, 1, 2]
    done = changed(code, "use match for b in f", "if_to_match", function="f", variable="b")
    assert "match b:" in done and "match a:" not in done


@pytest.mark.parametrize(
    ("code", "text", "intent", "slots"),
    [
        (OLD, "remove what is for python 2", "drop_python2", {}),
        (
            "class A:\n    def f(self):\n        self.x = 1\n",
            "A without __dict__",
            "add_slots",
            {"class": "A"},
        ),
        ("X_A = 1\nX_B = 2\n", "make X an IntEnum", "to_enum", {"variable": "X"}),
    ],
)
def test_words_that_tell_what_an_intent_is_are_used(
    code: str, text: str, intent: str, slots: dict[str, str]
) -> None:
    marked = answer_to(code, text, intent, **slots).ways[0].marked
    assert not any("not used" in mark for mark in marked)
