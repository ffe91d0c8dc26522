"""What a message after an edit gives, as it is meant: names, errors, texts, signs, numbers and arguments."""

from __future__ import annotations

from intent.following import answer_behind, situation_behind
from intent.support import PATH, said_behind

from spark_tui.codemods.plan import Plan
from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.building.building import call
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

LIMITER = """\
class Limiter:
    def allow(self):
        if self.full():
            return False
        return True
"""
RAISES = [("return False", 'raise RuntimeError("limit exceeded")')]
CHECK = "def add(name, price):\n    keep(name, price)\n"
CHECKED = CHECK.replace(
    "    keep", '    if price < 0:\n        raise ValueError("price is negative")\n    keep'
)


def read(before: str, after: str, text: str, *readings: Reading) -> Order:
    return settled(Order(0, len(text), readings), situation_behind(before, after, text))


def test_an_error_that_is_raised_and_yet_to_be_defined_gets_a_class() -> None:
    made = said_behind(
        LIMITER, RAISES, "an own one, LimitReached", "amend.exception", {"exception": "LimitReached"}
    )
    assert made.startswith("class LimitReached(Exception):\n    pass\n\n\nclass Limiter:")
    assert 'raise LimitReached("limit exceeded")' in made
    assert (
        said_behind(LIMITER, RAISES, "LimitReached", "amend.exception", {"exception": "LimitReached"}) == made
    )
    caught = [("self.full()", "self.full()")]
    assert not said_behind(LIMITER, caught, "LimitReached", "amend.exception", {"exception": "LimitReached"})


def test_a_misspelled_error_is_the_one_that_is_meant_and_marked() -> None:
    before, after = LIMITER, LIMITER.replace(*RAISES[0])
    answer, made = answer_behind(before, after, "LookupErorr", "amend.exception", exception="LookupErorr")
    assert 'raise LookupError("limit exceeded")' in made
    assert "LookupErorr was read as LookupError" in answer.ways[0].marked


def test_the_word_for_a_message_is_none_of_it() -> None:
    before = "def remove(items, name):\n    items.remove(name)\n"
    after = before.replace("    items", "    if name not in items:\n        raise KeyError(name)\n    items")
    _, made = answer_behind(before, after, "with msg not in cart", "amend.message", message="msg not in cart")
    assert 'raise KeyError("not in cart")' in made


def test_plain_words_are_a_message_and_no_value_of_it() -> None:
    for text, said in (("say bad price", "bad price"), ("msg shorter: bad price", "bad price")):
        _, made = answer_behind(CHECK, CHECKED, text, "amend.message", message=said)
        assert 'raise ValueError("bad price")' in made
    _, made = answer_behind(CHECK, CHECKED, "with the bad price", "amend.message", message="the bad price")
    assert "{price" in made


def test_signs_of_a_text_are_said_by_their_names() -> None:
    before = "def report(student, mark):\n    print(student, mark)\n"
    after = 'def report(student, mark):\n    return f"{student} {mark}"\n'
    for text, wanted in (
        ("with a colon after the student", 'f"{student}: {mark}"'),
        ("put the mark in brackets", 'f"{student} ({mark})"'),
        ("with an exclamation mark at the end", 'f"{student} {mark}!"'),
        ("and a dash before the mark", 'f"{student} -{mark}"'),
    ):
        order = read(before, after, text, Reading("say_value", 0.4, {}))
        assert order.readings[0].intent == "amend.message"
        assert order.readings[0].text("message") == wanted[2:-1], text
    colon = after.replace("{student} {", "{student}: {")
    assert (
        read(before, colon, "ohne Doppelpunkt", Reading("write", 0.4)).readings[0].text("message")
        == "{student} {mark}"
    )
    assert read(before, after, "without the colon", Reading("write", 0.4)).readings[0].intent == "write"


def test_a_number_may_count_something() -> None:
    before = "import json\n\ndef save(rows, file):\n    json.dump(rows, file)\n"
    after = before.replace("dump(rows, file)", "dump(rows, file, indent=4)")
    _, made = answer_behind(before, after, "two spaces are enough", "amend.value", value="two spaces")
    assert "json.dump(rows, file, indent=2)" in made


def test_an_argument_is_for_the_call_that_was_given_one() -> None:
    before = 'import subprocess\n\ndef run(command):\n    subprocess.run(["sh", command])\n'
    after = before.replace("command])", "command], capture_output=True)")
    _, made = answer_behind(before, after, "text=True too", "set_argument", argument="text", value="True")
    assert "capture_output=True, text=True)" in made
    before = "import json\n\ndef save(rows, file):\n    json.dump(rows, file)\n"
    after = before.replace("dump(rows, file)", "dump(rows, file, indent=4)")
    _, made = answer_behind(before, after, "sort the keys", "set_argument", argument="sort the keys")
    assert "indent=4, sort_keys=True)" in made


def test_an_option_gets_the_text_behind_the_name_of_its_argument() -> None:
    before = "def main(parser):\n    return parser.parse_args()\n"
    after = 'def main(parser):\n    parser.add_argument("--dry")\n    return parser.parse_args()\n'
    text = "help: only show what would be done"
    order = read(before, after, text, Reading("write", 0.5))
    assert order.readings[0].intent == "set_argument"
    assert order.readings[0].text("value") == "only show what would be done"
    assert read(before, after, "note: this is all", Reading("write", 0.5)).readings[0].intent == "write"


def test_another_member_of_a_module_takes_the_place_of_the_written_one() -> None:
    before = "import math\n\ndef area(r):\n    return 3.14 * r * r\n"
    after = before.replace("3.14", "math.pi")
    _, made = answer_behind(before, after, "tau / 2 rather", "amend.value", value="tau / 2")
    assert "return (math.tau / 2) * r * r" in made
    before = "import os\n\ndef load(path):\n    return open(path)\n"
    after = before.replace("    return", "    if not os.path.exists(path):\n        return None\n    return")
    text = "a folder should not count, so isfile would be better"
    order = read(before, after, text, Reading("guard_return", 0.3, {}))
    assert order.readings[0].intent == "amend.value"
    _, made = answer_behind(before, after, text, "amend.value", value="isfile")
    assert "os.path.isfile(path)" in made


def test_a_field_that_is_called_like_a_method_is_no_member_to_replace() -> None:
    before = "class Rows:\n    def drop(self, key):\n        del self.values[key]\n"
    after = before.replace("        del", "        if key in self.values:\n            del")
    order = read(before, after, "I would prefer pop here", Reading("write", 0.5))
    assert order.readings[0].intent == "write"


def test_a_decorator_that_excludes_the_added_one_takes_its_place() -> None:
    before = "class Temperature:\n    def kelvin(self):\n        return self.degrees + 273\n"
    after = before.replace("    def kelvin", "    @property\n    def kelvin")
    text = "cached_property is what i want"
    span = Span(0, len("cached_property"), "cached_property")
    order = read(before, after, text, Reading("add_decorator", 0.5, {"decorator": (span,)}))
    assert order.readings[0].intent == "amend.value"
    _, made = answer_behind(before, after, text, "add_decorator", decorator="cached_property")
    assert "    @cached_property\n    def kelvin" in made
    assert "@property" not in made
    assert "from functools import cached_property" in made


def test_another_name_is_for_what_was_given_a_value() -> None:
    before = "def rows(path, sep):\n    return path.split(sep)\n"
    after = before.replace("sep):", 'sep=","):')
    for intent in ("rename", "amend.name"):
        _, made = answer_behind(before, after, "and call it delimiter", intent, new="delimiter")
        assert made == 'def rows(path, delimiter=","):\n    return path.split(delimiter)\n'


def test_a_group_of_values_that_was_written_becomes_a_constant() -> None:
    before = 'def clean(value):\n    return value == ""\n'
    after = 'def clean(value):\n    return value in ("", "NA")\n'
    text = "have the set of these as a constant MISSING"
    _, made = answer_behind(before, after, text, "extract_constant", value="the set of these", name="MISSING")
    assert 'MISSING = ("", "NA")' in made
    assert "return value in MISSING" in made


def test_a_default_is_for_the_only_parameter_without_one() -> None:
    before = "def hand(size):\n    for i in range(size):\n        draw()\n"
    _, made = answer_behind(
        before, before.replace("for i", "for _"), "5 if none is given", "set_default", default="5"
    )
    assert made.startswith("def hand(size=5):")


def test_what_a_message_says_nothing_of_stays_as_it_was_called() -> None:
    files = {
        PATH: "def take(items):\n    return items.pop()\n\n\ndef put(items, item):\n    items.append(item)\n"
    }
    before = Repository(DictTree(files))
    calls = (call("add_parameter", target=f"{PATH}::take", name="timeout", default="None"),)
    slots = {"name": (Span(-1, -1, "timeout"),), "function": (Span(-1, -1, "take"),)}
    plan = plan_of(calls, before)
    assert isinstance(plan, Plan)
    told = Situation(
        before.with_changes(plan.texts(before)),
        PATH,
        earlier=Done("add_parameter", slots, calls),
        before=before,
        instruction="wait",
    )
    for reading, wanted in (
        (Reading("amend.name", 0.95, {"new": (Span(0, 4, "wait"),)}), "def take(items, wait=None):"),
        (
            Reading("amend.also", 0.95, {"function": (Span(-1, -1, "put"),)}),
            "def put(items, item, timeout=None):",
        ),
    ):
        answer = answer_orders([Order(0, 4, (reading,))], told)
        assert answer.kind == "edit"
        base = before if answer.ways[0].from_before else told.repo
        assert wanted in (answer.ways[0].plan.texts(base)[PATH] or "")


def test_a_value_in_the_place_of_what_is_done_is_returned() -> None:
    before = "def take(self):\n    return self.free.pop()\n"
    after = before.replace("    return", "    if not self.free:\n        self.grow(1)\n    return")
    text = "None instead of growing"
    _, made = answer_behind(before, after, text, "amend.value", value="None", old="growing")
    assert "    if not self.free:\n        return None\n" in made


def test_the_function_that_is_named_tells_which_end_is_meant() -> None:
    before = "def take(free):\n    return free.pop()\n\n\ndef grow(count):\n    return range(count)\n"
    after = before.replace("    return free", "    if not free:\n        raise IndexError\n    return free")
    after = after.replace("    return range", "    if count < 1:\n        raise ValueError\n    return range")
    for name, test in (("take", "if not free"), ("grow", "if count < 1")):
        text = f"{name}: return None there"
        _, made = answer_behind(before, after, text, "amend.return_instead", result="None")
        assert f"    {test}:\n        return None\n" in made
        assert made.count("raise") == 1


def test_too_noisy_asks_for_nothing_elsewhere() -> None:
    before = "def take(log, free):\n    return free.pop()\n\n\ndef put(log, free):\n    free.append(1)\n"
    after = before.replace("    return", '    log.info("take")\n    return')
    order = read(before, after, "too noisy, a debug in put", Reading("change_log_level", 0.3))
    assert order.readings[0].intent == "change_log_level"


def test_the_only_variable_of_the_written_line_gets_the_name() -> None:
    before = "def grow(free, count):\n    for number in range(count):\n        free.append(number)\n"
    after = "def grow(free, count):\n    free.extend(number for number in range(count))\n"
    _, made = answer_behind(before, after, "n for the variable", "rename", new="n")
    assert "free.extend(n for n in range(count))" in made


def test_a_function_takes_the_place_of_no_value() -> None:
    before = "def mean(rows):\n    return sum(rows) / len(rows)\n"
    after = before.replace("    return", "    if not rows:\n        return 0\n    return")
    for given in ("statistics.mean", "mean"):
        answer, _ = answer_behind(before, after, f"use {given}", "amend.value", value=given)
        assert answer.kind != "edit"
    _, made = answer_behind(before, after, "use None", "amend.value", value="None")
    assert "return None" in made


def test_another_special_method_is_the_name_of_the_one_that_was_written() -> None:
    before = "class Box:\n    size = 2\n"
    after = f'{before}\n    def __repr__(self):\n        return f"Box({{self.size}})"\n'
    _, made = answer_behind(before, after, "make it __str__", "amend.name", new="__str__")
    assert made == after.replace("__repr__", "__str__")
