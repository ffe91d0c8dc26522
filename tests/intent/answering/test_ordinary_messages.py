"""Ordinary messages are not taken for a bug, an item of a list, a name or an undo because of some word."""

from __future__ import annotations

from functools import lru_cache

import pytest
from intent.following import answer_behind, situation_behind
from intent.support import situation

from spark_tui.intent.answering.answer import Answer, answer, answer_orders
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles
from spark_tui.intent.words.readings import Order, Reading

CODE = '''"""Copies folders."""

import os


class CopyError(Exception):
    pass


def copy(source, target, exclude=[], dry_run=False):
    if not os.path.isdir(source):
        raise CopyError("no source")
    d = len(exclude)
    for name in os.listdir(source):
        print(name, d, target, dry_run)


def merge(base, extra):
    for key in extra:
        if key in base:
            merge(base[key], extra[key])
        else:
            base[key] = extra[key]
    return base
'''
SETTINGS = "[copy]\nsource = a\ndelete = true\nexclude = *.tmp,*.log\n"
FILES = {"copies.py": CODE, "copy.ini": SETTINGS}
_reader = lru_cache(maxsize=1)(Reader.load)


def asked(text: str, files: dict[str, str]) -> tuple[Answer, dict[str, str | None]]:
    """The answer with the first of the files open, and the texts of its first edit."""
    path = next(iter(files))
    where = situation(files, path=path, instruction=text)
    found = answer(text, _reader(), where, RepositoryRoles().of(where.repo.index, (path,)))
    return found, found.ways[0].plan.texts(where.repo) if found.ways else {}


def said(text: str) -> tuple[Answer, dict[str, str | None]]:
    return asked(text, FILES)


@pytest.mark.parametrize(
    "text",
    [
        "copy2, otherwise the times are lost and everything is copied again",
        "the counts in the summary must be readable, KB and MB",
        "les octets doivent être lisibles (Ko, Mo)",
        "I think the loop body is big enough to be its own function",
        "iteration over the top level keys",
    ],
)
def test_code_that_looks_like_a_bug_is_not_mended_whatever_is_said(text: str) -> None:
    found, _ = said(text)
    assert not any("taken for the cause" in str(mark) for way in found.ways for mark in way.marked)


CART = """class Cart:
    def __init__(self):
        self.lines = []

    def add(self, price, count=1):
        self.lines.append((price, count))

    def total(self):
        return sum(price + count for price, count in self.lines)
"""
FAILS = """from cart import Cart


def test_total():
    cart = Cart()
    cart.add(10, 3)
    assert cart.total() == 30
"""
OUTBOX = """class Outbox:
    async def send(self, mail):
        await self.server.send(mail)

    async def put(self, mail):
        self.send(mail)
"""


@pytest.mark.parametrize("text", ["json output", "gift cards", "discount per line", "three retries"])
def test_a_few_words_of_what_is_wanted_repair_no_test_that_fails(text: str) -> None:
    files = {"cart.py": CART, "test_cart.py": FAILS}
    assert "price * count" not in (asked(text, files)[1].get("cart.py") or "")
    assert "price * count" in (asked("the sum of several is wrong", files)[1]["cart.py"] or "")


@pytest.mark.parametrize("text", ["sqlite backend", "bcc header", "subject and footer"])
def test_a_few_words_of_what_is_wanted_are_no_symptom(text: str) -> None:
    files = {"outbox.py": OUTBOX}
    assert "outbox.py" not in asked(text, files)[1]
    assert "await self.send" in (asked("mails that were put are never sent", files)[1]["outbox.py"] or "")


@pytest.mark.parametrize(
    "text",
    [
        "excluded files in the target shouldn't be deleted",
        "let me pass the ini path on the command line, default copy.ini",
        "strip spaces around the exclude patterns",
    ],
)
def test_no_item_is_made_of_an_ordinary_word(text: str) -> None:
    assert "copy.ini" not in said(text)[1]


def test_an_item_keeps_its_star() -> None:
    assert said("exclude *.bak too")[1] == {"copy.ini": SETTINGS.replace("*.log", "*.log,*.bak")}


@pytest.mark.parametrize(
    "text", ["d is a bad name", "give d a better name", "rename d to something more descriptive"]
)
def test_no_name_is_made_of_words_that_say_what_it_is_like(text: str) -> None:
    found, _ = said(text)
    assert not found.ways


@pytest.mark.parametrize("text", ["say which directory in the error", "mention the dir in the error message"])
def test_a_name_is_not_shown_for_half_of_it(text: str) -> None:
    found, _ = said(text)
    assert not any("dry_run}" in str(way.calls) for way in found.ways)


def test_an_edit_stays_where_a_message_names_something_else() -> None:
    before, text = "def half(number):\n    return number / 2\n", "update the doctest"
    where = situation_behind(before, before.replace("number", "value"), text)
    readings = Reading("amend.undo", 0.5, {}), Reading("impossible", 0.2, {})
    assert answer_orders([Order(0, len(text), readings)], where).kind != "undo"


@pytest.mark.parametrize("given", ["1.0", "0.5.0"])
def test_a_version_stays_a_text(given: str) -> None:
    _, text = answer_behind('V = "0.3"\n', 'V = "0.4"\n', f"make it {given}", "amend.value", value=given)
    assert text == f'V = "{given}"\n'


LIMITS = """def total(price):
    if price < 50:
        price += 4
    return price


def retry(times=3):
    def decorator(function):
        def wrapper():
            for _ in range(times):
                function()

        return wrapper

    return decorator
"""


def test_the_name_of_a_new_constant_does_not_hold_it_to_a_place_that_is_not_there() -> None:
    made = "FREE_FROM = 50\n\n\n" + LIMITS.replace("< 50", "< FREE_FROM")
    assert asked("free shipping limit 50 → constant FREE_FROM", {"limits.py": LIMITS})[1] == {
        "limits.py": made
    }


def test_what_is_given_is_tested_in_the_function_that_is_given_it() -> None:
    text = "times below 1 silently returns None. raise ValueError"
    found, texts = asked(text, {"limits.py": LIMITS})
    guard = '    if times < 1:\n        raise ValueError("times must be at least 1")\n'
    assert found.kind == "edit"
    assert texts == {"limits.py": LIMITS.replace("times=3):\n", f"times=3):\n{guard}")}


def test_what_a_kind_is_called_is_no_value() -> None:
    code = "class Matrix:\n    def __init__(self, rows):\n        self.rows = rows\n"
    text = "could you give it a shape property returning the tuple?"
    found, _ = asked(text, {"matrix.py": code})
    assert not any("return tuple" in str(way.calls) for way in found.ways)


@pytest.mark.parametrize("end", ["and so on", ", etc.", "usw."])
def test_what_is_said_of_more_of_the_kind_is_a_mark_and_no_name(end: str) -> None:
    code = "def isPhoto(name):\n    return name\n"
    text = f"rename isPhoto to is_photo {end}"
    found, texts = asked(text, {"photos.py": code})
    assert texts == {"photos.py": code.replace("isPhoto", "is_photo")}
    assert any(end.strip(" ,") in str(mark) for mark in found.ways[0].marked)


def test_items_are_not_sorted_by_what_gives_them() -> None:
    code = "import os\n\n\ndef plan(folder):\n    for name in os.listdir(folder):\n        print(name)\n"
    text = "plan is not deterministic, order of listdir"
    _, texts = asked(text, {"plans.py": code})
    wanted = code.replace("os.listdir(folder)", "sorted(os.listdir(folder))")
    assert texts == {"plans.py": wanted}


def test_a_plain_word_takes_no_place_of_a_number() -> None:
    code = "def leave(limit=15):\n    return wait(minutes=15)\n"
    text = "limit is never used, the 15 is hardwired in leave"
    found, _ = asked(text, {"garage.py": code})
    assert not any("hardwired" in str(way.calls) for way in found.ways)


def test_one_of_two_ways_is_marked() -> None:
    code = 'import os\n\nARROWS = "<>"\n\n\ndef folder():\n    return os.getcwd()\n'
    text = "ARROWS unused, either use it or delete it"
    found, _ = asked(text, {"report.py": code})
    assert found.kind == "edit"
    assert found.ways[0].marked


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("only the first 20 in show", "    for row in islice(rows, 20):"),
        ("round(size, 1) in show", "        print(round(row.size, 1))"),
        ('"no rows" on stderr', '        print("no rows", file=sys.stderr)'),
    ],
)
def test_what_was_asked_for_is_not_done_twice(text: str, line: str) -> None:
    code = "import sys\nfrom itertools import islice\n\n\ndef show(rows):\n    if not rows:\n"
    code += '        print("no rows", file=sys.stderr)\n    print("all rows:")\n'
    code += "    for row in islice(rows, 20):\n        print(round(row.size, 1))\n"
    assert line in code.split("\n")
    found, texts = asked(text, {"rows.py": code})
    assert found.kind in ("nothing", "write", "cannot"), texts


def test_a_number_beside_another_name_is_exchanged_with_a_mark() -> None:
    code = "import time\n\n\ndef poll(text):\n    time.sleep(0.5)\n    return float(text[1:])\n"
    found, _ = asked("sleep 1 -> 0.5", {"poll.py": code})
    assert any("not used: sleep" in str(mark) for way in found.ways for mark in way.marked)
    found, texts = asked("0.2 not 0.5", {"poll.py": code})
    assert "sleep(0.2)" in (texts["poll.py"] or "")
    assert "not used" not in str(found.ways[0].marked)
