"""Things that are described in words or in another language, values of which a part is said, and orders that
are done already."""

from __future__ import annotations

import pytest
from intent.asking import edited
from intent.support import PATH, answered, result

from spark_tui.intent.context.described_names import content_words, score_description

CODE = """\
import random
import signal

GRACE_DAYS = 14
MAX_SEATS = 4  # how many guests fit at a table
SITE_URL = "http://inn.example/book"
SUFFIX = ".csv"
RELEASE = "1.9"
STATES = ["open", "paid"]
DRIVES = ["/srv", "/data"]
WINDOW = 3
window = 5


def fetch(host, tries=5, page=1):
    for _ in range(tries):
        if host.ping() == page:
            return host
    return None


def share(total, guests):
    return total / guests


def halt(host):
    host.kill(signal.SIGTERM)


def respond(host):
    host.send(404)
    return host


def clean(line):
    return line.strip()


def open_room(host):
    conn = host.connect()
    return conn.room


class Desk:
    def label(self, first, second):
        return first + second

    def weight(self, stone):
        return 25
"""


@pytest.mark.parametrize(
    ("text", "intent", "slots", "old", "new"),
    [
        ("the grace period is 30", "set_value", {"variable": "grace period", "value": "30"}, "= 14", "= 30"),
        (
            "at most guests per table 6",
            "set_value",
            {"variable": "guests per table", "value": "6"},
            "= 4",
            "= 6",
        ),
        ("the site url to https", "set_value", {"variable": "site url", "value": "https"}, "http:", "https:"),
        ("SUFFIX is tsv now", "set_value", {"variable": "SUFFIX", "value": "tsv"}, '".csv"', '".tsv"'),
        ("RELEASE is 2.0", "set_value", {"variable": "RELEASE", "value": "2.0"}, '"1.9"', '"2.0"'),
        (
            "die Versuche auf 9",
            "set_default",
            {"parameter": "Versuche", "default": "9"},
            "tries=5",
            "tries=9",
        ),
        ("/opt as well", "add_item", {"value": "/opt"}, '"/data"]', '"/data", "/opt"]'),
        ("TERM to SIGINT", "replace_expression", {"old": "TERM", "new": "SIGINT"}, "SIGTERM", "SIGINT"),
        (
            "both of label are str",
            "annotate_parameter",
            {"parameter": "both", "function": "label", "type": "str"},
            "(self, first, second)",
            "(self, first: str, second: str)",
        ),
        (
            "weight takes an int",
            "annotate_parameter",
            {"function": "weight", "type": "int"},
            "(self, stone)",
            "(self, stone: int)",
        ),
        (
            "GRACE_DAYS in camel case",
            "rename",
            {"symbol": "GRACE_DAYS", "new": "camel case"},
            "GRACE_DAYS",
            "graceDays",
        ),
        (
            "conn.ready() after connecting in open_room",
            "insert_after",
            {"code": "conn.ready()", "anchor": "connecting", "function": "open_room"},
            "host.connect()\n",
            "host.connect()\n    conn.ready()\n",
        ),
    ],
)
def test_what_is_described_is_found(
    text: str, intent: str, slots: dict[str, str], old: str, new: str
) -> None:
    changed = edited(text, intent, slots, CODE)
    imported = "import math\nimport random" if "math." in new else "import random"
    assert changed == CODE.replace(old, new).replace("import random", imported)


@pytest.mark.parametrize(
    ("intent", "words"),
    [
        ("rename", {"symbol": "fetch_all", "new": "fetch"}),
        ("remove_import", {"module": "threading"}),
        ("set_value", {"variable": "RELEASE", "value": '"1.9"'}),
        ("strip_value", {"variable": "line", "function": "clean"}),
    ],
)
def test_what_stands_there_already_is_nothing_to_do(intent: str, words: dict[str, str]) -> None:
    assert answered({PATH: CODE}, (intent, words)).kind == "nothing"


def test_a_described_thing_becomes_no_key_of_a_dictionary() -> None:
    code = {PATH: "def stats(xs):\n    return {'n': len(xs), 'mean': sum(xs) / len(xs)}\n"}
    assert not answered(code, ("set_value", {"variable": "depth of the lake", "value": "3"})).ways


def test_of_several_that_fit_the_words_no_one_is_taken_unseen() -> None:
    code = {PATH: "PAGE_LIMIT = 20\nWORD_LIMIT = 90\n"}
    found = answered(code, ("set_value", {"variable": "limit", "value": "5"}))
    assert found.kind == "choices" or "places fit" in str(found.ways[0].marked)


def test_a_name_in_code_that_is_unknown_is_not_guessed() -> None:
    assert not answered({PATH: CODE}, ("set_value", {"variable": "grace_period_len", "value": "3"})).ways


def test_a_unit_that_was_taken_for_a_class_is_part_of_the_value() -> None:
    slots = {"variable": "GRACE_DAYS", "value": "3", "class": "Wochen"}
    changed = edited("GRACE_DAYS auf 3 Wochen", "set_value", slots, CODE)
    assert changed is not None and "GRACE_DAYS = 21\n" in changed


def test_the_type_of_the_order_before_is_that_of_what_is_returned_too() -> None:
    orders = (
        ("annotate_parameter", {"parameter": "both", "type": "str", "function": "label"}),
        ("annotate_return", {"function": "label"}),
    )
    text = result(answered({PATH: CODE}, *orders), {PATH: CODE})
    assert "def label(self, first: str, second: str) -> str:" in text


def test_words_mean_a_name_in_other_forms_and_languages() -> None:
    assert score_description(content_words("el descuento"), "DISCOUNT") == 1.0
    assert score_description(content_words("折扣"), "discount") == 1.0
    assert score_description(content_words("flase"), "FALSE_WORDS") > 0
    assert score_description(content_words("the colour"), "count") == 0.0
    assert content_words("page_size") == ()
