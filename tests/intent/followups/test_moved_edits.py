"""Follow-ups that move what was written, add to it, or give back what stood there before."""

from __future__ import annotations

from typing import Any

import pytest
from intent.support import PATH, spans

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = '''"""A shelf of books."""

LIMIT = 0.5
WORDS = ("old", "used")
PAGES = {
    "short": 100,
}


class Shelf:
    def lend(self, name, days):
        book = self.books[name]

        self.lent.append(book)
        if days > LIMIT and book.free:
            return book
        return None

    def close(self):
        """Close it."""

    def __call__(self, name):
        return self.lend(name, 1)


class Desk:
    def __call__(self, name):
        return name
'''
CHECK = (
    "        book = self.books[name]\n",
    "        if not name:\n            return None\n        book = self.books[name]\n",
)
LOG = ("        book = self.books[name]\n", '        logger.info("lend")\n        book = self.books[name]\n')
LOGGER = ("\nLIMIT", "\nlogger = logging.getLogger(__name__)\n\nLIMIT")
IMPORT = ('books."""\n', 'books."""\n\nimport logging\n')
ITEM = ('"used")', '"used", "torn")')
ENTRY = ('"short": 100,\n', '"short": 100,\n    "long": 900,\n')
TEST = ("and book.free", "and book.free and name")


def amended(edits: list[tuple[str, str]], *said: tuple[str, dict[str, Any]]) -> tuple[Answer, str]:
    """The answer to a follow-up to replaced texts, and the text of the file when it is taken."""
    before, after = Repository(DictTree({PATH: CODE})), CODE
    for old, new in edits:
        assert old in after
        after = after.replace(old, new)
    text, orders = "", []
    for intent, words in said:
        part, slots = spans(words, len(text))
        orders.append(Order(len(text), len(text) + len(part) + 1, (Reading(intent, 0.95, slots),)))
        text += f"{part} "
    now = before.with_changes({PATH: after})
    told = Situation(now, PATH, earlier=Done("write", {}, ()), before=before, instruction=text)
    found = answer_orders(orders, told)
    base = before if found.ways and found.ways[0].from_before else now
    return found, (found.ways[0].plan.texts(base).get(PATH) or "") if found.ways else ""


@pytest.mark.parametrize(
    ("intent", "words", "says"),
    [
        ("amend.after", {"anchor": "self.lent.append"}, "append(book)\n        if not name:\n"),
        (
            "amend.last",
            {},
            "return book\n        if not name:\n            return None\n        return None\n",
        ),
        (
            "amend.after",
            {"anchor": "book = self.books[name]"},
            "[name]\n        if not name:\n            return None\n\n",
        ),
        (
            "amend.after",
            {"anchor": "return book"},
            "return book\n        if not name:\n            return None\n        return None\n",
        ),
    ],
)
def test_a_block_is_moved_within_its_function(intent: str, words: dict[str, Any], says: str) -> None:
    _, text = amended([CHECK], (intent, words))
    assert says in text and text.count("if not name") == 1


def test_what_came_with_a_block_stays_where_it_is() -> None:
    _, text = amended([LOG, LOGGER, IMPORT], ("amend.after", {"anchor": "self.lent.append"}))
    assert 'append(book)\n        logger.info("lend")\n' in text
    assert "import logging\n" in text and "logger = logging" in text


def test_what_stands_there_already_is_not_moved() -> None:
    assert amended([CHECK], ("amend.first", {}))[0].kind == "nothing"


def test_a_method_of_the_same_class_is_meant() -> None:
    _, text = amended([LOG, LOGGER, IMPORT], ("amend.place", {"function": "__call__"}))
    assert '        logger.info("lend")\n        return self.lend(name, 1)' in text
    assert text.count("logger.info") == 1 and "import logging" in text


def test_what_a_function_does_not_know_is_not_put_into_it() -> None:
    _, text = amended(
        [("        self.lent", "        print(days)\n        self.lent")],
        ("amend.also", {"function": "close"}),
    )
    assert text.count("print(days)") < 2


@pytest.mark.parametrize(
    ("edit", "intent", "words", "says"),
    [
        (ITEM, "amend.first", {}, 'WORDS = ("torn", "old", "used")'),
        (ITEM, "amend.before", {"anchor": '"used"'}, 'WORDS = ("old", "torn", "used")'),
        (ITEM, "amend.further", {"value": ['"wet"', '"lost"']}, '"used", "torn", "wet", "lost")'),
        (ENTRY, "amend.first", {}, '{\n    "long": 900,\n    "short": 100,\n}'),
        (ENTRY, "amend.further", {"value": '`"huge": 2000`'}, '"long": 900,\n    "huge": 2000,\n}'),
        (TEST, "amend.first", {}, "if name and days > LIMIT and book.free:"),
        (TEST, "amend.condition", {"condition": "`name or days`"}, "and book.free and (name or days):"),
    ],
)
def test_items_are_moved_added_and_exchanged_among_others(
    edit: tuple[str, str], intent: str, words: dict[str, Any], says: str
) -> None:
    assert says in amended([edit], (intent, words))[1]


def test_words_that_are_no_value_do_not_replace_a_number() -> None:
    _, text = amended([("LIMIT = 0.5", "LIMIT = 0.9")], ("amend.value", {"value": "twice the old one"}))
    assert not text


def test_a_quote_at_the_end_of_a_message_belongs_to_it() -> None:
    raised = [("            return book\n", '            raise ValueError("no")\n')]
    _, text = amended(raised, ("amend.message", {"message": "`name` must not be 'x'"}))
    assert "ValueError(\"`name` must not be 'x'\")" in text


def test_another_statement_is_written_before_its_message() -> None:
    message, error = (
        ("amend.message", {"message": "'no name'"}),
        ("amend.raise_instead", {"exception": "KeyError"}),
    )
    _, text = amended([CHECK], message, error)
    assert 'raise KeyError("no name")' in text


def test_what_is_moved_is_changed_before() -> None:
    value, place = ("amend.value", {"value": "'gone'"}), ("amend.after", {"anchor": "self.lent.append"})
    _, text = amended([LOG, LOGGER, IMPORT], place, value)
    assert 'append(book)\n        logger.info("gone")\n' in text and text.count("logger.info") == 1


def test_a_blank_line_behind_what_was_inserted_stays() -> None:
    method = "    def count(self):\n        return 0\n\n    def close"
    _, text = amended([("    def close", method)], ("amend.name", {"old": "count", "new": "size"}))
    assert "    def size(self):\n        return 0\n\n    def close" in text


def test_a_result_that_is_not_understood_is_not_left_out() -> None:
    raised = [(CHECK[0], CHECK[1].replace("return None", "raise KeyError(name)"))]
    assert not amended(raised, ("amend.return_instead", {"result": "the shelf unchanged"}))[1]
