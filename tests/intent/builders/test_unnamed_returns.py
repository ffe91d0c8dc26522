"""A result without its function is returned where all of its names are known."""

from __future__ import annotations

from intent.asking import answer_to, changed

CODE = """def first(rows):
    return rows[0]


def search(docs, limit):
    found = [doc for doc in docs if doc]
    return docs


def last(rows):
    if rows:
        return rows[-1]
    return None
"""


def test_the_function_that_knows_the_names_is_meant() -> None:
    made = changed(CODE, "return found[:limit] then", "set_return", result="found[:limit]")
    assert made == CODE.replace("return docs", "return found[:limit]")


def test_of_several_that_know_them_none_is_taken_for_sure() -> None:
    answer = answer_to(CODE, "return rows[1] then", "set_return", result="rows[1]")
    assert all(way.marked for way in answer.ways)


def test_a_call_within_what_was_returned_is_told_to_go() -> None:
    code = "class Pile(list):\n    def put(self, row):\n        return super().put(row) * 10\n"
    found = answer_to(code, "make Pile.put return self", "set_return", result="self", function="Pile.put")
    assert "super().put is not called any more" in found.ways[0].marked
    plain = code.replace("super().put(row)", "len(row)")
    found = answer_to(plain, "make Pile.put return self", "set_return", result="self", function="Pile.put")
    assert not [mark for mark in found.ways[0].marked if "not called" in mark]
