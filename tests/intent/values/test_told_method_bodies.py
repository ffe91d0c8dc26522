"""What a new method does to a collection, and texts that show attributes in braces."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """class Shelf:
    known = {}

    def __init__(self, books=None, names=()):
        self.books = books or []
        self.prices = dict(names) if names else {}
        self.seen = set()
        self.owner = owner()

    def add(self, book):
        return book
"""


def body(said: str, name: str) -> str:
    text = f"add a method {name} to Shelf that {said}"
    new = changed(CODE, text, "add_method", **{"class": "Shelf"}, name=name, code=said)
    assert new.startswith(CODE)
    return new.removeprefix(CODE).partition(":\n")[2].strip()


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("removes the book from books", "self.books.remove(book)"),
        ("drops the entry from prices", "del self.prices[book]"),
        ("removes it from self.known", "del self.known[book]"),
        ("discards the item from seen", "self.seen.discard(book)"),
        ("appends the book to books", "self.books.append(book)"),
        ("adds book to seen", "self.seen.add(book)"),
        ("den Eintrag aus prices entfernt", "del self.prices[book]"),
        ("ajoute book à books", "self.books.append(book)"),
    ],
)
def test_a_parameter_goes_into_a_collection_or_out_of_it(said: str, line: str) -> None:
    assert body(said, "change(book)") == line


def test_several_go_into_a_collection() -> None:
    assert body("adds the items to books", "change(items)") == "self.books.extend(items)"
    assert body("adds the items to seen", "change(items)") == "self.seen.update(items)"
    assert body("adds the status to books", "change(status)") == "self.books.append(status)"


def test_a_collection_that_may_be_given_is_emptied() -> None:
    assert body("empties self.prices", "clear") == "self.prices.clear()"
    assert body("resets books and seen to empty lists", "clear") == "self.books = []\n        self.seen = []"


def test_what_is_no_collection_is_left_alone() -> None:
    text = "add a method change(book) to Shelf that removes the book from owner"
    slots = {"name": "change(book)", "code": "removes the book from owner"}
    answer = answer_to(CODE, text, "add_method", **{"class": "Shelf"}, **slots)
    assert not answer.ways or "owner.remove" not in str(answer.ways[0].calls)


@pytest.mark.parametrize(
    ("shown", "new"),
    [
        ("{owner} has {books!r}", 'f"{self.owner} has {self.books!r}"'),
        ("of {self.owner}", 'f"of {self.owner}"'),
        ("{sep}{owner}{sep}", 'f"{sep}{self.owner}{sep}"'),
        ("the owner", '"the owner"'),
    ],
)
def test_a_text_shows_attributes_and_parameters(shown: str, new: str) -> None:
    text = f"add a method told(sep) to Shelf returning '{shown}'"
    made = changed(CODE, text, "add_method", **{"class": "Shelf"}, name="told(sep)", result=shown)
    assert made.endswith(f"    def told(self, sep):\n        return {new}\n")


def test_braces_that_hold_nothing_are_marked() -> None:
    text = "add a method told to Shelf returning 'in {nowhere}'"
    answer = answer_to(CODE, text, "add_method", **{"class": "Shelf"}, name="told", result="in {nowhere}")
    assert any("placeholders" in mark for mark in answer.ways[0].marked)
