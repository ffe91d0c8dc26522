"""Guards whose error is caught right there, or which leave nothing to what stands behind them: marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to

CODE = """class Store:
    def forget(self, key):
        try:
            del self.items[key]
        except KeyError:
            pass

    def remove(self, key):
        try:
            del self.items[key]
        except KeyError:
            raise

    def number(self, name):
        row = self.database.execute(name).fetchone()
        if row is None:
            found = self.create(name)
        else:
            found = row["id"]
        return found

    def check(self, text, most):
        text = super().check(text)
        if most and text and len(text) > most:
            raise ValueError(text)
        return text

    def show(self, text):
        return text.split()[0]
"""


@pytest.mark.parametrize(
    ("function", "condition", "error", "said"),
    [
        (
            "forget",
            "key is unknown",
            "KeyError",
            "the except KeyError around it catches this error: no caller sees it",
        ),
        ("forget", "key is unknown", "LookupError", ""),
        ("remove", "key is unknown", "KeyError", ""),
        ("number", "row is None", "ValueError", "row is None is asked again behind it"),
        ("check", "text is empty", "ValueError", "text may be empty in most and text and"),
        ("show", "text is empty", "ValueError", ""),
    ],
)
def test_a_guard_that_does_not_do_what_it_says_is_marked(
    function: str, condition: str, error: str, said: str
) -> None:
    text = f"raise {error} in {function} if {condition}"
    slots = {"function": function, "condition": condition, "exception": error}
    way = answer_to(CODE, text, "guard_raise", **slots).ways[0]
    assert any(said in mark for mark in way.marked) if said else not way.marked


def test_what_an_if_asks_already_is_not_skipped_again() -> None:
    code = (
        "def show(pieces):\n    for piece in pieces:\n        if piece.strip():\n            print(piece)\n"
    )
    way = answer_to(code, "skip empty pieces", "skip_in_loop", condition="empty pieces").ways[0]
    assert any("is asked again behind it" in mark for mark in way.marked)
