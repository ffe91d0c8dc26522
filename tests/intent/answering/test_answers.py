"""Edits, choices, and sentences: what is decided from readings and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from intent.fixed_reader import NoRoles, Reads, ranked
from intent.support import PATH, answered, result, situation, spans

from spark_tui.codemods import registry
from spark_tui.intent.answering.answer import Answer, answer, answer_orders
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.titles import title_of
from spark_tui.intent.words.readings import Order, Reading, Span

LOAD = "def load(path):\n    total = 1\n    return total\n\n\n"
TWO = {PATH: LOAD + "def save(path):\n    total = 2\n    return total\n"}


def titles(found: Answer) -> Sequence[str]:
    return [way.title for way in found.ways]


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


@pytest.mark.usefixtures("sure")
def test_what_is_clear_is_an_edit_without_a_mark() -> None:
    found = answered({PATH: "LIMIT = 3\n"}, ("set_value", {"variable": "LIMIT", "value": "4"}))
    assert (found.kind, found.ways[0].marked) == ("edit", ())
    assert found.ways[0].title == "LIMIT = 4"
    assert found.ways[0].done is not None and found.ways[0].done.intent == "set_value"


def test_several_symbols_of_one_name_are_a_choice() -> None:
    found = answered(TWO, ("rename", {"symbol": "total", "new": "amount"}))
    assert found.kind == "choices"
    both = "rename load.total → amount; rename save.total → amount"
    assert titles(found) == ["rename load.total → amount", "rename save.total → amount", both]


def test_many_variables_of_one_name_in_the_file_are_renamed_together_with_a_mark() -> None:
    code = "".join(f"def f{at}(conn):\n    return conn\n\n\n" for at in range(4))
    (way,) = answered({PATH: code}, ("rename", {"symbol": "conn", "new": "db"})).ways
    assert len(way.calls) == 4
    assert way.marked


@pytest.mark.parametrize(("line", "where"), [(2, "load"), (8, "save")])
def test_the_cursor_decides_between_symbols_of_one_name(line: int, where: str) -> None:
    found = answered(TWO, ("rename", {"symbol": "total", "new": "amount"}), cursor=line)
    assert (found.kind, titles(found)) == ("edit", [f"rename {where}.total → amount"])


def test_the_function_that_is_named_decides() -> None:
    found = answered(TWO, ("rename", {"symbol": "total", "new": "amount", "function": "save()"}))
    assert titles(found) == ["rename save.total → amount"]


def test_two_near_readings_are_a_choice() -> None:
    readings = (
        ("cache_results", {"function": "load"}, 0.43),
        ("set_return", {"function": "load", "result": "None"}, 0.42),
    )
    found = ranked(TWO, *readings)
    assert found.kind == "choices"
    assert len(found.ways) >= 2


def test_readings_with_one_result_count_together() -> None:
    words = {"parameter": "path", "function": "load"}
    readings = (
        ("set_default", {**words, "default": "None"}, 0.4),
        ("set_value", {"variable": "path", "value": "None", "function": "load"}, 0.4),
    )
    found = ranked(TWO, *readings)
    assert found.kind == "edit"
    assert found.ways[0].confidence > 0.6


def test_a_reading_that_cannot_be_done_gives_way() -> None:
    found = ranked(
        TWO, ("set_except", {"exception": "KeyError"}, 0.5), ("make_async", {"function": "load"}, 0.45)
    )
    assert (found.kind, titles(found)) == ("edit", ["make load async"])


def test_what_is_so_already_is_nothing_to_do() -> None:
    found = answered({PATH: "import os\n\nprint(os)\n"}, ("remove_unused_imports", {}))
    assert (found.kind, found.reason) == ("nothing", "There is nothing to do: no import is unused.")


@pytest.mark.usefixtures("sure")
def test_what_is_there_as_asked_for_is_not_removed() -> None:
    code = {PATH: "@cached\ndef load(path):\n    return path\n"}
    words = {"decorator": "cached", "function": "load"}
    found = ranked(code, ("add_decorator", words, 0.8), ("remove_decorator", words, 0.18))
    assert found.kind == "nothing"
    assert ranked(code, ("remove_decorator", words, 0.8)).kind == "edit"


def test_what_cannot_be_done_says_why_and_not_the_words_again() -> None:
    found = answered(TWO, ("set_except", {"exception": "KeyError", "function": "load"}))
    assert found.kind == "write"
    assert "no except in load" in found.reason and "/connect" in found.reason


@pytest.mark.parametrize(
    ("intent", "kind"),
    [("write", "write"), ("question", "question"), ("chat", "chat"), ("impossible", "cannot")],
)
def test_what_is_no_edit_is_said_so(intent: str, kind: str) -> None:
    assert answered(TWO, (intent, {})).kind == kind


@pytest.mark.usefixtures("sure")
def test_a_message_that_was_made_up_is_marked() -> None:
    code = {PATH: "def f(a):\n    return a\n"}
    plain = answered(code, ("guard_raise", {"function": "f", "condition": "a is negative"}))
    made_up = answered(code, ("guard_raise", {"function": "f", "condition": "a.b(1)"}))
    assert plain.ways[0].marked == ()
    assert "the message was made up" in made_up.ways[0].marked


def test_a_missing_import_comes_along() -> None:
    found = answered(
        {PATH: "def f(a):\n    return a\n"}, ("set_return", {"function": "f", "result": "`json.dumps(a)`"})
    )
    assert (
        result(found, {PATH: "def f(a):\n    return a\n"})
        == "import json\n\n\ndef f(a):\n    return json.dumps(a)\n"
    )
    assert found.ways[0].title == "return json.dumps(a) in f"


def test_several_orders_are_done_one_after_the_other() -> None:
    files = {PATH: "def f(qty):\n    return qty\n"}
    found = answered(
        files,
        ("rename", {"symbol": "qty", "new": "count"}),
        ("annotate_parameter", {"parameter": "count", "type": "int"}),
    )
    assert found.kind == "edit"
    assert result(found, files) == "def f(count: int):\n    return count\n"
    assert found.ways[0].title == "rename f.qty → count; count: int in f"


def test_one_order_for_two_things_does_both() -> None:
    files = {PATH: "def f(a):\n    return a\n\n\ndef g(b):\n    return b\n"}
    found = answered(files, ("make_async", {"function": ["f", "g"]}))
    assert result(found, files).count("async def") == 2


def test_places_that_are_left_out_stay() -> None:
    files = {
        PATH: "def old():\n    return 1\n",
        "tests/test_shop.py": "from shop import old\n\nprint(old())\n",
    }
    slots = spans({"symbol": "old", "new": "new"})[1]
    left = (Span(0, 5, "the tests"),)
    found = answer_orders([Order(0, 1, (Reading("rename", 0.95, slots, left),))], situation(files))
    way = found.ways[0]
    assert way.plan.paths == (PATH,)
    assert any("imports old" in mark for mark in way.marked)


def test_everywhere_means_all_places() -> None:
    files = {PATH: 'def f():\n    raise ValueError("a")\n\n\ndef g():\n    raise ValueError("b")\n'}
    slots = spans({"exception": "KeyError"})[1]
    found = answer_orders(
        [Order(0, 1, (Reading("change_raised", 0.95, slots, everywhere=True),))], situation(files)
    )
    assert result(found, files).count("KeyError") == 2


def test_a_file_that_is_named_decides() -> None:
    files = {"a/cart.py": "LIMIT = 1\n", "b/cart.py": "LIMIT = 2\n", PATH: "x = 1\n"}
    found = answered(files, ("set_value", {"variable": "LIMIT", "value": "5", "file": "b/cart.py"}))
    assert found.ways[0].plan.paths == ("b/cart.py",)
    both = answered(files, ("set_value", {"variable": "LIMIT", "value": "5", "file": "cart.py"}))
    assert both.kind == "choices"


def test_a_symbol_of_another_file_is_found() -> None:
    files = {"a/cart.py": "def total():\n    return 1\n", PATH: "x = 1\n"}
    found = answered(files, ("rename", {"symbol": "total", "new": "sum_up"}))
    assert found.ways[0].plan.paths == ("a/cart.py",)


@pytest.mark.parametrize("said", ["", "  \n", "\x00\x01\x02", "!?", "x" * 10_000, "shop.py", "a.b" * 3_000])
def test_what_is_no_order_is_answered_in_a_sentence(said: str) -> None:
    found = answer(said, Reads(), situation(TWO), NoRoles())
    assert (found.kind, found.ways) == ("cannot", ())
    assert found.reason.endswith((".", "?")) and "x" * 50 not in found.reason


@pytest.mark.parametrize(("said", "read"), [("!ls", 0), ("! git status", 0), ("!= is wrong", 1)])
def test_a_command_of_the_shell_is_no_order(said: str, read: int) -> None:
    reader = Reads()
    assert answer(said, reader, situation(TWO), NoRoles()).kind == "cannot"
    assert len(reader.seen) == read


def test_control_characters_do_not_reach_the_reader() -> None:
    reader = Reads()
    answer("rename\x00 a\x1b[0m to b", reader, situation(TWO), NoRoles())
    assert reader.seen == [("rename  a to b", "")]


@pytest.mark.parametrize(
    "intent",
    ["rename", "guard_raise", "set_value", "delete_lines", "fix_error", "add_item", "substitute", "set_key"],
)
def test_a_reading_without_its_words_is_declined(intent: str) -> None:
    assert answered(TWO, (intent, {})).kind in ("cannot", "write", "nothing")


@pytest.mark.parametrize(
    "intent", ["rename", "guard_raise", "set_value", "replace_text", "sort_imports", "fix_error", "set_key"]
)
def test_no_open_file_and_no_files_are_answered(intent: str) -> None:
    words = {
        "symbol": "a",
        "new": "b",
        "condition": "a < 1",
        "variable": "a",
        "value": "1",
        "old": "a",
        "file": "a.toml",
        "key": "a",
    }
    assert answered({}, (intent, words), path="").kind in ("cannot", "write", "nothing")


def test_a_file_that_does_not_parse_is_declined() -> None:
    found = answered({PATH: "def f(:\n"}, ("rename", {"symbol": "f", "new": "g"}))
    assert found.kind == "write"


def test_the_earlier_intent_is_told_to_the_reader() -> None:
    done = answered({PATH: "LIMIT = 3\n"}, ("set_value", {"variable": "LIMIT", "value": "4"})).ways[0].done
    reader = Reads()
    told: Situation = situation({PATH: "LIMIT = 4\n"}, earlier=done)
    answer("no, 5", reader, told, NoRoles())
    assert reader.seen == [("no, 5", "set_value")]


def test_the_function_that_is_named_leaves_no_doubt_about_its_own_names() -> None:
    rename = ("rename", {"symbol": "total", "new": "whole", "function": "save"}, 0.99)
    (way,) = ranked(TWO, rename).ways
    assert "def save(path):\n    whole = 2\n" in way.plan.texts(situation(TWO).repo)[PATH]
    assert not any("symbols are called" in item for item in way.marked)


def test_a_name_of_another_kind_is_not_said_to_be_nothing() -> None:
    found = answered({PATH: "class Limit:\n    pass\n"}, ("inline_variable", {"variable": "Limit"}))
    assert "Limit is a class, not a " in found.reason


def test_a_pattern_has_its_summary_for_a_title() -> None:
    assert title_of(registry.parse("apply_pattern ternary a.py:3")).startswith("choose a value by a cond")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("def f(a):\n    return b\n", "return b in f, line 1"),
        ("def f(a):\n    b = a\n    return a\n", "b = a in f, line 1"),
        ("def f(a):\n", "without return a in f, line 1"),
    ],
)
def test_the_title_of_replaced_lines_is_the_first_that_is_another(text: str, title: str) -> None:
    repo = situation({"a.py": "def f(a):\n    return a\n"}).repo
    call = registry.from_json({"op": "replace_lines", "place": "a.py:1-2", "text": text})
    assert title_of(call, repo) == title


def test_where_a_place_is_as_asked_for_nothing_is_done_at_another() -> None:
    files = {PATH: 'def f():\n    """Say it."""\n\n\ndef g():\n    pass\n'}
    found = answered(files, ("write_docstring", {"function": "f"}))
    assert (found.kind, found.reason) == ("nothing", "There is nothing to do: f already has a docstring.")
    assert answered(files, ("write_docstring", {"function": "g"})).kind == "edit"


def test_the_docstring_of_a_module_is_none_of_every_function() -> None:
    files = {PATH: '"""Shop."""\n\n\ndef g():\n    pass\n'}
    reading = Reading("write_docstring", 0.95, {"file": (Span(0, 0, PATH),)})
    found = answer_orders([Order(0, 8, (reading,))], situation(files, instruction=f"document {PATH}"))
    assert found.reason == f"There is nothing to do: {PATH} already has a docstring."
    said = f"document every function in {PATH}"
    found = answer_orders([Order(0, len(said), (reading,))], situation(files, instruction=said))
    assert found.kind == "edit" and "def g" in result(found, files)
