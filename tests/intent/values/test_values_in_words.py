"""Values that words describe: settings, entries, the environment, and texts as they come out."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

from spark_tui.intent.values.literals.moments import date_format

SHOP = """import time

FMT = "%d/%m/%y"
OPENING = 9
CHARSET = "latin-1"
MAX_BYTES = 4 * 1024 * 1024
RANGES = {"oven": (40, 250), "fridge": (2, 8)}
GRACE = 15


class Shelf:
    def __init__(self, name, colour="red"):
        self.name = name
        self.colour = colour
        self.checked = None
        self.count = 0

    def as_dict(self):
        return {"name": self.name}

    def clear(self):
        self.count = 0

    def __repr__(self):
        return f"Shelf(name={self.name!r}, colour={self.colour!r})"


def watch(shelf, when):
    high = []
    for _ in range(3):
        time.sleep(2)
    if shelf.count > 15:
        print("shelf %s has %d things" % (shelf.name, shelf.count))
    print("seen", when.strftime("%d.%m.%Y"))
    return high
"""


@pytest.mark.parametrize(
    ("text", "slots", "wanted"),
    [
        ("the upper oven limit is 260", {"variable": "upper oven limit", "value": "260"}, "(40, 260)"),
        ("GRACE is 7", {"variable": "GRACE", "value": "7"}, "GRACE = 7\n"),
        ("wait 3 seconds between", {"variable": "wait", "value": "3 seconds"}, "time.sleep(3)"),
        ("up to 8 MB at most", {"variable": "most", "value": "8 MB"}, "MAX_BYTES = 8 * 1024 * 1024"),
        ("ten things, not 9", {"variable": "things", "value": "ten", "old": "9"}, "OPENING = 10"),
        ("we open at 8", {"variable": "we", "value": "8"}, "OPENING = 8"),
        ("FMT like YYYY-MM-DD", {"variable": "FMT", "value": "YYYY-MM-DD"}, 'FMT = "%Y-%m-%d"'),
        (
            "checked is None after clear",
            {"variable": "checked", "value": "None", "function": "clear"},
            "self.count = 0\n        self.checked = None\n\n    def __repr__",
        ),
    ],
)
def test_a_value_is_put_where_words_say(text: str, slots: dict[str, str], wanted: str) -> None:
    assert wanted in changed(SHOP, text, "set_value", **slots)


def test_a_value_of_another_kind_is_marked_or_not_put_there() -> None:
    code = "LOW = 3\n\n\ndef rest(xs):\n    low = []\n    return low\n"
    assert changed(code, "low is 5 now", "set_value", variable="low", value="5") == code.replace("3", "5")


def test_an_entry_is_made_like_those_beside_it() -> None:
    wanted = '{"name": self.name, "colour": self.colour}'
    for intent, slot in (("set_entry", "key"), ("add_item", "value")):
        assert wanted in changed(
            SHOP, "as_dict lacks the colour", intent, **{slot: "colour", "function": "as_dict"}
        )
    # Nothing is called weight.
    assert not answer_to(SHOP, "as_dict lacks the weight", "set_entry", key="weight", function="as_dict").ways


def test_texts_and_dates_are_told_as_they_come_out() -> None:
    text = "'shelf oak has 3 things' should be 'oak: 3 things on it'"
    slots = {"old": "shelf oak has 3 things", "message": "oak: 3 things on it"}
    assert '"%s: %d things on it" % (shelf.name' in changed(SHOP, text, "replace_message", **slots)
    slots = {"old": "31.03.2024", "new": "2024-03-31"}
    made = changed(SHOP, "2024-03-31 in place of 31.03.2024", "replace_text", **slots)
    assert 'strftime("%Y-%m-%d")' in made
    assert 'FMT = "%d/%m/%y"' in made


def test_a_further_attribute_is_shown_like_the_others() -> None:
    made = changed(
        SHOP,
        "show count in repr of Shelf",
        "add_special_method",
        **{"class": "Shelf", "method": "repr", "attribute": "count"},
    )
    assert 'f"Shelf(name={self.name!r}, colour={self.colour!r}, count={self.count!r})"' in made


def test_a_constant_that_is_there_is_used() -> None:
    made = changed(
        SHOP, "15 in watch should be GRACE", "extract_constant", value="15", function="watch", name="GRACE"
    )
    assert "shelf.count > GRACE" in made
    assert made.count("GRACE = ") == 1


def test_the_constant_behind_a_default_is_set() -> None:
    code = "KEEP = 5\n\n\ndef rotate(path, keep=KEEP):\n    return keep\n"
    slots = {"parameter": "keep", "default": "seven", "old": "five"}
    assert changed(code, "keep seven, not five", "set_default", **slots) == code.replace("5", "7")


def test_a_unit_behind_a_size_and_a_pronoun_beside_it_are_read() -> None:
    text = "8 megabytes: set MAX_BYTES to 8 megabytes"
    assert "MAX_BYTES = 8 * 1024" in changed(SHOP, text, "set_value", variable="MAX_BYTES", value="8")


def test_numbers_in_a_text_are_no_fields_of_a_date() -> None:
    assert date_format("page %d of %d", "page 3 of 9", "page 3/9") is None
    assert date_format("%d.%m.%Y", "31.12.2024", "12/31/2024") == "%m/%d/%Y"
