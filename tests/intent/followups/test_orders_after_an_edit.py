"""Orders after an edit that leave to what was written where, or on what, they are done."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from intent.following import situation_behind
from intent.support import PATH

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import FOLLOW_UP
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


def answered_behind(before: str, after: str, text: str, intent: str, slots: dict[str, str]) -> Answer:
    """The answer to a message after an edit that a model wrote."""
    found = {}
    for slot, words in slots.items():
        start = text.index(words)
        quoted = text[start - 1 : start] in ("'", '"', "`")
        found[slot] = (Span(start, start + len(words), words, quoted),)
    told = Situation(
        Repository(DictTree({PATH: after})),
        PATH,
        earlier=Done("write", {}, ()),
        before=Repository(DictTree({PATH: before})),
        changed=(PATH,),
        instruction=text,
        asked="skip rows without a name",
    )
    return answer_orders([Order(0, len(text), (Reading(intent, 0.95, found),))], told)


def written_behind(before: str, after: str, text: str, intent: str, **slots: str) -> str:
    """The file after a message."""
    before, after = dedent(before), dedent(after)
    found = answered_behind(before, after, text, intent, slots)
    assert found.ways, found.reason
    base = Repository(DictTree({PATH: before if found.ways[0].from_before else after}))
    return found.ways[0].plan.texts(base).get(PATH) or ""


def test_an_argument_is_given_to_the_written_call_that_takes_it() -> None:
    before = """\
        def dump(path, rows):
            out = open(path, "w")
            out.write(str(rows))
            out.close()
        """
    after = """\
        def dump(path, rows):
            with open(path, "w") as out:
                out.write(str(rows))
        """
    text = written_behind(before, after, "and newline ''", "set_argument", argument="newline", value="''")
    assert "open(path, \"w\", newline='')" in text.replace('""', "''")


LOOKUP = "def price(part):\n    return PRICES[part] * 2\n"
ASKED = "def price(part):\n    if part not in PRICES:\n        return 0\n    return PRICES[part] * 2\n"
HEAD = 'PRICES = {"bolt": 3}\n\n\n'


def test_what_is_done_instead_takes_the_place_of_the_edit() -> None:
    said = "no, put nut with 5 into the table instead"
    text = written_behind(
        HEAD + LOOKUP, HEAD + ASKED, said, "set_entry", key="nut", value="5", variable="table"
    )
    assert '"nut": 5' in text
    assert "not in" not in text


def test_what_is_done_besides_keeps_the_edit() -> None:
    said = "PRICES: nut is 5 too"
    text = written_behind(
        HEAD + LOOKUP, HEAD + ASKED, said, "set_entry", key="nut", value="5", variable="PRICES"
    )
    assert '"nut": 5' in text
    assert "not in" in text


def test_a_constant_stands_for_each_place_of_what_was_written() -> None:
    before = "def area(w):\n    return w * 12\n\n\ndef cost(w):\n    return area(w) - 14\n"
    after = before.replace("14", "12")
    said = "name the 12 FEE, here and in area"
    text = written_behind(before, after, said, "extract_constant", value="12", name="FEE", function="area")
    assert text.count("FEE") == 3


def test_a_lock_holds_what_a_written_guard_protects() -> None:
    before = "class Box:\n    def put(self, one):\n        self.held.add(one)\n"
    after = before.replace("        self", "        if one in self.held:\n            return\n        self")
    text = written_behind(before, after, "and hold self.lock for that", "wrap_in_with", context="self.lock")
    assert "with self.lock:\n            if one in self.held:" in text
    assert "            self.held.add(one)" in text


def test_those_that_are_equal_by_the_written_key_are_sorted_by_another() -> None:
    team = "class Team:\n    points = 0\n\n    def goals(self):\n        return 1\n\n\n"
    before = team + "def ranked(teams):\n    return sorted(teams, key=lambda t: t.points)\n"
    after = before.replace("points)", "points, reverse=True)")
    text = written_behind(before, after, "on a tie goals() decides", "sort_by", key="goals()")
    assert "key=lambda t: (t.points, t.goals()), reverse=True" in text


def test_the_placeholders_of_a_log_text_show_what_is_named_beside_it() -> None:
    before = (
        "import logging\n\nlog = logging.getLogger(__name__)\n\n\n"
        "def load(lines):\n    for line in lines:\n        try:\n            int(line)\n"
        "        except Exception:\n            pass\n"
    )
    after = before.replace("Exception", "ValueError")
    said = "log the line as a warning, 'skipped %s'"
    text = written_behind(before, after, said, "log_exception", level="warning", message="skipped %s")
    assert 'log.warning("skipped %s", line)' in text


def test_a_shown_call_takes_the_place_of_one_of_the_same_names() -> None:
    before = "def longest(rows):\n    return rows[0]\n"
    after = "def longest(rows):\n    return sorted(rows)[0]\n"
    said = "sorted(rows, key=len) would do"
    text = written_behind(before, after, said, "pattern.to_pathlib")
    assert text == "def longest(rows):\n    return sorted(rows, key=len)[0]\n"


BEFORE = """
    def load(rows, shop):
        for row in rows:
            shop.sell(row["name"], row["price"], count=1)
            shop.note(row["name"])
    """
SKIPPING = BEFORE.replace(
    "            shop.sell",
    '            if not row.get("name"):\n                continue\n            shop.sell',
)


def test_a_written_branch_tells_before_it_ends() -> None:
    text = written_behind(BEFORE, SKIPPING, "print them first", "insert_before", code="print them")
    assert "            print(row)\n            continue\n" in text
    text = written_behind(BEFORE, SKIPPING, "also log it", "add_log")
    assert 'warning("skipped %s", row)\n            continue\n' in text


def test_a_written_branch_tells_of_what_a_call_of_its_test_is_given() -> None:
    before = "import os\n\n\ndef load(path):\n    return open(path).read()\n"
    guard = "    if not os.path.exists(path):\n        return None\n"
    after = before.replace("    return", guard + "    return")
    text = written_behind(before, after, "also log it", "add_log")
    assert 'warning("stopped at %s", path)\n        return None\n' in text


def test_a_written_branch_ends_the_loop_instead() -> None:
    text = written_behind(BEFORE, SKIPPING, "stop instead", "stop_loop")
    assert 'if not row.get("name"):\n            break\n' in text


def test_only_if_takes_what_the_function_tests() -> None:
    before = """
        class Booking:
            def __init__(self, day):
                self.day = day
                self.paid = False

        class Calendar:
            def cancel(self, booking):
                self.bookings.remove(booking)
        """
    removed = "        self.bookings.remove"
    after = before.replace(f"        {removed}", f"                print(booking)\n        {removed}")
    text = written_behind(before, after, "only if it was paid", "run_only_if", condition="it was paid")
    assert "if booking.paid:\n            print(booking)\n" in text


def test_an_argument_that_was_written_moves_in_its_call() -> None:
    after = BEFORE.replace("count=1", 'count=1, unit="kg"')
    text = written_behind(BEFORE, after, "put it before count", "amend.before", anchor="count")
    assert 'unit="kg", count=1)' in text


def test_the_same_is_done_elsewhere_with_the_value_that_is_given() -> None:
    before = """
        def first(rows):
            return rows[0]

        def last(rows):
            return rows[-1]
        """
    after = before.replace(
        "return rows[0]", "if not rows:\n                return 0\n            return rows[0]"
    )
    text = written_behind(before, after, "the same in last, with None", "amend.also", function="last")
    assert "    if not rows:\n        return None\n    return rows[-1]" in text


def test_the_constant_is_the_one_on_the_written_lines() -> None:
    before = "LIMIT = 5\nPAUSE = 1\n\ndef read(port):\n    return port.take()\n"
    after = before.replace("take()", "take(LIMIT)")
    slots = {"variable": "constant", "value": "10"}
    assert "LIMIT = 10\n" in written_behind(before, after, "set the constant to 10", "set_value", **slots)


def test_the_second_text_is_that_in_a_row() -> None:
    after = BEFORE.replace("shop.note(", 'shop.head(["a", "b"])\n            shop.note(')
    text = written_behind(BEFORE, after, 'call the second text "zz"', "amend.value", value="zz")
    assert 'shop.head(["a", "zz"])' in text


def test_a_hint_of_one_parameter_goes_alone() -> None:
    before = "def pay(day, rate):\n    return rate * 2\n"
    after = "def pay(day: str, rate: float) -> float:\n    return rate * 2\n"
    assert "def pay(day, rate: float) -> float:" in written_behind(
        before, after, "not for day", "amend.except"
    )
    text = written_behind(before, after, "without the return type", "annotate_return")
    assert "def pay(day: str, rate: float):" in text


def test_a_bound_of_a_written_range_is_given_anew() -> None:
    before = "def cut(price, percent):\n    return price * percent / 100\n"
    guard = '    if not 0 <= percent <= 100:\n        raise ValueError("bad percent")\n'
    after = before.replace("    return", f"{guard}    return")
    text = written_behind(
        before, after, "percent at most 90", "amend.condition", condition="percent at most 90"
    )
    assert "    if not 0 <= percent <= 90:\n" in text


def test_a_written_comprehension_skips_items() -> None:
    before = "def paid(rows):\n    return list(rows)\n"
    after = before.replace("list(rows)", "[row for row in rows]")
    text = written_behind(before, after, "skip row if row < 0", "skip_in_loop", condition="row < 0")
    assert "[row for row in rows if row >= 0]" in text


def test_a_number_replaces_the_constant_that_was_written() -> None:
    before = "SIZE = 25\n\ndef rows(account, page=0):\n    return account.take(page, SIZE)\n"
    after = before.replace("page=0", "page=0, size=SIZE").replace("(page, SIZE)", "(page, size)")
    assert "page=0, size=50)" in written_behind(before, after, "50 by default", "amend.value", value="50")


def test_a_flag_beside_an_empty_list_is_tested_as_it_is_said() -> None:
    before = """
        class Queue:
            def __init__(self):
                self.jobs = []
                self.paused = False

            def pop(self):
                return self.jobs.pop(0)
        """
    after = before.replace(
        "return self", "if not self.jobs:\n                    return None\n                return self"
    )
    said = "the queue is paused"
    text = written_behind(before, after, f"or when {said}", "also_allow", condition=said)
    assert "if not self.jobs or self.paused:" in text


BASES = """\
class Item:
    pass


class Stock:
    pass


class Cold(Stock):
    pass


def spread(values):
    return values
"""


def test_a_base_takes_the_place_of_another_and_not_of_an_edit_elsewhere() -> None:
    said, slots = "Cold should subclass Item instead", {"class": "Cold", "base": "Item"}
    cold = BASES.replace("Cold(Stock)", "Cold(Item)")
    elsewhere = BASES.replace("(values)", "(values, limit)")
    text = written_behind(BASES, elsewhere, said, "add_base", **slots)
    assert text == cold.replace("(values)", "(values, limit)")
    wrong = BASES.replace("class Stock:", "class Stock(Item):")
    assert written_behind(BASES, wrong, said, "add_base", **slots) == cold
    assert FOLLOW_UP in answered_behind(BASES, wrong, said, "add_base", slots).ways[0].marked


CLAMPS = """\
def low(n):
    result = n + 1
    if result > 9:
        result = 9
    return result


def high(n):
    result = n * SIZE
    if result > 90:
        result = 90
    if result < 0:
        result = 0
    return result
"""


def test_each_place_of_the_function_and_of_its_file_is_written_once() -> None:
    told = situation_behind(CLAMPS.replace("SIZE", "2**4"), CLAMPS, "use min and max")
    told = replace(told, focused=True, selection=(9, 9))
    answer = answer_orders([Order(0, 3, (Reading("pattern.extreme", 0.95, {}),))], told)
    texts = [way.plan.texts(told.repo)[PATH] for way in answer.ways]
    assert texts[0].endswith("    result = min(result, 90)\n    result = max(result, 0)\n    return result\n")
    assert all(len(way.calls) == len(set(way.calls)) for way in answer.ways)


def test_what_was_renamed_has_its_new_name_where_a_message_names_nothing() -> None:
    before = Repository(DictTree({PATH: "class Cart:\n    def put(self):\n        return 1\n"}))
    symbol = {"symbol": (Span(-1, -1, "Cart.put"),)}
    told = Situation(
        before.with_changes({PATH: "class Cart:\n    def add(self):\n        return 1\n"}),
        PATH,
        earlier=Done("rename", symbol, ()),
        before=before,
        instruction="make it private",
    )
    answer = answer_orders([Order(0, 15, (Reading("make_private", 0.95, {}),))], told)
    assert "    def _add(self):\n" in answer.ways[0].plan.texts(told.repo)[PATH]
