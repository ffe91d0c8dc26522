"""Words that mean another thing by what the code is: an item of the loop, a unit, a state, a pronoun."""

from __future__ import annotations

from intent.asking import changed
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


def test_how_many_is_the_length_of_what_the_if_around_the_message_asks_for() -> None:
    slots = {"value": "how many", "message": "there are gaps"}
    made = changed(LOOP, "there are gaps - how many", "say_value", **slots)
    assert 'print(f"there are gaps: {len(sensors.gaps())}")' in made


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
