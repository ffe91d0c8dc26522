"""Edits that the code at hand makes clear: another word for a command, a print before a return, all
results of a class."""

from __future__ import annotations

from intent.asking import changed

CODE = """class Shelf:
    def __init__(self):
        self.books = []

    def put(self, book):
        self.books.append(book)

    def has(self, book):
        return book in self.books


def find(shelf, title):
    for book in shelf.books:
        if book.title == title:
            return book
    return None


def run(shelf, word):
    if word == "put":
        shelf.put(word)
"""


def test_another_value_is_accepted_beside_the_one_that_is_compared() -> None:
    after = changed(CODE, "also accept 'add' for put", "add_item", value="add", variable="put")
    assert '    if word in ("put", "add"):\n' in after


def test_a_text_is_printed_before_a_return() -> None:
    text = "find: print 'no such book' before returning None"
    slots = {"function": "find", "code": "print 'no such book'", "anchor": "returning None"}
    after = changed(CODE, text, "insert_before", **slots)
    assert '    print("no such book")\n    return None\n' in after


def test_the_results_of_all_methods_of_a_class_are_annotated() -> None:
    after = changed(CODE, "annotate the results of Shelf's methods", "annotate_return", function="Shelf")
    assert "def put(self, book) -> None:" in after and "def has(self, book) -> bool:" in after


def test_rounds_are_skipped_in_the_loop_over_what_is_named() -> None:
    code = (
        "def count(text):\n    number = 0\n    for line in text.splitlines():\n"
        "        for word in line.split():\n            number += len(word)\n    return number\n"
    )
    after = changed(code, "ignore blank lines", "skip_in_loop", condition="blank lines")
    assert "    for line in text.splitlines():\n        if not line.strip():\n            continue\n" in after
