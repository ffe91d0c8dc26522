"""Which expression of a function is transformed, and how."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = """\
import hashlib
import hmac
import json
import os
import signal

SMALLEST = 18
ROLES = ("ADMIN", "GUEST")
COLORS = {"red": 1, "green": 2}
API = "http://api.local:8080/v2"
EXTENSION = ".txt"
counts = {}


def allowed(role):
    return role in ROLES


def color(name):
    return COLORS[name]


def count(word):
    counts[word] += 1


def is_image(path):
    return path.endswith(".png") or path == "logo"


def average(values):
    total = 0
    for v in values:
        total += v
    mean = total / len(values)
    return {"mean": mean, "best": max(values), "cents": int(mean * 100)}


def label(item, price):
    return item + ": " + str(price)


def stamp(now):
    return now.strftime("%H:%M %d/%m/%Y")


def digest(data, known):
    return hashlib.md5(data).hexdigest() == known


def adult(age):
    return age > SMALLEST


def overlap(a, b, c, d):
    return a <= d and c <= b


def last(n):
    return list(range(1, n))


def ranked(scores):
    return sorted(scores, key=len)


def ids(text):
    found = text.split(",")
    return found


def dump(data):
    return json.dumps(data)


def megabytes(size):
    return size / 1024


def stem(name):
    return name[:-4]


def by_length(words):
    return sorted(words, key=lambda w: w.length)


def latest(lines):
    return [line for line in lines[:5]]


def open_to(user, guest):
    if user and not guest:
        return True
    return False


def lengths(table):
    for name, words in table.items():
        print(name, len(words), os.environ.get("WIDTH", "80"))


def stop(pid):
    os.kill(pid, signal.SIGTERM)
    os.kill(pid, signal.SIGTERM)


class Tagged:
    def __init__(self, owner):
        self.owner = owner
        self.tags = []

    def tag(self, text):
        self.tags.append(text)
        return self.tags
"""


def answered(intent: str, said: str, slots: dict[str, str]) -> Answer:
    spans = {name: (_span(said, text),) for name, text in slots.items()}
    order = Order(0, len(said), (Reading(intent, 1.0, spans),))
    return answer_orders([order], situation({PATH: CODE}, instruction=said))


def _span(said: str, text: str) -> Span:
    at = said.index(text)
    return Span(at, at + len(text), text, said[at - 1 : at] in ("'", '"', "`"))


@pytest.mark.parametrize(
    ("intent", "said", "slots", "old", "new"),
    [
        (
            "ignore_case",
            "case of role doesn't matter",
            {"variable": "role"},
            "role in R",
            "role.upper() in R",
        ),
        (
            "value_if_empty",
            "unknown names count as red in color",
            {"variable": "names", "default": "red", "function": "color"},
            "COLORS[name]",
            'COLORS.get(name, COLORS["red"])',
        ),
        (
            "value_if_empty",
            "KeyError for a new word: start at 0 in count",
            {"variable": "word", "default": "0", "function": "count"},
            "counts[word] += 1",
            "counts[word] = counts.get(word, 0) + 1",
        ),
        (
            "value_if_empty",
            "mean is 0 for no values",
            {"variable": "mean", "default": "0"},
            "total / len(values)",
            "total / len(values) if values else 0",
        ),
        (
            "round_value",
            "show price with two digits always",
            {"variable": "price", "count": "two"},
            "str(price)",
            'f"{price:.2f}"',
        ),
        (
            "replace_text",
            "stamp with %Y/%m/%d",
            {"new": "%Y/%m/%d", "function": "stamp"},
            "%d/%m/%Y",
            "%Y/%m/%d",
        ),
        (
            "replace_expression",
            "md5 to sha256",
            {"old": "md5", "new": "sha256"},
            "hashlib.md5",
            "hashlib.sha256",
        ),
        ("include_boundary", "18 is enough too", {"value": "18"}, "age > SMALLEST", "age >= SMALLEST"),
        (
            "exclude_boundary",
            "overlap is strict",
            {"function": "overlap"},
            "a <= d and c <= b",
            "a < d and c < b",
        ),
        ("include_boundary", "last takes n too", {"function": "last"}, "range(1, n)", "range(1, n + 1)"),
        (
            "apply_function",
            "ranked: highest first",
            {"transform": "highest first", "function": "ranked"},
            "key=len)",
            "key=len, reverse=True)",
        ),
        (
            "apply_function",
            "sort the keys in dump",
            {"transform": "sort", "variable": "keys", "function": "dump"},
            "dumps(data)",
            "dumps(data, sort_keys=True)",
        ),
        (
            "apply_function",
            "tags without duplicates in Tagged.tag",
            {"transform": "without duplicates", "variable": "tags", "function": "Tagged.tag"},
            "return self.tags",
            "return list(dict.fromkeys(self.tags))",
        ),
        (
            "convert_value",
            "found must be ints",
            {"variable": "found", "type": "ints"},
            'text.split(",")',
            '[int(one) for one in text.split(",")]',
        ),
        ("strip_value", "strip owner", {"variable": "owner"}, "= owner", "= owner.strip()"),
        (
            "strip_value",
            "strip the dashes from text in ids",
            {"variable": "text", "function": "ids"},
            "found = ",
            'text = text.strip("-")\n    found = ',
        ),
        ("set_value", "api goes to https", {"variable": "api", "value": "https"}, "http:", "https:"),
        (
            "scale_value",
            "megabytes: /1024",
            {"factor": "/1024", "function": "megabytes"},
            "1024",
            "1024 / 1024",
        ),
        (
            "replace_expression",
            "-4 is len(EXTENSION)",
            {"old": "-4", "new": "len(EXTENSION)"},
            "-4",
            "-len(EXTENSION)",
        ),
        (
            "sort_loop",
            "by_length goes by weight",
            {"key": "weight", "function": "by_length"},
            "w.length",
            "w.weight",
        ),
        (
            "sort_loop",
            "lengths by value",
            {"key": "value", "function": "lengths"},
            "table.items()",
            "sorted(table.items(), key=lambda item: item[1])",
        ),
        ("value_if_empty", "no WIDTH is 100", {"variable": "WIDTH", "default": "100"}, '"80"', '"100"'),
        ("limit_loop", "the last 5 lines in latest", {"count": "5", "function": "latest"}, "[:5]", "[-5:]"),
        (
            "negate_condition",
            "guest the other way round in open_to",
            {"old": "guest", "function": "open_to"},
            "user and not guest:",
            "user and guest:",
        ),
        (
            "replace_expression",
            "the second one in stop: not TERM but SIGKILL",
            {"old": "TERM", "new": "SIGKILL", "function": "stop"},
            "SIGTERM)\n\n",
            "SIGKILL)\n\n",
        ),
    ],
)
def test_the_value_that_is_used_is_changed(
    intent: str, said: str, slots: dict[str, str], old: str, new: str
) -> None:
    way = answered(intent, said, slots).ways[0]
    assert way.plan.texts(Repository(DictTree({PATH: CODE})))[PATH] == CODE.replace(old, new, 1)


def test_all_tests_of_texts_in_a_function_ignore_case_under_a_mark() -> None:
    way = answered("ignore_case", "is_image ignores case", {"function": "is_image"}).ways[0]
    text = way.plan.texts(Repository(DictTree({PATH: CODE})))[PATH] or ""
    assert 'path.lower().endswith(".png") or path.lower() == "logo"' in text
    assert "all 2 tests of texts are changed" in way.marked


def test_a_key_is_in_lower_case_wherever_it_is_given_for_a_dictionary() -> None:
    code = "class Cache:\n    def __init__(self):\n        self.data = {}\n\n"
    code += "    def get(self, key):\n        if key in self.data:\n            return self.data[key]\n\n"
    code += "    def put(self, key, value):\n        self.data[key] = value\n"
    new = changed(code, "the case of the key does not matter", "ignore_case", variable="key")
    lowered = "\n        key = key.lower()"
    wanted = code.replace("get(self, key):", f"get(self, key):{lowered}")
    assert new == wanted.replace("value):", f"value):{lowered}")


def test_a_collection_is_not_made_lower_case() -> None:
    code = "def known(name):\n    have = set()\n    return name in have\n"
    new = changed(code, "ignore the case of name", "ignore_case", variable="name")
    assert "have.lower()" not in new


def test_what_is_no_number_is_not_scaled() -> None:
    assert not answered("scale_value", "double average", {"factor": "double", "function": "average"}).ways


def test_the_limit_that_an_object_has_is_read_from_it() -> None:
    code = "class Tank:\n    room = 20\n\n    def fill(self, amount):\n        self.level += amount\n"
    done = changed(code, "level never goes above room", "limit_value", variable="level", maximum="room")
    assert "self.level = min(self.room, self.level + amount)" in done


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("the trailing slash", 'rstrip("/")'),
        ("leading whitespace", "lstrip()"),
        ("leading and trailing whitespace", "strip()"),
    ],
)
def test_only_the_end_that_is_named_is_stripped(said: str, call: str) -> None:
    code = "def visit(url):\n    place = url\n    return place\n"
    assert f"url.{call}" in changed(code, f"strip {said} from place", "strip_value", variable="place")


@pytest.mark.parametrize(
    ("guard", "marked"), [("", True), ("    if not token:\n        return False\n", False)]
)
def test_what_may_be_none_is_not_put_in_lower_case_without_a_mark(guard: str, marked: bool) -> None:
    code = f"def check(headers):\n    token = headers.get('auth')\n{guard}    return token == 'key'\n"
    found = answer_to(code, "check should ignore case", "ignore_case", function="check")
    assert ("token was assumed not to be None" in found.ways[0].marked) == marked


STRIPPED = "def match(key, text):\n    key = key.strip()\n    return key in text.strip()\n"


@pytest.mark.parametrize(
    ("said", "name", "old", "new"),
    [
        ("don't strip the key", "key", "    key = key.strip()\n", ""),
        ("text should not be stripped", "text", "text.strip()", "text"),
    ],
)
def test_what_is_not_to_be_done_any_more_is_taken_away(said: str, name: str, old: str, new: str) -> None:
    assert changed(STRIPPED, said, "strip_value", variable=name) == STRIPPED.replace(old, new)


def test_what_is_done_already_needs_no_edit() -> None:
    assert answer_to(STRIPPED, "strip the key", "strip_value", variable="key").kind == "nothing"


@pytest.mark.parametrize(
    ("value", "said", "new"),
    [
        ('order["price"]', "make price fall back to 5", 'order.get("price", 5)'),
        ('order["price"]', "use 5 if price is empty", 'order.get("price") or 5'),
        ('order.get("price")', "make price fall back to 5", 'order.get("price", 5)'),
        ("order[name]", "make price fall back to 5", "order.get(name, 5)"),
    ],
)
def test_a_key_that_is_missing_is_not_the_same_as_an_empty_value(value: str, said: str, new: str) -> None:
    code = f"def total(order, name):\n    price = {value}\n    return price\n"
    done = changed(code, said, "value_if_empty", variable="price", default="5")
    assert done == code.replace(value, new)


@pytest.mark.parametrize(
    ("said", "new"),
    [
        ("use 5 where price is None", "5 if order.price is None else order.price"),
        ("use -5 where price is None", "-5 if order.price is None else order.price"),
        ("use 5 where price is None or 0", "order.price or 5"),
        ("use 5 where price is empty", "order.price or 5"),
    ],
)
def test_a_number_in_the_place_of_none_leaves_0_as_it_is(said: str, new: str) -> None:
    code = "def total(order):\n    price = order.price\n    return price\n"
    done = changed(code, said, "value_if_empty", variable="price", default=said.split()[1])
    assert done == code.replace("order.price", new)
