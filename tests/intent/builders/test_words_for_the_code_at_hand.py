"""Words that mean another thing by what the code is: an item of the loop, a unit, a state, a pronoun."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

LOOP = """def read_all(sensors):
    for one in sensors:
        try:
            one.read()
        except OSError:
            print("sensor failed")
    if sensors.gaps():
        print("there are gaps")
"""


def test_which_one_is_the_one_of_the_loop_around_the_message() -> None:
    slots = {"value": "which sensor", "message": "sensor failed"}
    assert 'print(f"sensor failed: {one}")' in changed(
        LOOP, "sensor failed: which sensor", "say_value", **slots
    )


def test_a_time_is_given_in_the_unit_in_which_a_constant_is_passed_on() -> None:
    code = (
        "from datetime import timedelta\n\nSLOT = 20\n\n\ndef f(a):\n    return a + timedelta(minutes=SLOT)\n"
    )
    made = changed(code, "SLOT of 15 minutes", "set_value", variable="SLOT", value="15")
    assert "SLOT = 15\n" in made


def test_none_in_a_function_of_one_parameter_is_that_parameter() -> None:
    code = "def f(rows):\n    out = []\n    for row in rows:\n        out.append(row)\n    return out\n"
    made = changed(code, "f may be handed None: return early", "guard_return", function="f", condition="None")
    assert "def f(rows):\n    if rows is None:\n        return" in made


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return len(rows)", "return\n"),
        ("if len(rows) > 9:\n        return None\n    return len(rows)", "return None"),
        ("print(rows)", "return\n"),
    ],
)
def test_what_an_early_return_gives_is_as_the_function_returns(body: str, wanted: str) -> None:
    code = f"def f(rows):\n    {body}\n"
    made = changed(
        code, "return early if rows is empty", "guard_return", function="f", condition="rows is empty"
    )
    assert f"def f(rows):\n    if not rows:\n        {wanted}" in made


def test_a_pronoun_in_a_joined_condition_is_what_the_test_asks_about() -> None:
    code = "def f(data, count):\n    if not isinstance(count, int):\n        raise ValueError\n"
    said = "not isinstance(count, int) or it is a bool"
    made = changed(code, said, "also_allow", old="not isinstance(count, int)", condition="it is a bool")
    assert "if not isinstance(count, int) or isinstance(count, bool):" in made


def test_a_state_of_a_key_stays_a_truth_value() -> None:
    files = {PATH: "x = 1\n", "settings.toml": "debug = true\nname = 'on'\n"}
    said = "debug off in settings.toml"
    spans = {slot: (Span(said.index(w), said.index(w) + len(w), w),) for slot, w in SAID.items()}
    answer = answer_orders([Order(0, len(said), (Reading("set_key", 0.95, spans),))], situation(files))
    texts = answer.ways[0].plan.texts(situation(files).repo)
    assert texts["settings.toml"] == "debug = false\nname = 'on'\n"


def _in_view(path: str, old: str, said: str, intent: str, /, **slots: str) -> str:
    where = situation({PATH: "x = 1\n", path: old}, path=path, instruction=said)
    spans = {slot: (Span(said.index(w), said.index(w) + len(w), w),) for slot, w in slots.items()}
    answer = answer_orders([Order(0, len(said), (Reading(intent, 0.95, spans),))], where)
    return answer.ways[0].plan.texts(where.repo)[path] or ""


def test_a_file_that_is_no_code_is_meant_where_it_is_in_view() -> None:
    text = "# Desk\n\nFor 20 cents.\n"
    assert _in_view("a.md", text, "cents to ct", "substitute", old="cents", new="ct").endswith("20 ct.\n")
    said = "add Hello under the title"
    made = _in_view("a.md", text, said, "insert_line", text="Hello", anchor="the title")
    assert made.startswith("# Desk\nHello\n\n")
    made = _in_view("a.txt", "b\n", "add Hello on top", "insert_line", text="Hello")
    assert made == "Hello\nb\n"


def test_an_argument_that_is_to_go_is_found_without_its_call() -> None:
    code = "def f(a):\n    a.run(1)\n    return a.call(a.b, shell=True)\n"
    answer = answer_to(code, "shell=True has to go", "remove_argument", argument="shell=True")
    assert any("no shell" in mark or "without a shell" in mark for mark in answer.ways[0].marked)
    assert "a.call(a.b)" in changed(code, "shell=True has to go", "remove_argument", argument="shell=True")


def test_prints_are_described_by_what_they_print() -> None:
    code = 'def f(a):\n    print("DEBUG", a)\n    print(a)\n    return a\n'
    made = changed(code, "all those DEBUG prints out", "delete_calls", call="DEBUG prints")
    assert made == "def f(a):\n    print(a)\n    return a\n"


def test_enumerate_counts_from_the_number_that_is_said() -> None:
    code = "def f(rows):\n    for n, row in enumerate(rows):\n        print(n, row)\n"
    assert "enumerate(rows, start=1)" in changed(code, "count from 1", "set_argument", value="1")


SAID = {"key": "debug", "value": "off", "file": "settings.toml"}


def test_tuples_are_sorted_by_the_place_of_what_is_called() -> None:
    code = (
        "def ranking(pupils):\n    rows = []\n    for one in pupils:\n"
        "        rows.append((one.name, one.average(1)))\n    return sorted(rows)\n"
    )
    assert "sorted(rows, key=lambda item: item[1])" in changed(code, "by average", "sort_by", key="average")


def test_a_sign_in_the_key_says_the_order_already() -> None:
    code = "def f(rows):\n    return sorted(rows, key=lambda r: r.rank)\n"
    made = changed(code, "by -r.rank, the highest first", "sort_by", key="-r.rank", order="highest first")
    assert "sorted(rows, key=lambda r: -r.rank)" in made


def test_the_decorator_that_a_function_has_needs_no_name() -> None:
    code = "class A:\n    @property\n    def size(self):\n        return 1\n"
    made = changed(code, "make size a method again", "remove_decorator", function="size")
    assert made == "class A:\n    def size(self):\n        return 1\n"


def test_an_item_is_named_by_its_sign_and_words_for_none_are_no_reason_to_do_nothing() -> None:
    code = 'MISSING = ["", "-", "2024-05-01"]\n'
    assert '["", "2024-05-01"]' in changed(
        code, "a dash is not missing", "remove_item", value="dash", variable="missing"
    )
    said = "MISSING without first of May"
    answer = answer_to(code, said, "remove_item", value="first of May", variable="MISSING")
    assert answer.kind != "nothing"


def test_a_style_that_a_name_has_already_is_a_new_name() -> None:
    code = "def f():\n    s = 1\n    return s\n"
    made = changed(code, "s to snake in f", "rename", symbol="s", new="snake", function="f")
    assert made == code.replace("s = 1", "snake = 1").replace("return s", "return snake")


def test_what_is_to_run_in_any_case_moves_and_is_called() -> None:
    code = "def f(s):\n    try:\n        s.send()\n        s.quit()\n    except OSError:\n        pass\n"
    made = changed(code, "s.quit has to run always", "add_finally", code="s.quit")
    assert made == code.replace("        s.quit()\n", "") + "    finally:\n        s.quit()\n"


def test_a_call_that_is_shown_replaces_the_call_of_what_is_named() -> None:
    code = "import tempfile\n\n\ndef f():\n    return tempfile.mktemp()\n"
    new = "NamedTemporaryFile(delete=False).name"
    made = changed(code, f"mktemp becomes {new}", "replace_expression", old="mktemp", new=new)
    assert f"return tempfile.{new}\n" in made


def test_dots_are_those_of_an_ellipsis() -> None:
    code = 'def f(a):\n    return a + "..." + "v1.2"\n'
    made = changed(code, "… instead of dots", "replace_text", old="dots", new="…")
    assert made == code.replace("...", "…")


def test_a_new_key_goes_into_the_one_section_of_a_file() -> None:
    text = "[garage]\nname = a\n"
    made = _in_view("a.ini", text, "add currency = EUR", "set_key", key="currency", value="EUR")
    assert made == "[garage]\nname = a\ncurrency = EUR\n"


def test_an_error_or_a_print_in_words_is_a_statement() -> None:
    code = "def f(rows):\n    for row in rows:\n        if row:\n            break\n    return rows\n"
    slots = {"function": "f", "code": "raising LookupError"}
    made = changed(code, "an else on the if in f, raising LookupError", "add_else", **slots)
    assert "else:\n            raise LookupError\n" in made
    made = changed(code, "print rows at the end of f", "insert_at_end", function="f", code="print rows")
    assert made == code.replace("    return", "    print(rows)\n    return")


def test_a_call_without_arguments_replaces_one_that_is_shown_with_its_own() -> None:
    code = "def f(text):\n    return text.split(',')\n"
    said = "text.split(',') becomes splitlines()"
    made = changed(code, said, "replace_call", old="text.split(',')", new="splitlines()")
    assert made == "def f(text):\n    return text.splitlines()\n"


def test_a_dictionary_is_no_number_to_be_shown_with_digits() -> None:
    code = "def f(rows):\n    temps = {}\n    print(temps)\n    return str(rows[0] / 3)\n"
    answer = answer_to(code, "temps with one digit", "format_number", variable="temps", count="one")
    assert not any(".1f}" in str(way.calls) and "temps" in str(way.calls) for way in answer.ways)


def test_a_method_of_texts_is_applied_as_it_is_shown() -> None:
    code = "def f(path):\n    return path\n"
    made = changed(
        code, 'rstrip("/") on the result of f', "apply_function", function="f", transform='rstrip("/")'
    )
    assert made == 'def f(path):\n    return path.rstrip("/")\n'


def test_factors_are_read_in_more_than_one_word() -> None:
    assert "SIZE = 8\n" in changed(
        "SIZE = 4\n", "SIZE times two", "scale_value", variable="SIZE", factor="times two"
    )
    said = "SIZE twice as big"
    assert "SIZE = 8\n" in changed("SIZE = 4\n", said, "scale_value", variable="SIZE", factor="twice as big")


def test_a_parameter_is_returned_and_no_text_that_is_spelled_so() -> None:
    code = 'def f(code):\n    if code:\n        return 1\n    else:\n        return "unknown"\n'
    slots = {"function": "f", "result": "code", "old": '"unknown"'}
    assert changed(code, 'f returns code and not "unknown"', "set_return", **slots).endswith("return code\n")


def test_what_goes_into_a_dictionary_is_sorted_and_not_the_dictionary() -> None:
    code = (
        "def f(cards):\n    out = {}\n    for one in cards:\n"
        "        out.setdefault(one.kind, []).append(one.rank)\n    return out\n"
    )
    made = changed(code, "f sorted by rank", "sort_by", function="f", key="rank")
    assert made == code.replace("in cards", "in sorted(cards, key=lambda one: one.rank)")
