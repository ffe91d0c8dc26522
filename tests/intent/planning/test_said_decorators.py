"""A call of a decorator that a function is to get is put on it."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.support import PATH, result

CODE = """from tools import retry


def load(path):
    return path


class Store:
    def save(self, path):
        return path


def total(rows):
    return sum(rows)
"""
TOOLS = """def retry(times):
    def wrap(function):
        def inner(*args):
            return [function(*args) for _ in range(times)]
        return inner
    return wrap


def limit(number):
    return number
"""
FILES = {PATH: CODE, "tools.py": TOOLS}


@pytest.mark.parametrize(
    ("text", "intent", "slots", "line"),
    [
        ("put retry(3) on load", "cache_results", {"function": "load", "size": "3"}, "@retry(3)"),
        ("wrap Store.save in retry(2)", "wrap_in_with", {"function": "Store.save"}, "    @retry(2)"),
        ("use retry(3) for total", "set_return", {"result": "retry(3)", "function": "total"}, "@retry(3)"),
        (
            "put limit(3) on load",
            "set_return",
            {"result": "limit(3)", "function": "load"},
            "    return limit(3)",
        ),
    ],
)
def test_what_gives_back_a_function_of_its_own_is_a_decorator(
    text: str, intent: str, slots: dict[str, str], line: str
) -> None:
    assert line in result(answer_to(FILES, text, intent, **slots), FILES).splitlines()


def test_a_number_in_brackets_is_no_size_of_a_cache() -> None:
    answer = answer_to(FILES, "put throttle(3) on load", "cache_results", function="load", size="3")
    assert "@throttle(3)" in result(answer, FILES)
    assert any("nothing defines throttle" in reason for reason in answer.ways[0].marked)
