"""Statements, results and parameters that are told in words become code of the names that are there."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CLASS = """import threading
import time


class Shelf:
    def __init__(self):
        self.books = []
        self.hits = 0
        self.owner = None
        self.lock = threading.Lock()
        self.created = time.time()

    def add(self, book):
        self.books.append(book)
"""
FUNCTIONS = """import os


def store(con):
    con.execute("a")
    con.commit()


def drop(con, path):
    con.execute("b")


def pack(path):
    with open(path) as file:
        data = file.read()
    return data
"""


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("empties books and sets hits back to 0", ["self.books = []", "self.hits = 0"]),
        ("setzt hits auf 0", ["self.hits = 0"]),
        ("vide books et oublie owner", ["self.books = []", "self.owner = None"]),
    ],
)
def test_a_method_does_what_words_say(said: str, lines: list[str]) -> None:
    new = changed(
        CLASS, f"Shelf needs reset: {said}", "add_method", **{"class": "Shelf"}, name="reset", code=said
    )
    body = "".join(f"        {line}\n" for line in lines)
    assert new == f"{CLASS}\n    def reset(self):\n{body}"


def test_a_condition_that_is_not_understood_is_no_text() -> None:
    said = "whether it will rain"
    assert not answer_to(
        CLASS, f"Shelf.wet: {said}", "add_method", **{"class": "Shelf"}, name="wet", result=said
    ).ways


@pytest.mark.parametrize(
    ("intent", "text", "slots", "old", "new"),
    [
        (
            "insert_at_end",
            "drop must commit",
            {"function": "drop", "code": "commit"},
            '    con.execute("b")\n',
            '    con.execute("b")\n    con.commit()\n',
        ),
        (
            "insert_after",
            "pack: file.seek(0) once the file is open",
            {"function": "pack", "code": "file.seek(0)", "anchor": "the file is open"},
            "        data =",
            "        file.seek(0)\n        data =",
        ),
    ],
)
def test_a_statement_in_words_stands_where_its_names_are_set(
    intent: str, text: str, slots: dict[str, str], old: str, new: str
) -> None:
    answer = answer_to(FUNCTIONS, text, intent, **slots)
    assert changed(FUNCTIONS, text, intent, **slots) == FUNCTIONS.replace(old, new)
    assert answer.ways[0].marked or slots["code"] == "file.seek(0)"


def test_words_that_name_nothing_become_no_statement() -> None:
    text = "drop must do something clever"
    assert not answer_to(FUNCTIONS, text, "insert_at_end", function="drop", code="something clever").ways


def test_an_else_returns_what_words_say() -> None:
    code = "def check(conv):\n    try:\n        conv()\n    except ValueError:\n        print(1)\n"
    for said, line in (("returns True", "return True"), ("raises a KeyError", "raise KeyError")):
        new = changed(code, f"an else in check {said}", "add_else", function="check", code=said)
        assert new == f"{code}    else:\n        {line}\n"


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Set self.ready to True after self.hits", "self.ready to True", "self.ready = True"),
        ('After self.hits log "made" at debug', 'log "made" at debug', 'log.debug("made")'),
    ],
)
def test_an_attribute_may_be_new_and_a_text_may_be_logged(text: str, code: str, line: str) -> None:
    file = f"import logging\n\nlog = logging.getLogger()\n{CLASS}"
    new = changed(file, text, "insert_after", code=code, anchor="self.hits")
    assert new == file.replace("self.hits = 0\n", f"self.hits = 0\n        {line}\n")
