"""Values without a name, repeated ones, messages in variables, and words that are no value."""

from __future__ import annotations

import pytest
from intent.asking import after, answer_to, changed
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.values.likely.incomplete_readings import relax_reading
from spark_tui.intent.words.readings import Order, Reading, Span

TRUTH = (
    "def truth(text):\n    if text in ('on', 'true'):\n        return True\n    return text not in (1, 2)\n"
)


def test_an_item_is_added_where_the_one_that_is_named_stands() -> None:
    said = 'take "ja" like on in truth'
    assert "('on', 'true', 'ja')" in after("add_item", said, TRUTH, value="ja", variable="on")


def test_several_items_are_added_to_a_list_of_many_lines() -> None:
    code = "SKIP = frozenset(\n    [\n        'a',\n        'b',\n    ]\n)\n"
    done = after("add_item", "SKIP lacks 'c' and 'd'", code, value=("c'"[:1], "d"), variable="SKIP")
    assert "'b',\n        'c',\n        'd',\n" in done


def test_escapes_stay_as_they_are_typed() -> None:
    done = after(
        "add_item", r'add "\x1A" to BREAKS', 'BREAKS = ("\\n", "\\r")\n', value=r"\x1A", variable="BREAKS"
    )
    assert done == 'BREAKS = ("\\n", "\\r", "\\x1A")\n'


def test_a_repeated_text_has_one_name_in_the_whole_file() -> None:
    code = "def a():\n    return 'none here'\n\n\ndef b():\n    return 'none here'\n"
    done = after("extract_constant", "name 'none here' NOTHING", code, value="none here", name="NOTHING")
    assert done.count("return NOTHING") == 2
    assert done.startswith("NOTHING = 'none here'\n")


@pytest.mark.parametrize("value", ["1024 * 64", "2 ** 20", "(str, bytes)"])
def test_an_expression_of_constants_is_named(value: str) -> None:
    code = f"def a(size={value}):\n    return size\n"
    done = after(
        "extract_constant", f"name {value} in a LIMIT", code, value=value, name="LIMIT", function="a"
    )
    assert f"LIMIT = {value}\n" in done


def test_an_expression_of_variables_is_not_named() -> None:
    code = "def a(b):\n    return b * 2\n"
    assert not after(
        "extract_constant", "name b * 2 in a LIMIT", code, value="b * 2", name="LIMIT", function="a"
    )


def test_a_message_in_a_variable_is_replaced_there() -> None:
    code = "def a(b):\n    if not b:\n        msg = 'empty'\n        raise ValueError(msg)\n"
    done = after("replace_message", "a should say 'no items'", code, message="no items", function="a")
    assert "msg = 'no items'\n        raise ValueError(msg)" in done


def test_what_fills_a_message_is_kept() -> None:
    code = "def a(b):\n    raise ValueError('bad {!r}'.format(b))\n"
    done = after("replace_message", "a should say 'wrong {!r}'", code, message="wrong {!r}", function="a")
    assert "'wrong {!r}'.format(b)" in done


def test_the_message_of_several_that_is_most_alike_is_replaced() -> None:
    code = "def a(n, step):\n    if n < 0:\n        raise ValueError('n must be positive')\n"
    code += "    if step < 1:\n        raise ValueError('step is too small')\n"
    said = "say 'the step is too small' in a"
    done = after("replace_message", said, code, message="the step is too small", function="a")
    assert "'n must be positive'" in done
    assert "'the step is too small'" in done


def test_an_assertion_gets_a_message() -> None:
    said = "give the assert in a the message 'no b'"
    done = after("replace_message", said, "def a(b):\n    assert b\n", message="no b", function="a")
    assert 'assert b, "no b"' in done


def test_a_text_is_replaced_in_a_comment() -> None:
    code = "A = 1  # the frist of them\n"
    done = after("replace_text", "frist should be first", code, old="frist", new="first")
    assert done == "A = 1  # the first of them\n"


def test_only_the_named_line_of_a_block_of_comments_is_removed() -> None:
    code = "# always compare bytes\n# TODO: ask for text\n# - the first\nA = 1\n"
    done = after("remove_comments", "drop TODO: ask for text", code, text="TODO: ask for text")
    assert done == "# always compare bytes\n# - the first\nA = 1\n"


def test_words_are_no_number() -> None:
    said = "set LIMIT to whatever the server says"
    assert not after("set_value", said, "LIMIT = 3\n", variable="LIMIT", value="whatever the server says")


def test_a_default_that_is_another_one_is_left_alone() -> None:
    said = "default of size in a from 100 to 200"
    done = after(
        "set_default", said, "def a(size=50):\n    return size\n", parameter="size", old="100", default="200"
    )
    assert not done


@pytest.mark.parametrize(("old", "new"), [("['x', 'y']", "('x', 'y')"), ("list(B)", "tuple(B)")])
def test_a_literal_becomes_one_of_another_type(old: str, new: str) -> None:
    done = after("convert_value", "make A a tuple", f"A = {old}\n", variable="A", type="tuple")
    assert done == f"A = {new}\n"


@pytest.mark.parametrize("default", ["datetime.now()", "now", "the current time"])
def test_a_default_that_a_call_gives_is_made_in_each_call(default: str) -> None:
    code = "from datetime import datetime\n\n\ndef mark(item, at):\n    item.at = at\n"
    text = f"at should default to {default} in mark"
    after = changed(code, text, "set_default", parameter="at", default=default, function="mark")
    assert "at=None" in after and "    if at is None:\n        at = datetime.now()\n" in after


@pytest.mark.parametrize(
    ("said", "returned"),
    [
        ("return length of names in total", "len(names)"),
        ("total should return the length of names", "len(names)"),
        ("take the length of names in total", "out"),
    ],
)
def test_a_changed_value_is_returned_where_that_is_told(said: str, returned: str) -> None:
    code = "def total(rows):\n    out = 0\n    names = [row.name for row in rows]\n    return out\n"
    done = after("apply_function", said, code, transform="length", variable="names", function="total")
    assert done.endswith(f"    return {returned}\n")
    assert ("names = [" in done) is (returned != "out")


def test_a_misspelled_word_becomes_the_one_that_it_is_like() -> None:
    code = 'def dump():\n    """Customize serialiation."""\n\n\ndef load():\n    """Undo serialization."""\n'
    way = answer_to(code, "typo: serialiation", "replace_text", new="serialiation").ways[0]
    assert way.marked == ("serialization was assumed to be the right spelling",)
    assert changed(code, "typo: serialiation", "replace_text", new="serialiation") == code.replace(
        "iation", "ization"
    )


def test_of_two_words_that_it_is_like_that_of_the_file_is_meant() -> None:
    code = "# a connection\n# a connection\ndef dump():  # its connecton\n    return 1\n"
    files = {PATH: code, "other.py": "# a connector, connectors\n"}
    found = answered(files, ("replace_text", {"old": "connecton"}))
    assert "its connection" in result(found, files)


@pytest.mark.parametrize("known", [True, False])
def test_a_misspelled_word_becomes_nothing_that_the_message_says_besides(known: bool) -> None:
    code = 'def dump():\n    """Customize serialiation."""\n' + "NOTE = 'serialization'\n" * known
    said = "fix spelling serialiation"
    slots = {"old": (Span(13, 25, "serialiation"),)}
    guess = Reading("replace_text", 0.95, slots, unsure={"new": (Span(4, 12, "spelling"),)})
    found = answer_orders([Order(0, len(said), (guess,))], situation({PATH: code}, instruction=said))
    assert ("serialization." in result(found, {PATH: code})) if known else "is not known" in found.reason


def test_a_rare_word_that_nothing_is_given_for_becomes_the_frequent_one_like_it() -> None:
    code = 'def dump():\n    """Raise explicitely."""\n\n\ndef load():\n    """Explicitly, explicitly."""\n'
    done = changed(code, 'Fix "explicitely" in dump', "replace_text", old="explicitely", function="dump")
    assert done == code.replace("explicitely", "explicitly")
    twice = code.replace("load():", "load():  # explicitely").replace(
        "Explicitly, as explicitly", "explicitly"
    )
    assert answer_to(twice, 'Fix "explicitely"', "replace_text", old="explicitely").ways == ()


@pytest.mark.parametrize(
    ("old", "new", "comment"),
    [
        ("make the has of all", "hash", "# make the hash of all items"),
        ("make the has", "compute", "# compute of all items"),
        ("make the has", "take the hash", "# take the hash of all items"),
    ],
)
def test_a_word_for_a_text_of_several_is_for_the_one_that_is_spelled_like_it(
    old: str, new: str, comment: str
) -> None:
    code = "def load(items):\n    # make the has of all items\n    return hash(items)\n"
    found = answered({PATH: code}, ("replace_text", {"old": f'"{old}"', "new": f'"{new}"'}))
    assert comment in result(found, {PATH: code})


@pytest.mark.parametrize("translated", ["_({})", "field.gettext({})", "ugettext({})"])
def test_a_text_that_is_translated_is_a_message(translated: str) -> None:
    raised = translated.format('"no such name"')
    code = f"def find(field):\n    raise KeyError({raised})\n"
    done = changed(code, 'find: "unknown name"', "replace_message", function="find", message="unknown name")
    assert done == code.replace("no such name", "unknown name")
    held = f"def find(field):\n    text = {raised}\n    raise KeyError(text)\n"
    done = changed(held, 'find: "unknown name"', "replace_message", function="find", message="unknown name")
    assert done == held.replace("no such name", "unknown name")


def test_the_kind_of_text_is_not_what_replaces_a_word() -> None:
    said = 'Fix "explicitely" in the dump docstring'
    place = said.index("docstring")
    unsure = {"new": (Span(place, place + len("docstring"), "docstring"),)}
    old = said.index("explicitely")
    slots = {"old": (Span(old, old + len("explicitely"), "explicitely", True),)}
    reading = Reading("replace_text", 0.9, slots, unsure=unsure)
    assert list(relax_reading(reading, lambda *_: True)) == []


def test_a_typo_that_is_not_shown_has_no_spelling_in_the_reason() -> None:
    found = answer_to("# one lenght\n", "fix the typo in the comment", "replace_text")
    assert not found.ways and "is spelled right" not in found.reason
