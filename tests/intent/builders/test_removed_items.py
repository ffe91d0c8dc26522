"""A function that removes things gives them back."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """class Cache:
    def prune(self, age):
        for name in list(self.entries):
            if self.entries[name] > age:
                del self.entries[name]

    def clear(self):
        self.entries = {}


def clean(folder):
    for path in folder.iterdir():
        if path.suffix == ".tmp":
            path.unlink()


def drop(rows):
    for row in rows[:]:
        if not row:
            rows.remove(row)
    return rows
"""


@pytest.mark.parametrize(
    ("text", "function", "result", "lines"),
    [
        ("prune should return the removed names", "prune", "the removed names", ["removed.append(name)"]),
        ("clean returns how many were deleted", "clean", "how many were deleted", ["count += 1"]),
        ("drop: return what was removed", "drop", "what was removed", ["removed.append(row)"]),
    ],
)
def test_what_a_loop_removes_is_kept_and_returned(
    text: str, function: str, result: str, lines: list[str]
) -> None:
    after = changed(CODE, text, "set_return", function=function, result=result)
    new = [line.strip() for line in after.splitlines() if line not in CODE.splitlines()]
    name = lines[0].split()[0].partition(".")[0]
    assert new == [f"{name} = {'0' if name == 'count' else '[]'}", *lines, f"return {name}"]


def test_what_is_removed_is_refused_where_the_code_does_not_show_it() -> None:
    text = "clear should return the removed entries"
    answer = answer_to(CODE, text, "set_return", function="clear", result="the removed entries")
    assert (answer.ways, "not clear in the code what clear removes" in answer.reason) == ((), True)


ONE = """class Book:
    def last(self):
        self.grades.pop()

    def undo(self):
        if self.history:
            self.history.pop()

    def forget(self, name):
        del self.users[name]
        print(name)

    def evict(self):
        key = self.order.pop(0)
        del self.items[key]
"""


@pytest.mark.parametrize(
    ("function", "result", "lines"),
    [
        ("last", "the grade it removed", ["return self.grades.pop()"]),
        ("undo", "what it removed", ["return self.history.pop()"]),
        ("forget", "the deleted entry", ["removed = self.users.pop(name)", "return removed"]),
        ("evict", "the evicted key", ["return key"]),
    ],
)
def test_the_only_thing_that_is_removed_is_given_back(function: str, result: str, lines: list[str]) -> None:
    text = f"{function} should return {result}"
    after = changed(ONE, text, "set_return", function=function, result=result)
    assert [line.strip() for line in after.splitlines() if line not in ONE.splitlines()] == lines
