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
